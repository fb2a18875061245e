import Foundation
import Glibc
import TestSupport

/// The program `ProfileWriter`, which `swift build --build-tests` builds beside the tests, as a process
/// that can be killed at any instant. No `Process`: Foundation's crashes where hundreds end at once.
struct WriterProcess {
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("ProfileWriter").path

  /// A failed system call.
  struct Fault: Error { var code: Int32 }

  private let process: pid_t
  private let output: FileHandle
  /// Kills the process at the deadline.
  private let end: DispatchWorkItem

  /// Starts a program with its path as the first argument; the writer by default.
  init(_ arguments: [String], program: String = program) throws {
    var ends: [Int32] = [0, 0]
    // Close-on-exec from the start: else other children hold the pipe open, and the end is not seen.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Fault(code: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, words, environ)
    close(ends[1])
    output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    guard code == 0 else { throw Fault(code: code) }
    self.process = process
    end = DispatchWorkItem { [process] in kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Process.deadline, execute: end)
  }

  /// Waits for the first bytes of its output.
  func waitForFirstWord() -> String { String(decoding: output.availableData, as: UTF8.self) }

  /// Kills the process with SIGKILL.
  func killAtOnce() { kill(process, SIGKILL) }

  /// Waits for its end.
  /// - Returns: The rest of its output, complete lines only.
  func finish() -> [Substring] {
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    end.cancel()
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    return whole.split(separator: "\n")
  }
}
