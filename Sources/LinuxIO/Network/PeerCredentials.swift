#if canImport(Glibc)
  import Glibc
#endif

/// The process, user, groups and control groups at the other end of a Unix socket, as the kernel
/// reports them.
package struct PeerCredentials: Equatable, Sendable {
  package var pid: Int32
  package var uid: UInt32
  package var gid: UInt32
  /// The supplementary groups; empty where the kernel does not report them.
  package var groups: Set<UInt32>
  /// The control groups of the process when it was accepted.
  package var controlGroups: ControlGroups
  /// The group and the supplementary groups.
  package var allGroups: Set<UInt32> { groups.union([gid]) }

  package init(
    pid: Int32, uid: UInt32, gid: UInt32, groups: Set<UInt32> = [],
    controlGroups: ControlGroups = ControlGroups("")
  ) {
    (self.pid, self.uid, self.gid, self.groups) = (pid, uid, gid, groups)
    self.controlGroups = controlGroups
  }

  /// Those of this process, without its control groups.
  package static var ofThisProcess: PeerCredentials {
    // NGROUPS_MAX, limits.h
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = max(0, getgroups(Int32(groups.count), &groups))
    return PeerCredentials(
      pid: getpid(), uid: getuid(), gid: getgid(), groups: Set(groups.prefix(Int(count))))
  }
}

extension StreamSocket {
  /// The credentials of the process at the other end of a Unix socket.
  /// - Source: unix(7), SO_PEERCRED: `struct ucred` is pid, uid, gid of 32 bits each.
  package func peerCredentials() throws(NetworkError) -> PeerCredentials {
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
    guard getsockopt(file, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw NetworkError(code: errno, doing: "reading the client's credentials", peer: peer)
    }
    let pid = Int32(bitPattern: credentials[0])
    return PeerCredentials(
      pid: pid, uid: credentials[1], gid: credentials[2], groups: peerGroups(),
      controlGroups: ControlGroups(pid: pid, uid: credentials[1]))
  }

  /// - Source: Linux 4.13, include/uapi/asm-generic/socket.h: SO_PEERGROUPS is 59 and fills
  ///   `gid_t`s.
  private func peerGroups() -> Set<UInt32> {
    // NGROUPS_MAX, limits.h
    var groups = [gid_t](repeating: 0, count: 65_536)
    let width = MemoryLayout<gid_t>.size
    var size = socklen_t(groups.count * width)
    // An older kernel has no such option; the user database has most of the groups.
    guard getsockopt(file, SOL_SOCKET, 59, &groups, &size) == 0 else { return [] }
    return Set(groups.prefix(Int(size) / width))
  }
}
