import Foundation
import LinuxIO
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The socket that clients find; it is removed with the listener.
final class SocketListener: Sendable {
  /// Clients that may wait to be taken in.
  private static let backlog: Int32 = 32

  private let path: String
  private let state = Mutex(State())

  private struct State {
    var socket: StreamListener?
    /// True while the socket in the place is this one: another daemon's stays where it is.
    var isInPlace = false
  }

  /// What clients wait at; nil once it is closed.
  var socket: StreamListener? { state.withLock { $0.socket } }

  /// Listens; a socket that nobody answers at is replaced.
  init(_ configuration: ServeConfiguration) throws(ServeError) {
    path = configuration.socketPath
    let folder = (path as NSString).deletingLastPathComponent
    try Self.makeFolder(folder)
    // One at a time: what two daemons find dead, the slower would take from the quicker.
    let turn = try FolderTurn(folder)
    defer { turn.end() }
    try Self.clear(path)
    do throws(NetworkError) {
      let socket = try StreamListener(path: path, backlog: Self.backlog)
      state.withLock { ($0.socket, $0.isInPlace) = (socket, true) }
    } catch {
      // Somebody was quicker.
      throw error.kind == .addressInUse ? .alreadyServed(path: path) : .socket(error)
    }
    // Nobody but the owner can connect before this: the usual mask leaves others no right to write.
    try grant(configuration)
  }

  deinit { remove() }

  /// Takes the socket from its place: nobody finds it any more.
  func remove() {
    if state.withLock({ $0.isInPlace }) { unlink(path) }
    abandon()
  }

  /// Closes the socket and leaves it in its place, as a kill does.
  func abandon() { state.withLock { $0 = State() } }

  private func grant(_ configuration: ServeConfiguration) throws(ServeError) {
    if let name = configuration.socketGroup {
      guard let group = getgrnam(name) else { throw .unknownGroup(name) }
      guard chown(path, uid_t.max, group.pointee.gr_gid) == 0 else {
        throw .socket(
          NetworkError(
            .failed("giving the socket to the group '\(name)'"), peer: path, code: errno))
      }
    }
    guard chmod(path, mode_t(configuration.socketMode)) == 0 else {
      throw .socket(NetworkError(.failed("setting the socket's mode"), peer: path, code: errno))
    }
  }

  private static func clear(_ path: String) throws(ServeError) {
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

  /// Makes a folder where it is not there, of a mode, or of the usual one.
  static func makeFolder(_ path: String, mode: Int? = nil) throws(ServeError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: mode.map { [.posixPermissions: $0] })
    } catch {
      throw .folder(path: path, reason: "the folder cannot be made: \(error.localizedDescription)")
    }
  }
}

/// The right to change what is in a folder, for as long as nobody ends it. It leaves no file behind.
private struct FolderTurn {
  /// Seconds that another daemon's turn may take.
  private static let timeout = 2.0
  private let file: Int32

  init(_ folder: String) throws(ServeError) {
    let place = folder.isEmpty ? "." : folder
    file = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .folder(path: place, reason: String(cString: strerror(errno))) }
    let begin = MonotonicClock.now
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR,
        MonotonicClock.now.seconds(since: begin) < Self.timeout
      else {
        let reason = String(cString: strerror(code))
        close(file)
        throw .folder(path: place, reason: "the folder cannot be locked: \(reason)")
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  func end() { close(file) }
}

/// The state folder, which one daemon has at a time.
final class StateFolder: Sendable {
  let path: String
  private let file: Int32

  init(_ path: String) throws(ServeError) {
    self.path = path
    try SocketListener.makeFolder(path, mode: 0o700)
    // Where people are is nobody else's: an older version's folder too.
    guard chmod(path, 0o700) == 0 else {
      throw .folder(path: path, reason: String(cString: strerror(errno)))
    }
    let lock = path + "/lock"
    file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .folder(path: path, reason: String(cString: strerror(errno)))
    }
    // A process that is just being started holds the files of the one that starts it for an instant.
    for _ in 0..<6 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    // The file is closed with the object.
    throw .stateInUse(folder: path)
  }

  deinit { if file >= 0 { close(file) } }

  /// Lets another daemon have it.
  func unlock() { flock(file, LOCK_UN) }
}
