#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who is at the other end of an accepted connection.
package enum ConnectionUser: Equatable, Sendable {
  /// A user of this machine, with the groups that the kernel reports; TCP has none.
  case user(uid: UInt32, groups: Set<UInt32>)
  /// Another machine, whose users are not known. A container with a network of its own is one.
  case otherMachine
  /// A program of this machine whose user is not found.
  case unknown
}

/// The users of this machine's connections, as of one moment.
package struct ConnectionUsers {
  private struct Ends: Hashable {
    let (local, remote): (InternetEnd, InternetEnd)
  }

  private let users: [Ends: UInt32]
  private let addresses: Set<[UInt8]>

  /// Reads the kernel's lists of TCP sockets.
  /// - Parameter processes: The folder used as `/proc`.
  /// - Source: proc(5), `/proc/net/tcp`: fields local address, remote address, uid and inode. A
  ///   socket that its program has closed has no inode, and uid 0 whichever user opened it.
  package init(processes: String = "/proc") {
    var users: [Ends: UInt32] = [:]
    for name in ["tcp", "tcp6"] {
      let text = SystemFiles.text(of: "\(processes)/net/\(name)", atMost: .max) ?? ""
      for line in text.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ", maxSplits: 10)
        guard fields.count > 9, fields[9] != "0", let local = InternetEnd(listed: fields[1]),
          let remote = InternetEnd(listed: fields[2]), remote.port != 0,
          let uid = UInt32(fields[7])
        else { continue }
        users[Ends(local: local, remote: remote)] = uid
      }
    }
    self.users = users
    addresses = MachineAddress.all
  }

  /// The user at the other end of a socket: by the credentials of a Unix socket, or by the list of
  /// TCP sockets, which has the other end where it is on this machine.
  package func user(of socket: StreamSocket) -> ConnectionUser {
    guard let other = InternetEnd(of: socket.file, getpeername)?.unmapped,
      let this = InternetEnd(of: socket.file, getsockname)?.unmapped
    else {
      do throws(NetworkError) {
        let credentials = try socket.peerCredentials()
        return .user(uid: credentials.uid, groups: credentials.allGroups)
      } catch {
        return .unknown
      }
    }
    if let uid = users[Ends(local: other, remote: this)] { return .user(uid: uid, groups: []) }
    return other.isLoopback || addresses.contains(other.address) ? .unknown : .otherMachine
  }
}
