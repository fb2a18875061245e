import CTestThreads
import Foundation

extension Process {
  /// Seconds after which a child that a test waits for is ended: long, since it only determines the duration of a failing
  /// test, and shorter than a test's own limit.
  public static let deadline = 600.0

  /// Starts this child and ends it at the deadline, also while the test reads its output.
  /// - Parameter seconds: The deadline.
  /// - Throws: Where it cannot be started.
  public func start(endingAfter seconds: Double = Process.deadline) throws {
    try run()
    let (pid, text) = (processIdentifier, processText)
    // A thread of Dispatch, which no test blocks.
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, isRunning else { return }
      Self.end(pid, text, after: seconds)
    }
  }

  /// Waits for the end of this child. At the deadline its threads and open files are printed and it is killed, so that the
  /// test fails by the status and the run goes on.
  /// - Parameter seconds: The deadline.
  public func waitOrKill(after seconds: Double = Process.deadline) {
    guard !eventually(within: seconds, { !isRunning }) else { return }
    Self.end(processIdentifier, processText, after: seconds)
    _ = eventually { !isRunning }
  }

  private static func end(_ pid: Int32, _ text: String, after seconds: Double) {
    let report = StuckProcess(pid: pid).report
    FileHandle.standardError.write(
      Data("'\(text)' has not ended in \(seconds) s and is killed\n\(report)\n".utf8))
    kill(pid, SIGKILL)
  }

  private var processText: String {
    ([executableURL?.path ?? "?"] + (arguments ?? [])).joined(separator: " ")
  }
}

/// What a process waits for, as the kernel shows it, and a debugger where there is one.
struct StuckProcess {
  let pid: Int32

  var report: String {
    var lines: [String] = []
    for thread in names(in: "task") {
      let of = { (file: String) in text("task/\(thread)/\(file)") }
      lines.append(
        "  thread \(thread) '\(of("comm"))': waits in \(of("wchan")), system call \(of("syscall"))")
    }
    for file in names(in: "fd") {
      let link = "/proc/\(pid)/fd/\(file)"
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? "closed"
      lines.append("  file \(file): \(target)")
    }
    return (lines + [stacks]).joined(separator: "\n")
  }

  /// The stacks by gdb; empty where it is not installed.
  private var stacks: String {
    guard let debugger = BuiltProgram.installed("gdb") else { return "" }
    let arguments = ["-p", "\(pid)", "-batch", "-ex", "thread apply all bt 12"]
    return (try? debugger.run(arguments, deadline: 60).text) ?? ""
  }

  private func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)")
    return (names ?? []).sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
  }

  private func text(_ file: String) -> String {
    let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") ?? Data()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
