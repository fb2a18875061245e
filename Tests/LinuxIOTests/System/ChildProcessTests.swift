import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("A child process", .timeLimit(.minutes(30)))
struct ChildProcessTests {
  /// A child with the shell's script, which is not started yet.
  private func shell(_ script: String) -> ChildProcess {
    let child = ChildProcess()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", script]
    return child
  }

  /// Runs a child to its end.
  /// - Returns: Its standard output.
  private func output(of child: ChildProcess) throws -> String {
    let output = Pipe()
    child.standardOutput = output
    try child.start()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    child.waitOrKill()
    return String(decoding: data, as: UTF8.self)
  }

  @Test("the exit status is that of the program", arguments: [0, 1, 77, 255] as [Int32])
  func status(_ status: Int32) throws {
    let child = shell("exit \(status)")
    #expect(!child.isRunning && child.processIdentifier == 0)
    #expect(child.terminationStatus == -1 && child.terminationReason == nil)
    try child.start()
    #expect(child.processIdentifier > 0)
    child.waitOrKill()
    #expect(!child.isRunning)
    #expect(child.terminationStatus == status && child.terminationReason == .exit)
  }

  @Test("a signal ends the child, and is its status")
  func signals() throws {
    let child = shell("kill -USR1 $$; sleep 60")
    try child.start()
    child.waitOrKill()
    #expect(child.terminationStatus == SIGUSR1 && child.terminationReason == .uncaughtSignal)
  }

  @Test("terminate ends a running child, and has no effect before the start and after the end")
  func terminate() throws {
    let child = shell("exec sleep 60")
    child.terminate()
    try child.start()
    #expect(child.isRunning && !child.wait(atMost: 0.05))
    child.terminate()
    child.waitOrKill()
    #expect(child.terminationStatus == SIGTERM && child.terminationReason == .uncaughtSignal)
    child.terminate()
  }

