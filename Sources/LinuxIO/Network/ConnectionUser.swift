#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who is at the other end of an accepted connection.
package enum ConnectionUser: Equatable, Sendable {
  /// A user of this machine, with the groups that the kernel reports; TCP has none.
  case user(uid: UInt32, groups: Set<UInt32>)
  /// Another machine, whose users are not known.
  case otherMachine
  /// A program of this machine whose user is not found.
  case unknown
}

extension StreamSocket {
  /// The user at the other end: by the credentials of a Unix socket, or by the kernel's list of TCP sockets,
  /// which has the other end where it is on this machine.
  /// - Parameter processes: The folder used as `/proc`.
  /// - Returns: The user, or that it is another machine's, or not known.
  /// - Source: proc(5), `/proc/net/tcp`: fields local address, remote address, uid and inode. A socket without
  ///   an inode has no program any more, and its uid is 0 whoever made it.
  package func user(processes: String = "/proc") -> ConnectionUser {
    guard let other = InternetEnd(of: file, getpeername),
      let this = InternetEnd(of: file, getsockname)
    else {
      do throws(NetworkError) {
        let credentials = try peerCredentials()
        return .user(uid: credentials.uid, groups: credentials.allGroups)
      } catch {
        return .unknown
      }
    }
    for name in ["tcp", "tcp6"] {
      let text = SystemFiles.text(of: "\(processes)/net/\(name)") ?? ""
      for line in text.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ", maxSplits: 10)
        guard fields.count > 9, InternetEnd(listed: fields[1]) == other.unmapped,
          InternetEnd(listed: fields[2]) == this.unmapped, fields[9] != "0",
          let uid = UInt32(fields[7])
        else { continue }
        return .user(uid: uid, groups: [])
      }
    }
    return other.isLoopback || other.unmapped.address == this.unmapped.address
      ? .unknown : .otherMachine
  }
}
