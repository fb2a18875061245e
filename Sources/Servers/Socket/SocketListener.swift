import Glibc
import LinuxIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A listening Unix socket; its file is removed with the listener.
final class SocketListener: Sendable {
  private let path: String
  private let state = Mutex(State())

  private struct State {
    var socket: StreamListener?
    /// True while the socket file belongs to this daemon; another daemon's is not removed.
    var isInPlace = false
  }

  /// The socket; nil once it is closed.
  var socket: StreamListener? { state.withLock { $0.socket } }

  /// Listens. A socket file without a listener is replaced, never another file.
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - mode: Its mode.
  ///   - group: Its group; nil for the daemon's own.
  /// - Throws: `ServeError`.
  init(path: String, mode: UInt32, group: String? = nil) throws(ServeError) {
    self.path = path
    let folder = path.parentFolder
    try Self.makeFolder(folder)
    // Under a lock: of two daemons that find a dead socket, the second would remove the new socket
    // of the first.
    let lock = try FolderLock(folder)
    defer { lock.release() }
    try Self.removeStaleSocket(path)
    do throws(NetworkError) {
      let socket = try StreamListener(path: path, backlog: Acceptance.backlog)
      state.withLock { ($0.socket, $0.isInPlace) = (socket, true) }
    } catch {
      // Another program created the socket in the meantime.
      throw error.kind == .addressInUse ? .alreadyServed(path: path) : .socket(error)
    }
    // Until now only the owner can connect, because the usual umask grants no write permission to
    // others.
    try setPermissions(mode, group)
  }

  deinit { remove() }

  /// Removes the socket file and closes the socket.
  func remove() {
    if state.withLock({ $0.isInPlace }) { unlink(path) }
    abandon()
  }

  /// Closes the socket without removing its file, as a killed process does.
  func abandon() { state.withLock { $0 = State() } }

  private func setPermissions(_ mode: UInt32, _ group: String?) throws(ServeError) {
    if let name = group {
      guard let group = getgrnam(name) else { throw .unknownGroup(name) }
      guard chown(path, uid_t.max, group.pointee.gr_gid) == 0 else {
        throw .socket(
          NetworkError(
            .failed("giving the socket to the group '\(name)'"), peer: path, code: errno))
      }
    }
    guard chmod(path, mode_t(mode)) == 0 else {
      throw .socket(NetworkError(.failed("setting the socket's mode"), peer: path, code: errno))
    }
  }

  private static func removeStaleSocket(_ path: String) throws(ServeError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .noSocketThere(path: path) }
    do throws(NetworkError) {
      _ = try StreamSocket(path: path)
    } catch {
      guard error.kind == .refused else { throw .socket(error) }
      unlink(path)
      return
    }
    throw .alreadyServed(path: path)
  }

  /// Creates a folder if it is missing.
  private static func makeFolder(_ path: String) throws(ServeError) {
    do {
      try LinuxFiles().makeFolders(path)
    } catch {
      throw .folder(path: path, reason: "the folder cannot be created: \(error.reason)")
    }
  }
}

/// A lock on a folder, held until `release`; it creates no file.
private struct FolderLock {
  /// Timeout of waiting for another daemon's lock, seconds.
  private static let timeout = 2.0
  private let file: Int32

  init(_ folder: String) throws(ServeError) {
    file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .folder(path: folder, reason: String(cString: strerror(errno))) }
    let begin = MonotonicClock.now
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR,
        MonotonicClock.now.seconds(since: begin) < Self.timeout
      else {
        let reason = String(cString: strerror(code))
        close(file)
        throw .folder(path: folder, reason: "the folder cannot be locked: \(reason)")
      }
      MonotonicClock.sleep(seconds: 0.005)
    }
  }

  func release() { close(file) }
}
