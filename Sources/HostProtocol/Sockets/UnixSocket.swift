#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One end of a Unix stream socket that never blocks and does not outlive an exec. It closes with its last
/// holder.
package final class UnixSocket: Sendable {
  /// For `poll`.
  package let file: Int32
  /// The path that it belongs to.
  package let path: String

  package init(file: Int32, path: String) {
    self.file = file
    self.path = path
  }

  deinit { close(file) }

  /// Connects; a Unix socket answers at once or not at all.
  package convenience init(connectingTo path: String) throws(SocketFault) {
    self.init(file: try Self.opened(path), path: path)
    let code = try Self.withAddress(path) { connect(file, $0, $1) == 0 ? 0 : errno }
    if code != 0 { throw SocketFault(path, doing: "connecting", code: code) }
  }

  /// Begins to listen at a path where nothing is.
  package convenience init(listeningAt path: String, backlog: Int32) throws(SocketFault) {
    self.init(file: try Self.opened(path), path: path)
    let code = try Self.withAddress(path) { bind(file, $0, $1) == 0 ? 0 : errno }
    if code != 0 { throw SocketFault(path, doing: "binding", code: code) }
    if listen(file, backlog) != 0 { throw SocketFault(path, doing: "listening") }
  }

  /// A client that waits to be taken in; nil where none does.
  package func accepted() throws(SocketFault) -> UnixSocket? {
    while true {
      let client = accept(file, nil, nil)
      if client >= 0 {
        // Neither flag comes from the listening socket.
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return UnixSocket(file: client, path: path)
      }
      switch errno {
      case EAGAIN: return nil
      // The client went away while it waited.
      case EINTR, ECONNABORTED: continue
      default: throw SocketFault(path, doing: "taking a client in")
      }
    }
  }

  /// What a read came to.
  package enum Received: Equatable {
    case bytes(Int), nothing, end
  }

  /// Reads what has come in.
  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(SocketFault) -> Received {
    while true {
      let count = recv(file, bytes.baseAddress, bytes.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case ECONNRESET: return .end
      default: throw SocketFault(path, doing: "reading")
      }
    }
  }

  /// Writes what the kernel takes at once.
  /// - Returns: How many bytes, from the first on; nil where the other end is gone.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SocketFault) -> Int? {
    while true {
      let count = send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      case EPIPE, ECONNRESET: return nil
      default: throw SocketFault(path, doing: "writing")
      }
    }
  }

  /// How many bytes the kernel may keep on the way to the other end, about.
  package func limitKernelQueue(to bytes: Int32) {
    var size = bytes
    _ = setsockopt(
      file, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Who is at the other end, by the kernel's word.
  package struct Peer: Equatable, Sendable {
    package var pid: Int32
    package var uid: UInt32
    package var gid: UInt32
    /// Its supplementary groups; empty where the system does not tell.
    package var groups: Set<UInt32>
    /// All its groups.
    package var allGroups: Set<UInt32> { groups.union([gid]) }

    package init(pid: Int32, uid: UInt32, gid: UInt32, groups: Set<UInt32> = []) {
      (self.pid, self.uid, self.gid, self.groups) = (pid, uid, gid, groups)
    }

    /// This process.
    package static var ofThisProcess: Peer {
      // NGROUPS_MAX, limits.h
      var groups = [gid_t](repeating: 0, count: 65_536)
      let count = max(0, getgroups(Int32(groups.count), &groups))
      return Peer(
        pid: getpid(), uid: getuid(), gid: getgid(), groups: Set(groups.prefix(Int(count))))
    }
  }

  /// Who is at the other end.
  /// - Source: unix(7), SO_PEERCRED: `struct ucred` is pid, uid, gid of 32 bits each.
  package func peer() throws(SocketFault) -> Peer {
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
    guard getsockopt(file, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw SocketFault(path, doing: "asking who the client is")
    }
    return Peer(
      pid: Int32(bitPattern: credentials[0]), uid: credentials[1], gid: credentials[2],
      groups: peerGroups())
  }

  /// The supplementary groups of who is at the other end.
  /// - Source: Linux 4.13, include/uapi/asm-generic/socket.h: SO_PEERGROUPS is 59 and fills `gid_t`s.
  private func peerGroups() -> Set<UInt32> {
    #if os(Linux)
      // NGROUPS_MAX, limits.h
      var groups = [gid_t](repeating: 0, count: 65_536)
      let width = MemoryLayout<gid_t>.size
      var size = socklen_t(groups.count * width)
      // An older kernel does not know it; the machine's files tell most of them.
      guard getsockopt(file, SOL_SOCKET, 59, &groups, &size) == 0 else { return [] }
      return Set(groups.prefix(Int(size) / width))
    #else
      return []
    #endif
  }

  private static func opened(_ path: String) throws(SocketFault) -> Int32 {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let file = socket(AF_UNIX, kind, 0)
    if file < 0 { throw SocketFault(path, doing: "opening a socket") }
    return file
  }

  /// Runs `body` with the path as the kernel takes it.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SocketFault) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The last byte is the end of the text.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SocketFault(path, doing: "naming a socket", code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Wakes a thread that waits in `poll`.
package final class Wakener: Sendable {
  /// For `poll`: readable once somebody called `wake`.
  package let file: Int32
  private let input: Int32

  /// Makes one.
  package init() throws(SocketFault) {
    var files: [Int32] = [-1, -1]
    guard pipe(&files) == 0 else { throw SocketFault("pipe", doing: "making") }
    for file in files {
      _ = fcntl(file, F_SETFL, O_NONBLOCK)
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    }
    (file, input) = (files[0], files[1])
  }

  deinit {
    close(file)
    close(input)
  }

  /// Makes the waiting end, now or the next time. Safe in a signal handler.
  package func wake() {
    // A full pipe wakes too.
    var byte: UInt8 = 1
    _ = Glibc.write(input, &byte, 1)
  }

  /// Takes what woke.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while Glibc.read(file, &bytes, bytes.count) == bytes.count {}
  }
}