  @Test("a child that cannot be started: what failed, on what, why, what to do")
  func faults() throws {
    let folder = try TemporaryFolder()
    let child = ChildProcess()
    func message() -> String? {
      do throws(ChildProcess.Fault) { try child.run() } catch { return "\(error)" }
      return nil
    }
    #expect(message() == "no program: cannot start: Invalid argument")
    child.executableURL = URL(fileURLWithPath: folder.path + "/missing")
    #expect(
      message() == "\(folder.path)/missing: cannot start: No such file or directory; "
        + "check that it exists")
    let text = URL(fileURLWithPath: folder.path + "/text")
    try Data("text".utf8).write(to: text)
    child.executableURL = text
    #expect(
      message() == "\(folder.path)/text: cannot start: Permission denied; check its permissions")
    #expect(!child.isRunning && child.processIdentifier == 0)
    child.executableURL = URL(fileURLWithPath: "/bin/true")
    child.currentDirectoryURL = URL(fileURLWithPath: folder.path + "/none")
    #expect(
      message() == "\(folder.path)/none: cannot use as working folder: "
        + "No such file or directory; check that it exists")
    child.currentDirectoryURL = nil
    let closed = try FileHandle(forWritingTo: text)
    try closed.close()
    child.standardOutput = closed
    #expect(message() == "/bin/true: cannot start: Bad file descriptor")
    child.standardOutput = FileHandle.nullDevice
    #expect(message() == nil)
    #expect(message() == "/bin/true: cannot start again: Operation already in progress")
    child.waitOrKill()
    #expect(child.terminationStatus == 0)
  }

  @Test("working folder, arguments and environment")
  func place() throws {
    let folder = try TemporaryFolder()
    let child = shell("pwd -P; echo \"$1|$2\"; env")
    child.arguments += ["sh", "a b", ""]
    child.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    child.environment = ["KEY": "ä = 1"]
    let lines = try output(of: child).split(separator: "\n")
    let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    #expect(lines.first == path[...] && lines.dropFirst().first == "a b|")
    // The shell adds some of its own.
    let own = lines.dropFirst(2).filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") }
    #expect(own.filter { !$0.hasPrefix("SHLVL=") && !$0.hasPrefix("OLDPWD=") } == ["KEY=ä = 1"])
    let inherited = try output(of: shell("pwd -P; echo $PATH")).split(separator: "\n")
    #expect(inherited.last.map(String.init) == ProcessInfo.processInfo.environment["PATH"])
  }

  @Test("a megabyte through pipes, in both directions")
  func pipes() throws {
    let child = ChildProcess()
    let (input, output) = (Pipe(), Pipe())
    child.executableURL = URL(fileURLWithPath: "/bin/cat")
    (child.standardInput, child.standardOutput) = (input, output)
    try child.start()
    var generator = SeededGenerator(seed: 1)
    let data = Data((0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    Thread {
      do {
        try input.fileHandleForWriting.write(contentsOf: data)
        try input.fileHandleForWriting.close()
      } catch { Issue.record("\(error)") }
    }.start()
    // Ends, since this process's end of the output is closed.
    #expect(output.fileHandleForReading.readDataToEndOfFile() == data)
    child.waitOrKill()
    #expect(child.terminationStatus == 0)
  }

  @Test("output and error in one pipe, and the null device")
  func onePipe() throws {
    let child = shell("cat; echo out; echo err >&2")
    let pipe = Pipe()
    child.standardInput = FileHandle.nullDevice
    (child.standardOutput, child.standardError) = (pipe, pipe)
    try child.start()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitOrKill()
    #expect(text == "out\nerr\n")
  }

  @Test("a file of this process is not open in the child")
  func files() throws {
    let file = open("/dev/null", O_RDONLY)
    let copies = [3, 200].map { fcntl(file, F_DUPFD, $0) }
    defer { for copy in copies + [file] { close(copy) } }
    let all = copies.map { "\($0)" }.joined(separator: " ")
    let script = "for n in \(all); do [ ! -e /proc/self/fd/$n ] || echo $n; done; echo done"
    // `[` is the shell's own: `self` is the shell.
    #expect(try output(of: shell(script)) == "done\n")
  }

  @Test("no signal is blocked or ignored in a child of a thread that blocks all signals")
  func mask() throws {
    let lines = Waitable<[Substring]?>(nil)
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    Thread {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      do {
        let child = ChildProcess()
        child.executableURL = URL(fileURLWithPath: "/bin/cat")
        child.arguments = ["/proc/self/status"]
        let found = try output(of: child).split(separator: "\n")
        lines.withLock { $0 = found }
      } catch { Issue.record("\(error)") }
    }.start()
    let found = try #require(lines.wait(atMost: 30) { $0 })
    for key in ["SigBlk:", "SigIgn:"] {
      let line = try #require(found.first { $0.hasPrefix(key) })
      let signals = try #require(UInt64(line.dropFirst(key.count + 1), radix: 16))
      // 1 to 31, a bit each: 32 and 33 are glibc's own.
      #expect(signals & 0x7FFF_FFFF == 0, "\(line)")
    }
  }

  @Test("a child has a process group of its own, or that of this process")
  func group() throws {
    for isOwn in [true, false] {
      let child = shell("exec sleep 60")
      child.hasOwnGroup = isOwn
      try child.start()
      #expect(getpgid(child.processIdentifier) == (isOwn ? child.processIdentifier : getpgrp()))
      child.send(SIGKILL)
      child.waitOrKill()
      #expect(child.terminationStatus == SIGKILL)
    }
  }

  @Test("the handler is called once, after the end")
  func handler() throws {
    let child = shell("exit 3")
    let statuses = Collected<Int32>()
    child.terminationHandler = { statuses.add($0.isRunning ? -2 : $0.terminationStatus) }
    try child.start()
    child.waitOrKill()
    #expect(statuses.wait { !$0.isEmpty })
    #expect(statuses.all == [3])
  }

  @Test("two hundred children of eight threads at once")
  func many() {
    let faults = Collected<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let children = (0..<25).map { number in (number, shell("echo \(number); exit \(number)")) }
      for (number, child) in children {
        do {
          let output = Pipe()
          child.standardOutput = output
          try child.start()
          // Half of them run beside the next ones.
          guard number % 2 == 0 else { continue }
          let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          if text != "\(number)\n" { faults.add("\(thread), \(number): \(text)") }
        } catch { faults.add("\(thread), \(number): \(error)") }
      }
      for (number, child) in children {
        child.waitOrKill()
        if child.terminationReason != .exit || child.terminationStatus != Int32(number) {
          faults.add("\(thread), \(number): status \(child.terminationStatus)")
        }
      }
    }
    #expect(faults.all.isEmpty)
  }
}
