import CLinuxIO
import FoundationEssentials
import Glibc

/// A program that runs as a child of this one.
///
/// It takes the place of Foundation's `Process`, which in Swift 6.0.3 crashes now and then on
/// Linux: it reads `/proc/self/fd` beyond the end of a buffer. The names are the same; what is set
/// before the start is in `Settings`:
///
/// ```swift
/// let child = ChildProcess()
/// child.executableURL = URL(fileURLWithPath: "/bin/ls")
/// child.arguments = ["-l"]
/// try child.run()
/// child.waitUntilExit()
/// ```
///
/// The child has no open files but standard input, output and error, no blocked signal, and the
/// default effect of all signals. A thread waits for its end. Every function may be called on any
/// thread.
@dynamicMemberLookup
package final class ChildProcess: Sendable {
  /// What is set before the start; later changes have no effect.
  package struct Settings: Sendable {
    /// The file of the program.
    package var executableURL: URL?
    /// The arguments without the program's name.
    package var arguments: [String] = []
    /// The environment; nil for that of this process.
    package var environment: [String: String]?
    /// The working folder; nil for that of this process.
    package var currentDirectoryURL: URL?
    /// Standard input; nil for that of this process.
    package var standardInput: (any ChildStream)?
    /// Standard output; nil for that of this process.
    package var standardOutput: (any ChildStream)?
    /// Standard error; nil for that of this process.
    package var standardError: (any ChildStream)?
    /// True for a process group of its own: a key of the terminal (Ctrl-C) has no effect on the
    /// child, and it is stopped where it sets the terminal's modes.
    package var hasOwnGroup = true
    /// Is called once after the end, on a thread of its own.
    package var terminationHandler: (@Sendable (ChildProcess) -> Void)?

    fileprivate var path: String { executableURL?.path ?? "no program" }
  }

  /// A child that cannot be started.
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The failed action, a verb that follows "cannot ".
    package var action: String
    /// The program, or the working folder.
    package var path: String
    /// The kernel's error number.
    package var code: Int32

    /// What to do; nil where no advice is possible.
    package var remedy: String? {
      switch code {
      case ENOENT, ENOTDIR: "check that it exists"
      case EACCES: "check its permissions"
      case EAGAIN, ENOMEM, EMFILE, ENFILE: "end some programs"
      default: nil
      }
    }

    /// One line: the path, the action, the reason and the remedy.
    package var description: String {
      "\(path): cannot \(action): \(String(cString: strerror(code)))"
        + (remedy.map { "; \($0)" } ?? "")
    }
  }

  /// How a child has ended.
  package enum TerminationReason: Sendable {
    /// By itself.
    case exit
    /// By a signal.
    case uncaughtSignal
  }

  private struct State: Sendable {
    var settings = Settings()
    /// 0 before the start.
    var id: pid_t = 0
    var end: End?
    var isRunning: Bool { id != 0 && end == nil }
  }

  private struct End: Sendable {
    /// nil where another part of the program has taken the status.
    var reason: TerminationReason?
    var status: Int32
  }

  private let state = Waitable(State())

  /// Makes a child that is not started yet.
  package init() {}

  /// A setting.
  package subscript<Value>(dynamicMember path: WritableKeyPath<Settings, Value>) -> Value {
    get { state.read { $0.settings[keyPath: path] } }
    set { state.withLock { $0.settings[keyPath: path] = newValue } }
  }

  /// The process identifier; 0 before the start.
  package var processIdentifier: Int32 { state.read { $0.id } }
  /// True from the start to the end.
  package var isRunning: Bool { state.read { $0.isRunning } }
  /// The exit status, or the number of the signal that ended it; -1 before its end, and where it is
  /// unknown.
  package var terminationStatus: Int32 { state.read { $0.end?.status ?? -1 } }
  /// How it has ended; nil before its end, and where that is unknown.
  package var terminationReason: TerminationReason? { state.read { $0.end?.reason } }

  /// Starts the child. This process's end of a pipe that the child uses is closed then.
  package func run() throws(Fault) {
    let settings = try state.withLock { (state: inout State) throws(Fault) -> Settings in
      guard state.id == 0 else {
        throw Fault(action: "start again", path: state.settings.path, code: EALREADY)
      }
      state.id = try Self.spawn(state.settings)
      return state.settings
    }
    settings.standardInput?.closeChildEnd(isInput: true)
    settings.standardOutput?.closeChildEnd(isInput: false)
    settings.standardError?.closeChildEnd(isInput: false)
    WorkerThread.start("lodestar-child") { self.reap() }
  }

  /// Waits for the end; does not wait for a child that was not started.
  package func waitUntilExit() { wait(atMost: .infinity) }

  /// Waits for the end, at most so many seconds.
  /// - Returns: False where it still runs.
  @discardableResult
  package func wait(atMost seconds: Double) -> Bool {
    state.wait(atMost: seconds) { $0.isRunning ? nil : true } ?? false
  }

  /// Asks the child to end (SIGTERM).
  package func terminate() { send(SIGTERM) }

  /// Sends a signal; never to another process that has got the number of an ended child.
  package func send(_ signal: Int32) {
    state.read { state in
      if state.isRunning { kill(state.id, signal) }
    }
  }

  /// Waits for the end and takes the status.
  private func reap() {
    let id = processIdentifier
    var information = siginfo_t()
    // The status is taken with the lock only: until then no other process gets the number.
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let handler = state.withLock { state in
      var status: Int32 = 0
      let isKnown = waitpid(id, &status, 0) == id
      state.end = isKnown ? Self.end(status) : End(reason: nil, status: -1)
      let handler = state.settings.terminationHandler
      state.settings.terminationHandler = nil
      return handler
    }
    handler?(self)
  }

  /// - Source: wait(2), WIFEXITED, WEXITSTATUS and WTERMSIG of glibc.
  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0
      ? End(reason: .exit, status: status >> 8 & 0xFF)
      : End(reason: .uncaughtSignal, status: signal)
  }

  private static func spawn(_ settings: Settings) throws(Fault) -> pid_t {
    guard let program = settings.executableURL?.path else {
      throw Fault(action: "start", path: settings.path, code: EINVAL)
    }
    let files = [settings.standardInput, settings.standardOutput, settings.standardError]
      .enumerated().map { number, stream in
        stream?.descriptor(isInput: number == 0) ?? Int32(LINUXBUS_SPAWN_INHERITED)
      }
    let variables = settings.environment ?? ProcessInfo.processInfo.environment
    let folder = settings.currentDirectoryURL?.path
    let result = withPointers([program] + settings.arguments) { arguments in
      withPointers(variables.map { "\($0.key)=\($0.value)" }) { variables in
        linuxbus_spawn(program, arguments, variables, folder, files, settings.hasOwnGroup)
      }
    }
    guard result < 0 else { return result }
    if let folder, access(folder, X_OK) != 0 {
      throw Fault(action: "use as working folder", path: folder, code: errno)
    }
    throw Fault(action: "start", path: program, code: -result)
  }

  /// Texts as an array of C that ends with nil.
  private static func withPointers(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
