import CTestThreads
import Foundation
import LinuxIO

extension ChildProcess {
  /// Starts this child and ends it at the deadline, also while the test reads its output.
  /// - Parameter seconds: The deadline.
  /// - Throws: Where it cannot be started.
  package func start(endingAfter seconds: Double = BuiltProgram.deadline) throws {
    try run()
    // A thread of Dispatch, which no test blocks.
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      if let self, isRunning { end(after: seconds) }
    }
  }

  /// Waits for the end of this child. At the deadline its threads and open files are printed and it
  /// is killed, so that the test fails by the status and the run goes on.
  /// - Parameter seconds: The deadline.
  package func waitOrKill(after seconds: Double = BuiltProgram.deadline) {
    guard !wait(atMost: seconds) else { return }
    end(after: seconds)
    wait(atMost: 30)
  }

  private func end(after seconds: Double) {
    let text = ([self.executableURL?.path ?? "?"] + self.arguments).joined(separator: " ")
    let report = StuckProcess(pid: processIdentifier).report
    FileHandle.standardError.write(
      Data("'\(text)' has not ended in \(seconds) s and is killed\n\(report)\n".utf8))
    send(SIGKILL)
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
