import CCurl
import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// An encrypted TCP connection by libcurl: the other side's certificate is checked. A proxy is taken
/// from `https_proxy` and `no_proxy`. It never blocks beyond a deadline, and one thread uses it.
package final class TLSSocket {
  /// The other end, such as `caster.example:2102`.
  package let peer: String
  private let channel: OpaquePointer
  private let file: Int32

  /// The wait for the other side between checks for a stop, milliseconds.
  private static let step: Int32 = 50

  /// Connects to the first of the host's addresses that answers.
  /// - Parameters:
  ///   - host: A name or an address of either version, for which the certificate must be.
  ///   - port: The server's.
  ///   - certificates: A file with the certificates to trust (PEM); nil for the system's.
  ///   - seconds: The timeout of the connection with its handshake.
  ///   - libraries: The file names of libcurl to try.
  ///   - isStopped: Called several times a second; true ends the attempt.
  /// - Throws: `NetworkError`.
  package init(
    host: String, port: Int, certificates: String? = nil, seconds: Double,
    libraries: [String] = CurlLibrary.names, isStopped: () -> Bool = { false }
  ) throws(NetworkError) {
    let peer = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    self.peer = peer
    // libcurl reports a missing file by a text that differs between the TLS libraries.
    if let certificates, access(certificates, R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw NetworkError(
        .notEncrypted("the file with certificates, \(certificates), cannot be read: \(reason)"),
        peer: peer)
    }
    let library: CurlLibrary
    do throws(CurlLibrary.Missing) {
      library = try CurlLibrary(names: libraries)
    } catch {
      throw NetworkError(.notEncrypted("\(error)"), peer: peer)
    }
    let milliseconds = max(1, Int(bounded: seconds * 1000))
    guard
      let channel = ccurl_channel_begin(
        library.functions, host, Int32(port), certificates, milliseconds)
    else { throw NetworkError(code: ENOMEM, doing: "connecting", peer: peer) }
    do throws(NetworkError) {
      try Self.open(channel, peer, hasCertificates: certificates != nil, isStopped)
    } catch {
      ccurl_channel_end(channel)
      throw error
    }
    self.channel = channel
    // Open, it has one; without, each read waits for its deadline.
    file = ccurl_channel_file(channel)
  }

  deinit { ccurl_channel_end(channel) }

  private static func open(
    _ channel: OpaquePointer, _ peer: String, hasCertificates: Bool, _ isStopped: () -> Bool
  ) throws(NetworkError) {
    while true {
      if isStopped() { throw NetworkError(.stopped, peer: peer) }
      let text = { String(printable: String(cString: ccurl_channel_fault(channel))) }
      switch ccurl_channel_open(channel, step) {
      case CCURL_OPEN: return
      case CCURL_OPENING: continue
      case CCURL_NO_HOST: throw NetworkError(.hostNotFound("not known"), peer: peer)
      case CCURL_NO_CONNECTION: throw NetworkError(.refused, peer: peer)
      case CCURL_NO_ANSWER: throw NetworkError(.timedOut, peer: peer)
      case CCURL_DISTRUSTED:
        let remedy =
          hasCertificates
          ? "check that the file with certificates has the server's or its authority's"
          : "name a file with the server's certificate, or check the name of the host"
        throw NetworkError(
          .notEncrypted("the server's certificate is not trusted (\(text())); \(remedy)"),
          peer: peer)
      default:
        throw NetworkError(
          .notEncrypted("\(text()); check that the server uses TLS at this port"), peer: peer)
      }
    }
  }

  /// Waits for bytes and reads them.
  /// - Parameters:
  ///   - bytes: The destination, not empty.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `NetworkError`; `.closed` once the peer has closed the connection and all bytes are
  ///   read.
  package func read(
    into bytes: inout [UInt8], until deadline: Timestamp
  ) throws(NetworkError) -> Int {
    while true {
      // Decrypted bytes may wait in libcurl, which `poll` does not see.
      let count = bytes.withUnsafeMutableBytes {
        ccurl_channel_receive(channel, $0.baseAddress, $0.count)
      }
      if count > 0 { return count }
      if count < 0 { throw fault(count, doing: "reading") }
      var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
      if ready < 0 { throw NetworkError(code: -ready, doing: "reading", peer: peer) }
      // Records without content do not extend the wait.
      if ready == 0 || MonotonicClock.now >= deadline { return 0 }
    }
  }

  /// Writes the bytes that are accepted at once.
  /// - Returns: The number of bytes written, from the first on.
  /// - Throws: `NetworkError`.
  package func write(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    let count = bytes.withUnsafeBytes { ccurl_channel_send(channel, $0.baseAddress, $0.count) }
    if count < 0 { throw fault(count, doing: "writing") }
    return count
  }

  private func fault(_ result: Int, doing: String) -> NetworkError {
    guard result != CCURL_CHANNEL_CLOSED else {
      return NetworkError(.closed, peer: peer)
    }
    let text = String(printable: String(cString: ccurl_channel_fault(channel)))
    return NetworkError(.failed("\(doing) (\(text))"), peer: peer, code: EIO)
  }
}
