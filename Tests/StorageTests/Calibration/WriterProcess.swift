import Foundation
import LinuxIO
import TestSupport

/// The program `ProfileWriter`, which `swift build --build-tests` builds beside the tests, as a
/// process that can be killed at any instant.
struct WriterProcess {
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("ProfileWriter").path

  private let process = ChildProcess()
  private let output = Pipe()

  /// Starts a program; the writer by default.
  init(_ arguments: [String], program: String = program) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    try process.start()
  }

  /// Waits for the first bytes of its output.
  func waitForFirstWord() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  /// Kills the process with SIGKILL.
  func killAtOnce() { process.send(SIGKILL) }

  /// Waits for its end.
  /// - Returns: The rest of its output, complete lines only.
  func finish() -> [Substring] {
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitOrKill()
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    return whole.split(separator: "\n")
  }
}
