import FoundationEssentials
import Glibc
import LinuxIO
import Quantities

/// What a check asks of a machine beyond the content of files.
package protocol MachineSystem: Sendable {
  /// False for the files of a machine that does not run.
  var runsPrograms: Bool { get }
  /// Runs a program to its end.
  /// - Returns: nil where it is not installed or does not end in time.
  func run(_ command: [String]) -> CommandOutcome?
  /// Whether a program is installed; true where that is not known.
  func hasProgram(_ name: String) -> Bool
  /// Owner and permissions of a file, by its path below the root; nil for a missing one.
  func attributes(of path: String) -> FileAttributes?
  /// The bytes that users may still write to the file system of a path; nil where unknown.
  func freeBytes(of path: String) -> UInt64?
  /// Whether a library, such as `libi2c.so.0`, can be loaded.
  func loads(_ library: String) -> Bool
  /// Who runs the program.
  var caller: Caller { get }
  /// The system's clock and the bound of its error, seconds; nil where it is not synchronised.
  var clock: (utc: UTCTime, errorSeconds: Double?) { get }
}

extension MachineSystem {
  /// True: the machine runs.
  package var runsPrograms: Bool { true }
  /// True: it is not known.
  package func hasProgram(_ name: String) -> Bool { true }
}

/// The end of a program.
package struct CommandOutcome: Equatable, Sendable {
  /// The exit status.
  package var status: Int32
  /// What it wrote to standard output and standard error.
  package var output: String

  /// Makes an outcome.
  package init(status: Int32, output: String) { (self.status, self.output) = (status, output) }
}

/// Owner and permissions of a file.
package struct FileAttributes: Equatable, Sendable {
  /// The owner.
  package var uid: UInt32
  /// The group.
  package var gid: UInt32
  /// The permission bits.
  package var mode: UInt32

  /// Makes attributes.
  package init(uid: UInt32, gid: UInt32, mode: UInt32) {
    (self.uid, self.gid, self.mode) = (uid, gid, mode)
  }

  /// Whether a user with some groups may read and write the file.
  func admits(uid: UInt32, groups: Set<UInt32>) -> Bool {
    let bits = uid == self.uid ? mode >> 6 : groups.contains(gid) ? mode >> 3 : mode
    return uid == 0 || bits & 0o6 == 0o6
  }
}

/// Who runs the program.
package struct Caller: Equatable, Sendable {
  /// The effective user.
  package var uid: UInt32
  /// The groups of this process.
  package var groups: Set<UInt32>
  /// The user who runs it through sudo; nil otherwise.
  package var sudoUser: String?
  /// The terminal of standard input; nil for none.
  package var terminal: String?

  /// Describes a caller.
  package init(
    uid: UInt32, groups: Set<UInt32>, sudoUser: String? = nil, terminal: String? = nil
  ) {
    (self.uid, self.groups, self.sudoUser, self.terminal) = (uid, groups, sudoUser, terminal)
  }
}

/// The running machine.
package struct LinuxSystem: MachineSystem {
  /// Longest run of a program, seconds: systemctl waits for a service to stop.
  private static let timeout = 30.0

  package init() {}

  package func run(_ command: [String]) -> CommandOutcome? {
    guard let name = command.first, let path = Self.path(of: name) else { return nil }
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = Array(command.dropFirst())
    // The texts of some programs are read.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    process.standardInput = OpenStream.null
    let pipe: ChildPipe
    do {
      pipe = try ChildPipe()
      (process.standardOutput, process.standardError) = (pipe, pipe)
      try process.run()
    } catch {
      return nil
    }
    let output = Waitable<[UInt8]?>(nil)
    WorkerThread.start("lodestar-output") {
      let data = pipe.readToEnd()
      output.withLock { $0 = data }
    }
    guard let data = output.wait(atMost: Self.timeout, { $0 }) else {
      process.terminate()
      return nil
    }
    process.waitUntilExit()
    return CommandOutcome(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }

  package func hasProgram(_ name: String) -> Bool { Self.path(of: name) != nil }

  /// The folders of programs for root and users, whichever the caller's `PATH` has.
  private static func path(of name: String) -> String? {
    if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
    return ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
      .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  package func attributes(of path: String) -> FileAttributes? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileAttributes(uid: status.st_uid, gid: status.st_gid, mode: status.st_mode & 0o7777)
  }

  package func freeBytes(of path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  package func loads(_ library: String) -> Bool {
    guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else { return false }
    dlclose(handle)
    return true
  }

  package var caller: Caller {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: max(0, Int(count)))
    let filled = getgroups(count, &groups)
    let sudoUser = geteuid() == 0 ? ProcessInfo.processInfo.environment["SUDO_USER"] : nil
    return Caller(
      uid: geteuid(), groups: Set(groups.prefix(max(0, Int(filled)))).union([getegid()]),
      sudoUser: sudoUser, terminal: ttyname(STDIN_FILENO).map { String(cString: $0) })
  }

  package var clock: (utc: UTCTime, errorSeconds: Double?) {
    (SystemClock.reading.utc, SystemClock.errorSeconds)
  }
}

/// The files of a machine that does not run, such as a mounted card: no program, no library, no
/// clock of its own.
package struct StoredSystem: MachineSystem {
  private let running = LinuxSystem()

  package init() {}

  package var runsPrograms: Bool { false }
  package func run(_ command: [String]) -> CommandOutcome? { nil }
  package func attributes(of path: String) -> FileAttributes? { running.attributes(of: path) }
  package func freeBytes(of path: String) -> UInt64? { running.freeBytes(of: path) }
  package func loads(_ library: String) -> Bool { true }
  package var caller: Caller { running.caller }
  package var clock: (utc: UTCTime, errorSeconds: Double?) { (SystemClock.reading.utc, 0) }
}
