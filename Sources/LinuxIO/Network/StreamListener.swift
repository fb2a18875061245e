import CLinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// Accepts connections at a path or at an address of this machine; closes with its last reference.
public final class StreamListener: Sendable {
  /// The descriptor, for `poll`.
  package let file: Int32
  private let place: String
  /// True where the address is not one of this machine yet: connections are accepted once it is, as
  /// after a boot that was faster than the network.
  public let isAwaitingAddress: Bool

  /// Listens at a path where no file is.
  package init(path: String, backlog: Int32) throws(NetworkError) {
    let address = try UnixAddress(path: path)
    file = try StreamSocket.open(AF_UNIX, peer: path)
    place = path
    isAwaitingAddress = false
    let code = address.withPointer { bind(file, $0, $1) == 0 ? 0 : errno }
    if code != 0 { throw NetworkError(code: code, doing: "binding", peer: path) }
    if listen(file, backlog) != 0 {
      throw NetworkError(code: errno, doing: "listening", peer: path)
    }
  }

  /// Listens at an address of this machine.
  /// - Parameters:
  ///   - host: The address or a name of it.
  ///   - port: The port; for 0 the kernel chooses one.
  ///   - backlog: Limit of the connections that are not accepted yet.
  /// - Throws: `NetworkError`.
  public init(host: String, port: Int, backlog: Int32 = 8) throws(NetworkError) {
    let addresses = try InternetAddresses(host: host, port: port, flags: Int32(AI_PASSIVE))
    place = addresses.name
    (file, isAwaitingAddress) = try addresses.first { (address) throws(NetworkError) in
      try Self.listening(address, addresses.name, backlog)
    }
  }

  deinit { close(file) }

  private static func listening(
    _ address: addrinfo, _ place: String, _ backlog: Int32
  ) throws(NetworkError) -> (file: Int32, isAwaitingAddress: Bool) {
    let file = try StreamSocket.open(address.ai_family, address.ai_protocol, peer: place)
    var on: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var isBound = bind(file, address.ai_addr, address.ai_addrlen) == 0
    let isAwaited = !isBound && errno == EADDRNOTAVAIL
    if isAwaited {
      let (level, option) =
        address.ai_family == AF_INET6 ? (IPPROTO_IPV6, ipv6FreeBind) : (IPPROTO_IP, IP_FREEBIND)
      setsockopt(file, Int32(level), option, &on, socklen_t(MemoryLayout<Int32>.size))
      isBound = bind(file, address.ai_addr, address.ai_addrlen) == 0
    }
    guard isBound, listen(file, backlog) == 0 else {
      let code = errno
      close(file)
      throw NetworkError(code: code, doing: "listening", peer: place)
    }
    return (file, isAwaited)
  }

  /// `IPV6_FREEBIND`, which glibc does not define.
  /// - Source: Linux, include/uapi/linux/in6.h.
  private static let ipv6FreeBind: Int32 = 78

  /// The port; nil for a Unix socket.
  public var port: Int? { InternetEnd(of: file, getsockname)?.port }

  /// Limits the bytes of each later connection that the kernel stores before they are read,
  /// approximately.
  package func limitInput(to bytes: Int32) {
    var bytes = bytes
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Accepts a waiting client; nil for none.
  public func accept() throws(NetworkError) -> StreamSocket? {
    while true {
      let client = linuxbus_accept(file)
      if client >= 0 { return StreamSocket(file: client, peer: place) }
      switch -client {
      case EAGAIN: return nil
      // The client disconnected while it waited.
      case EINTR, ECONNABORTED: continue
      default: throw NetworkError(code: -client, doing: "accepting a client", peer: place)
      }
    }
  }
}
