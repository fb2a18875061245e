#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a socket of this machine cannot be used.
public struct SocketFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The socket's path.
  public var path: String
  /// What was being done.
  public var doing: String
  /// The system's error number.
  public var code: Int32

  /// Makes a fault of the system's last error.
  package init(_ path: String, doing: String, code: Int32 = errno) {
    self.path = path
    self.doing = doing
    self.code = code
  }

  /// One line for people.
  public var description: String { "\(path): \(doing) failed: \(String(cString: strerror(code)))" }
}
