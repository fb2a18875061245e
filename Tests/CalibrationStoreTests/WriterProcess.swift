import Foundation
import Glibc

/// The program `ProfileWriter`, which `swift build --build-tests` builds beside the tests, as a process
/// that can be killed at any instant.
struct WriterProcess {
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("ProfileWriter").path

  /// What the system refused.
  struct Fault: Error { var code: Int32 }

  private let process: pid_t
  private let output: FileHandle

  /// Starts a program with its path as the first argument; the writer where none is given.
  init(_ arguments: [String], program: String = program) throws {
    var ends: [Int32] = [0, 0]
    // Closed in other children from the first, or this one's end would not be seen: pipe(2) cannot do that.
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
  }

  /// Waits for the first bytes that it says.
  func waitForFirstWord() -> String { String(decoding: output.availableData, as: UTF8.self) }

  /// Ends it without a chance to do anything.
  func killAtOnce() { kill(process, SIGKILL) }

  /// Waits for its end.
  /// - Returns: What else it said, whole lines only.
  func finish() -> [Substring] {
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
    return whole.split(separator: "\n")
  }
}
