import Glibc
import LinuxIO

/// Why there is no connection to the broker.
package enum MQTTFault: Error, Equatable {
  /// The name has no address; getaddrinfo's number.
  case unknownHost(Int32)
  /// The kernel's error number.
  case system(Int32)
  /// The broker's return code of MQTT 3.1.1.
  case refused(Int)
  /// The TLS library's words.
  case tls(String)
  /// The connection was lost, before the broker has accepted it or afterwards.
  case lost(wasAccepted: Bool)
  case flood
  case notMQTT
  case timedOut(seconds: Double)
  /// A file of the configuration; the key and the reason.
  case file(key: String, reason: String)
  /// The library's words.
  case failed(String)

  /// The fault and the remedy, without the broker.
  func reason(_ settings: MQTTSettings, _ names: MQTTNames) -> String {
    switch self {
    case .unknownHost(let number):
      NetworkError(.hostNotFound(String(cString: gai_strerror(number))), peer: "").reason
    case .system(let number): NetworkError(code: number, doing: "connecting", peer: "").reason
    case .refused(let code): Self.refusal(code, names)
    case .tls(let text): Self.tls(text, settings)
    case .lost(wasAccepted: true): "the connection was lost"
    case .lost(wasAccepted: false) where settings.broker?.isEncrypted == true:
      "the connection was closed before the broker has accepted it; check the port and the broker's log: it may "
        + "require a certificate of the client (mqtt-certificate, mqtt-key-file)"
    case .lost(wasAccepted: false):
      "the connection was closed before the broker has accepted it; check that the port is MQTT's, and whether it "
        + "expects TLS (mqtts://)"
    case .flood:
      "it sends messages although nothing is subscribed; check which program listens at this port"
    case .notMQTT: "the server does not answer in MQTT; check the port"
    case .timedOut(let seconds):
      "no answer to MQTT's CONNECT within \(Int(bounded: seconds)) s; check the port and the broker's log"
    case .file(let key, let reason): "\(key): \(reason)"
    case .failed(let text): text
    }
  }

  /// - Source: MQTT 3.1.1, 3.2.2.3.
  private static func refusal(_ code: Int, _ names: MQTTNames) -> String {
    switch code {
    case 1: "the broker does not support MQTT 3.1.1"
    case 2: "the broker refuses the client id '\(names.client)'; choose another with mqtt-client-id"
    case 3: "the broker is not available"
    case 4: "wrong user name or password; correct mqtt-username and mqtt-password-file"
    case 5:
      "not authorized: the user name or the password is wrong or missing, or the user may not "
        + "connect; correct mqtt-username and mqtt-password-file"
    default: "the broker refuses the connection (return code \(code))"
    }
  }

  /// - Source: the texts of OpenSSL 3.0 and of libmosquitto 2.0, as observed.
  private static func tls(_ text: String, _ settings: MQTTSettings) -> String {
    // The part of a line of OpenSSL after its numbers is for people.
    let words = text.split(separator: ":").last.map(String.init) ?? ""
    let detail = words.trimmed
    let reasons = [
      (
        "certificate verify failed",
        settings.caFile == nil
          ? "the broker's certificate is not from an authority that this system trusts; name the file "
            + "with its authority in mqtt-ca-file"
          : "the broker's certificate is not from the authority in mqtt-ca-file, or has expired"
      ),
      (
        "host name verification failed",
        "the broker's certificate is for another name than \(settings.broker?.host ?? ""); write "
          + "that name in mqtt-broker"
      ),
      ("wrong version number", "the broker does not use TLS at this port; check the port"),
      ("packet length too long", "the broker does not use TLS at this port; check the port"),
      (
        "unexpected eof",
        "the connection was closed within the TLS handshake; check that the port is one with TLS"
      ),
      (
        "certificate required",
        "the broker requires a certificate of the client: give mqtt-certificate and mqtt-key-file"
      ),
      (
        "unknown ca",
        "the broker does not trust the certificate of mqtt-certificate"
      ),
      (
        "key values mismatch",
        "the key in mqtt-key-file does not belong to the certificate in mqtt-certificate"
      ),
    ]
    for (part, reason) in reasons where text.contains(part) { return reason }
    return "TLS failed" + (detail.isEmpty ? "" : ": \(detail)")
  }
}

extension MQTTSettings {
  /// The password in its file; nil without a file.
  /// - Throws: `MQTTFault.file`, also where others can read the file.
  package func password() throws(MQTTFault) -> String? {
    guard let passwordFile else { return nil }
    let text = try Self.secret(passwordFile, "mqtt-password-file")
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
    guard !line.isEmpty else {
      throw .file(key: "mqtt-password-file", reason: "\(passwordFile): the first line is empty")
    }
    return String(line)
  }

  /// Checks that the configured files can be read, and that secrets are not readable by others.
  package func checkFiles() throws(MQTTFault) {
    _ = try password()
    if let caFile { _ = try Self.text(caFile, "mqtt-ca-file") }
    if let certificate { _ = try Self.text(certificate, "mqtt-certificate") }
    if let keyFile { _ = try Self.secret(keyFile, "mqtt-key-file") }
  }

  private static func secret(_ path: String, _ key: String) throws(MQTTFault) -> String {
    do throws(FileFault) {
      return try LinuxFiles().secret(of: path)
    } catch {
      let isOpenToOthers = error.code == EPERM && error.detail != nil
      throw .file(
        key: key, reason: "\(path): \(isOpenToOthers ? "" : "cannot be read: ")\(error.reason)")
    }
  }

  private static func text(_ path: String, _ key: String) throws(MQTTFault) -> String {
    do throws(FileFault) {
      return try LinuxFiles().text(of: path)
    } catch {
      throw .file(key: key, reason: "\(path): cannot be read: \(error.reason)")
    }
  }
}
