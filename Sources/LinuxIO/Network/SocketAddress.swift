#if canImport(Glibc)
  import Glibc
#endif

/// The address of a Unix socket.
package struct UnixAddress {
  private var address = sockaddr_un()
  private var length: socklen_t

  /// The address of a path.
  /// - Throws: `NetworkError` for a path that is too long.
  package init(path: String) throws(NetworkError) {
    let bytes = Array(path.utf8)
    address.sun_family = sa_family_t(AF_UNIX)
    // The last byte ends the text.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw NetworkError(code: ENAMETOOLONG, doing: "naming a socket", peer: path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
  }

  /// The address of a path, or of an abstract name, which begins with `@`.
  /// - Source: unix(7): the first byte of an abstract name is zero, and its length counts.
  package init(name: String) throws(NetworkError) {
    try self.init(path: name)
    guard name.hasPrefix("@") else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 }
    length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
  }

  /// Runs `body` with the address and its length.
  package func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// The addresses of a host and port, by the system's resolver.
final class InternetAddresses {
  /// `host:port`; an IPv6 address is in brackets.
  let name: String
  private let list: UnsafeMutablePointer<addrinfo>

  init(
    host: String, port: Int, flags: Int32 = 0, isDatagram: Bool = false
  ) throws(NetworkError) {
    // An IPv6 address contains colons.
    name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32((isDatagram ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    hints.ai_protocol = Int32(isDatagram ? IPPROTO_UDP : IPPROTO_TCP)
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0, let list else {
      let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
      throw NetworkError(.hostNotFound(reason), peer: name)
    }
    self.list = list
  }

  deinit { freeaddrinfo(list) }

  /// The result for the first address for which `body` succeeds.
  /// - Throws: The error of the last address; `.stopped` at once.
  func first<Result>(
    _ body: (addrinfo) throws(NetworkError) -> Result
  ) throws(NetworkError) -> Result {
    var address = list.pointee
    while true {
      do throws(NetworkError) {
        return try body(address)
      } catch {
        guard error.kind != .stopped, let next = address.ai_next else { throw error }
        address = next.pointee
      }
    }
  }
}
