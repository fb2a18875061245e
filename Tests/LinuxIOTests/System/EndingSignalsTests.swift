import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("Signals that end a program", .timeLimit(.minutes(15)))
struct EndingSignalsTests {
  /// The blocked signals of a child that is started by `start`: a bit each, from 1.
  private func blocked(_ start: (Process) throws -> Void) throws -> UInt64 {
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(fileURLWithPath: "/bin/cat")
    child.arguments = ["/proc/self/status"]
    child.standardOutput = output
    try start(child)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitOrKill()
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
    return try #require(UInt64(line.dropFirst("SigBlk:\t".count), radix: 16))
  }

  @Test("reach a child of a thread that blocks all signals, and the thread's mask is restored")
  func child() throws {
    let (seen, before, after) = try Thread.detached {
      var (all, before, after) = (sigset_t(), sigset_t(), sigset_t())
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      pthread_sigmask(SIG_SETMASK, nil, &before)
      let seen = try blocked { child in try EndingSignals.unblocked { try child.start() } }
      pthread_sigmask(SIG_SETMASK, nil, &after)
      return (seen, sigismember(&before, SIGTERM), sigismember(&after, SIGTERM))
    }
    for number in [SIGINT, SIGTERM, SIGHUP] { #expect(seen & 1 << UInt64(number - 1) == 0) }
    #expect(seen & 1 << UInt64(SIGUSR1 - 1) != 0)
    #expect(before == 1 && after == 1)
  }
}

extension Thread {
  /// Runs `body` in a thread of its own and waits for it.
  fileprivate static func detached<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let results = Collected<Result<Value, any Error>>()
    Thread { results.add(Result(catching: body)) }.start()
    #expect(results.wait(until: { !$0.isEmpty }))
    return try #require(results.all.first).get()
  }
}
