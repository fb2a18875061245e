import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Commands wait for something that does not come, and receive a signal to end. The deadlines are
/// long: without an end the programs stood still for ever.
@Suite("A command that receives a signal to end", .timeLimit(.minutes(30)))
struct EndingTests {
  private static let alone = ["LODESTAR_SOCKET": "none"]
  private static let hasPython = BuiltProgram.installed("python3") != nil

  @Test(
    "ends at a terminal that nobody reads", .enabled(if: hasPython, "no python3"),
    arguments: [
      (["heading", "--simulate"], SIGTERM), (["heading", "--simulate"], SIGINT),
      (["heading", "--simulate"], SIGHUP), (["calibrate", "--simulate"], SIGTERM),
      (["calibrate", "--simulate"], SIGHUP),
    ])
  func unreadTerminal(_ arguments: [String], _ signal: Int32) throws {
    let end = try stalled("terminal", signal, arguments)
    #expect(end == "signal \(signal)" || end == "status \(128 + signal)", "\(end)")
  }

  @Test(
    "ends with a full pipe at its output, and completes a recording",
    .enabled(if: hasPython, "no python3"), arguments: [SIGTERM, SIGINT, SIGHUP])
  func fullPipe(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.mcap"
    let end = try stalled("pipe", signal, ["record", "--simulate", path])
    #expect(end == "status \(128 + signal)", "\(end)")
    try checkWhole(path)
  }

  /// The commands that run until a signal ends them; their files are in a folder of the test.
  private static let endless = [
    ["heading", "--simulate"], ["location", "--simulate"],
    ["record", "--simulate", "$folder/a.mcap"], ["replay", "$folder/pipe.csv"],
    ["report", "--simulate", "--output", "$folder/report.html"],
    ["serve", "--simulate", "--state", "$folder/state", "--gpsd-port", "0", "--http-port", "0"],
  ]

  /// Their own limit is less than a second (`EndingSignals.longestEnd`), and a busy machine may need
  /// longer for it: how a program has ended shows that it did by itself.
  @Test("ends by itself, whatever it does", arguments: endless, [SIGTERM, SIGINT, SIGHUP])
  func byItself(_ arguments: [String], _ signal: Int32) throws {
    // A daemon reads its file again.
    if arguments[0] == "serve", signal == SIGHUP { return }
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path + "/pipe.csv", 0o600) == 0)
    let program = try RunningProgram(
      lodestar, arguments.map { $0.replacing("$folder", with: folder.path) },
      environment: arguments[0] == "serve" ? ["LODESTAR_SOCKET": folder.path + "/s"] : Self.alone)
    // What waits for a file's writer has no handlers.
    if arguments[0] != "replay" {
      #expect(eventually { program.catches(signal) || !program.isRunning })
    }
    #expect(program.isRunning, "\(arguments): \(program.errors)")
    let end = program.ending(by: signal)
    #expect(
      // 69: a recording has no samples yet.
      ["status 0", "status 69", "status \(128 + signal)", "signal \(signal)"].contains(end),
      "\(arguments): \(end): \(program.errors)")
  }

  @Test("completes a recording when its terminal is closed")
  func hangUp() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.mcap"
    let recorder = try RunningProgram(
      lodestar, ["record", "--simulate", path], environment: Self.alone)
    #expect(eventually { FileManager.default.contents(atPath: path)?.count ?? 0 > 20_000 })
    #expect(recorder.end(SIGHUP) == 0, "\(recorder.errors)")
    try checkWhole(path)
  }

  @Test("ends while it waits for the writer of a named pipe")
  func namedPipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/p.mcap"
    #expect(mkfifo(path, 0o600) == 0)
    let daemon = try RunningProgram(
      lodestar,
      [
        "serve", "--replay", path, "--socket", folder.path + "/s", "--state", folder.path + "/d",
        "--gpsd-port", "0", "--http-port", "0",
      ])
    #expect(eventually { FileManager.default.fileExists(atPath: folder.path + "/s") })
    kill(daemon.pid, SIGTERM)
    #expect(daemon.status(within: 60) == 0, "\(daemon.errors)")
  }

  @Test("without standard output writes nothing into its files, and says that it failed")
  func closedDescriptors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.mcap"
    #expect(
      try lodestar.run(["record", "--simulate", "--duration", "1", path]).status == 0)
    let estimates = folder.path + "/estimates.csv"
    func replay(_ redirections: String) throws -> Int32 {
      try BuiltProgram.shell.run([
        "-c", "exec \(lodestar.path) replay \(path) --estimates \(estimates) \(redirections)",
      ]).status
    }
    #expect(try replay("") == 0)
    let expected = FileManager.default.contents(atPath: estimates)
    #expect(expected?.isEmpty == false)
    #expect(try replay("<&- >&- 2>&-") == 74)
    #expect(FileManager.default.contents(atPath: estimates) == expected)
  }

  private func checkWhole(_ path: String) throws {
    let repair = try lodestar.run(["record", "--repair", path])
    #expect(repair.text.contains("the file is whole"), "\(repair.text) \(repair.errors)")
  }

  /// Starts a command whose output nobody reads, signals it once its output is full and it has
  /// handlers, and returns how it ended.
  private func stalled(_ kind: String, _ signal: Int32, _ arguments: [String]) throws -> String {
    let python = try #require(BuiltProgram.installed("python3"))
    let outcome = try python.run(
      ["-c", Self.script, kind, "\(signal)", lodestar.path] + arguments,
      environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let script = """
    import array, fcntl, os, pty, signal, struct, sys, termios, time
    kind, number, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    if kind == "terminal":
        pid, other = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
            os.execvp(command[0], command)
    else:
        other, end = os.pipe()
        fcntl.fcntl(end, 1031, 4096)  # F_SETPIPE_SZ
        os.set_blocking(end, False)
        try:
            while True:
                os.write(end, b"x")
        except BlockingIOError:
            pass
        os.set_blocking(end, True)
        pid = os.fork()
        if pid == 0:
            os.dup2(end, 1)
            os.execvp(command[0], command)
        os.close(end)

    def waiting():
        count = array.array("i", [0])
        fcntl.ioctl(other, termios.FIONREAD, count)
        return count[0]

    def blocked():
        # The output has been full for a second.
        first = waiting()
        time.sleep(1)
        return first > 2000 and waiting() == first

    limit = time.monotonic() + 120
    while not blocked() and time.monotonic() < limit:
        pass
    if kind == "pipe":
        # A recording has begun once its file has a chunk.
        while time.monotonic() < limit:
            if os.path.exists(command[-1]) and os.path.getsize(command[-1]) > 20000:
                break
            time.sleep(0.1)
    os.kill(pid, number)
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            if os.WIFSIGNALED(status):
                print("signal", os.WTERMSIG(status))
            else:
                print("status", os.WEXITSTATUS(status))
            sys.exit(0)
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    print("no end")
    """
}
