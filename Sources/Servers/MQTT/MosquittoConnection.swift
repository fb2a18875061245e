import CMosquitto
import Glibc
import LinuxIO
import Quantities

/// libmosquitto; stays loaded until the process ends.
package struct MosquittoLibrary: @unchecked Sendable {
  // Unchecked because of the pointer; the table of functions behind it never changes.
  fileprivate let functions: OpaquePointer

  /// The name in Debian's package libmosquitto1.
  package static let name = "libmosquitto.so.1"

  private static let loaded = Locked<[String: MosquittoLibrary]>([:])

  /// Loads the library if it is not loaded; nil if it is missing, which is checked again at the
  /// next call.
  package init?(name: String = MosquittoLibrary.name) {
    let found: MosquittoLibrary? = Self.loaded.withLock { loaded in
      if let known = loaded[name] { return known }
      loaded[name] = cmosquitto_load(name).map(MosquittoLibrary.init(functions:))
      return loaded[name]
    }
    guard let found else { return nil }
    self = found
  }

  private init(functions: OpaquePointer) { self.functions = functions }
}

/// One connection to a broker; used from one thread.
final class MosquittoConnection {
  /// Seconds without a message after which the connection is tested; after one and a half of it the
  /// broker publishes the will.
  private static let keepalive: Int32 = 60

  private let client: OpaquePointer

  /// Makes one; nil without memory.
  init?(_ library: MosquittoLibrary, identifier: String) {
    guard let client = cmosquitto_open(library.functions, identifier) else { return nil }
    self.client = client
  }

  deinit { cmosquitto_close(client) }

  /// The TLS files of a connection.
  struct Certificates {
    var ca: String?
    var certificate: String?
    var key: String?
  }

  /// Connects; waits for the resolver and for TCP.
  func connect(
    to broker: MQTTBroker, _ login: (name: String, password: String?)?,
    _ certificates: Certificates, will: MQTTMessage
  ) throws(MQTTFault) {
    let outcome = withTexts([
      broker.host, login?.name, login?.password, certificates.ca, certificates.certificate,
      certificates.key,
    ]) { texts in
      var address = cmosquitto_address()
      (address.host, address.username, address.password) = (texts[0], texts[1], texts[2])
      (address.ca_file, address.certificate, address.key) = (texts[3], texts[4], texts[5])
      (address.port, address.keepalive) = (Int32(broker.port), Self.keepalive)
      address.has_tls = broker.isEncrypted
      return will.withMessage { cmosquitto_connect(client, &address, $0) }
    }
    try check(outcome)
  }

  /// Whether the broker has accepted the connection.
  /// - Throws: Why it has refused.
  func isAccepted() throws(MQTTFault) -> Bool {
    let answer = Int(cmosquitto_answer(client))
    guard answer <= 0 else { throw .refused(answer) }
    return answer == 0
  }

  /// Waits for the connection or a wake-up, and does what is due then.
  func turn(_ wakener: Wakener, atMost seconds: Double) throws(MQTTFault) {
    wakener.wait(
      beside: cmosquitto_file(client), forRoom: cmosquitto_wants_write(client), atMost: seconds)
    do throws(MQTTFault) {
      try check(cmosquitto_turn(client))
    } catch {
      // A refusal ends the connection too.
      _ = try isAccepted()
      throw error
    }
  }

  /// Sends a message.
  /// - Returns: The number of its acknowledgement.
  func publish(_ message: MQTTMessage) throws(MQTTFault) -> Int32 {
    var number: Int32 = 0
    try check(message.withMessage { cmosquitto_publish(client, $0, &number) })
    return number
  }

  /// The number of an acknowledged message; nil where there is none.
  func nextAcknowledged() -> Int32? {
    var number: Int32 = 0
    return cmosquitto_take_acknowledged(client, &number) ? number : nil
  }

  /// Ends the connection in order, so that the will is not published.
  func disconnect() throws(MQTTFault) { try check(cmosquitto_disconnect(client)) }

  private func check(_ outcome: cmosquitto_outcome) throws(MQTTFault) {
    let (number, text) = (cmosquitto_number(client), String(cString: cmosquitto_fault(client)))
    switch outcome {
    case CMOSQUITTO_DONE: return
    case CMOSQUITTO_UNKNOWN_HOST: throw .unknownHost(number)
    case CMOSQUITTO_SYSTEM_ERROR: throw .system(number)
    case CMOSQUITTO_TLS where !text.isEmpty: throw .tls(text)
    case CMOSQUITTO_LOST, CMOSQUITTO_TLS: throw .lost(wasAccepted: cmosquitto_answer(client) == 0)
    case CMOSQUITTO_FLOOD: throw .flood
    case CMOSQUITTO_NOT_MQTT: throw .notMQTT
    default: throw .failed(text)
    }
  }
}

/// A message for the broker.
struct MQTTMessage {
  var topic: String
  var payload: [UInt8]
  var qualityOfService = 1
  /// All messages but those of the past, so that a new subscriber has them at once.
  var isRetained = true

  func withMessage<Result>(_ body: (UnsafePointer<cmosquitto_message>) -> Result) -> Result {
    topic.withCString { topic in
      payload.withUnsafeBytes { payload in
        var message = cmosquitto_message(
          topic: topic, payload: payload.baseAddress, size: payload.count,
          qos: Int32(qualityOfService), is_retained: isRetained)
        return body(&message)
      }
    }
  }
}

/// Runs `body` with C strings; NULL for nil.
private func withTexts<Result>(
  _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
  let copies: [UnsafeMutablePointer<CChar>?] = texts.map { text in text.flatMap { strdup($0) } }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { UnsafePointer($0) })
}

extension Wakener {
  /// Waits until a wake-up, until a descriptor has input, or for some seconds.
  /// - Parameters:
  ///   - other: The descriptor; -1 for none.
  ///   - forRoom: Whether room to write ends the wait too.
  ///   - seconds: The timeout.
  func wait(beside other: Int32 = -1, forRoom: Bool = false, atMost seconds: Double) {
    let room = forRoom ? POLLOUT : 0
    var files = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN | room), revents: 0),
    ]
    // Rounded up: a wait that ends early would be repeated at once.
    let milliseconds = Int32(clamping: Int(bounded: (seconds * 1000).rounded(.up)))
    guard poll(&files, 2, max(0, milliseconds)) > 0 else { return }
    if files[0].revents != 0 { clear() }
  }
}
