#if canImport(Glibc)
  import Glibc
#endif

/// A local TCP port that refuses connections: its socket has the number, and does not listen. Free
/// again with the object.
public final class RefusingPort {
  /// The port's number.
  public let number: UInt16
  private let file: Int32

  /// - Throws: Where the system gives no port.
  public init() throws {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, size) == 0 && getsockname(file, $0, &size) == 0
      }
    }
    (self.file, number) = (file, UInt16(bigEndian: address.sin_port))
    guard isBound else { throw ScriptedServer.Unavailable() }
  }

  deinit { close(file) }
}
