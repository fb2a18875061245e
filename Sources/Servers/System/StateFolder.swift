import Dispatch
import Glibc
import LinuxIO
import LocationHost

#if canImport(Glibc)
  import Glibc
#endif

/// The state folder, locked by one daemon at a time. A folder that cannot be created, locked or
/// written is no error: the daemon serves without storing anything, and the folder is tried again
/// at intervals.
final class StateFolder: Sendable {
  /// The folders of its parts, each checked where it exists.
  private static let parts = ["calibration", "monitoring", "decisions", "applications"]

  let path: String
  private let files: any FileOperations
  private let state: Locked<State>

  private struct State {
    var fault: FileFault?
    /// The locked file; nil while the folder is not locked.
    var lock: Int32?
  }

  /// Why nothing can be stored, or a part of it not, as of the last check; nil where everything
  /// can.
  var fault: FileFault? { state.withLock { $0.fault } }

  /// Creates, checks and locks the folder, as far as that is possible now.
  /// - Throws: `stateInUse` where another daemon has it; `folder` where the lock is a symbolic
  ///   link.
  init(_ path: String, files: any FileOperations = LinuxFiles()) throws(ServeError) {
    (self.path, self.files) = (path, files)
    state = Locked(State())
    try acquire()
  }

  deinit { unlock() }

  /// Tries again what was not possible, and checks the folder without a write.
  func check() {
    do throws(ServeError) {
      try acquire()
    } catch {
      let fault = FileFault(action: "lock", path: path, code: EWOULDBLOCK, detail: "\(error)")
      state.withLock { $0.fault = fault }
    }
  }

  private func acquire() throws(ServeError) {
    do throws(FileFault) {
      try files.makeFolders(path, mode: 0o700)
      try makePrivate()
      try lock()
      for folder in [path] + Self.parts.map({ path + "/" + $0 }) {
        do throws(FileFault) {
          try files.checkFolder(folder)
        } catch {
          guard error.code == ENOENT, folder != path else { throw error }
        }
      }
      state.withLock { $0.fault = nil }
    } catch {
      // A link could lead to any file, and another daemon may store there.
      if error.code == ELOOP { throw .folder(path: path, reason: error.reason) }
      if error.code == EWOULDBLOCK { throw .stateInUse(folder: path) }
      state.withLock { $0.fault = error }
    }
  }

  /// The folder contains locations of users: also a folder of an older version is made private.
  private func makePrivate() throws(FileFault) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw FileFault(action: "open", path: path, code: errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileFault(action: "use as a folder", path: path, code: ENOTDIR)
    }
    guard status.st_mode & 0o7777 != 0o700 else { return }
    if chmod(path, 0o700) != 0 {
      throw FileFault(action: "change the permissions of", path: path, code: errno)
    }
  }

  private func lock() throws(FileFault) {
    guard state.withLock({ $0.lock }) == nil else { return }
    // A child process holds a copy of the locked file between fork and exec.
    for attempt in 0..<6 {
      if attempt > 0 { MonotonicClock.sleep(seconds: 0.02) }
      guard let file = try files.lock(path + "/lock") else { continue }
      return state.withLock { $0.lock = file }
    }
    throw FileFault(action: "lock", path: path, code: EWOULDBLOCK)
  }

  /// Releases the lock.
  func unlock() {
    let file = state.withLock { state in
      defer { state.lock = nil }
      return state.lock
    }
    if let file { files.unlock(file) }
  }
}

extension FileFault {
  /// One line for the daemon's log: the path, the action, the reason, and what to do.
  var textForDaemon: String {
    let remedy: String? =
      switch code {
      case EACCES, EPERM:
        "give it to the daemon's user: sudo chown -R \(StateFolder.userName) \(path)"
      case ENOTDIR: "move away the file that is in the folder's place"
      default: self.remedy
      }
    return "\(path): cannot \(action): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }
}

extension StateFolder {
  /// The name of this process's user; its number where it has no name.
  fileprivate static var userName: String {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return String(cString: name)
  }
}

/// Checks the state folder at intervals, reports its fault, and has the host store what it could
/// not.
final class StateWatch: Sendable {
  /// The interval of the checks, seconds.
  static let interval = 60.0

  private let folder: StateFolder
  private let health: StateHealth
  private let log: HostLog
  private let host: LocationHost
  private let hasEnded = Locked(false)
  private let queue = DispatchQueue(label: "lodestar-state", qos: .utility)
  private let reported = Locked<FileFault?>(nil)

  init(_ folder: StateFolder, _ health: StateHealth, _ host: LocationHost, log: HostLog) {
    (self.folder, self.health, self.host, self.log) = (folder, health, host, log)
  }

  /// Reports the fault of the start, and checks from now on.
  func start() {
    report()
    schedule()
  }

  private func schedule() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self, !hasEnded.withLock({ $0 }) else { return }
      check()
      schedule()
    }
  }

  func stop() { hasEnded.withLock { $0 = true } }

  /// Checks now.
  func check() {
    folder.check()
    report()
    if folder.fault == nil { host.storeAgain() }
  }

  private func report() {
    let fault = folder.fault
    let before = reported.withLock { reported in
      defer { reported = fault }
      return reported
    }
    if let fault, fault != before {
      log.warning(
        "the state is not stored, or a part of it: \(fault.textForDaemon); serving without it, it is tried again "
          + "every \(Int(bounded: Self.interval)) s")
    } else if fault == nil, before != nil {
      log.notice("the state is stored again in \(folder.path)")
    }
    health.report(folder: fault?.textForDaemon)
  }
}
