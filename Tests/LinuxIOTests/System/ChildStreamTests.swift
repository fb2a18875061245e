import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("Streams of a child", .timeLimit(.minutes(30)))
struct ChildStreamTests {
  private func child(_ script: String) -> ChildProcess {
    let child = ChildProcess()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", script]
    return child
  }

  @Test("carry more than a pipe holds, both ways")
  func largeAmounts() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (input, output) = (try ChildPipe(), try ChildPipe())
    let sorter = child("base64 | base64 -d")
    (sorter.standardInput, sorter.standardOutput) = (input, output)
    try sorter.run()
    let read = Waitable<[UInt8]?>(nil)
    WorkerThread.start("lodestar-read") {
      let bytes = output.readToEnd()
      read.withLock { $0 = bytes }
    }
    try input.write(bytes)
    #expect(read.wait(atMost: 60) { $0 } == bytes)
    sorter.waitOrKill()
    #expect(sorter.terminationStatus == 0)
  }

  @Test("one pipe is output and error")
  func both() throws {
    let pipe = try ChildPipe()
    let child = child("echo out; echo error >&2; cat; readlink /proc/self/fd/0")
    (child.standardInput, child.standardOutput, child.standardError) = (OpenStream.null, pipe, pipe)
    try child.run()
    let text = String(decoding: pipe.readToEnd(), as: UTF8.self)
    child.waitOrKill()
    #expect(text == "out\nerror\n/dev/null\n")
  }

  @Test("a child that does not read its input is an error with its reason")
  func closedInput() throws {
    signal(SIGPIPE, SIG_IGN)
    let input = try ChildPipe()
    let child = child("exec <&-; exit 0")
    child.standardInput = input
    try child.run()
    child.waitOrKill()
    let fault = thrownError(ChildProcess.Fault.self) {
      try input.write([UInt8](repeating: 0, count: 1_000_000))
    }
    #expect(fault?.code == EPIPE)
  }
}
