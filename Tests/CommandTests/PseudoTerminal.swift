import Foundation
import TestSupport
import Testing

/// A program on a terminal of 80 columns and 24 rows, driven by Python's module `pty`.
enum PseudoTerminal {
  /// Waits for a text, then sends SIGTERM to a process if one is named, then presses keys.
  struct Step: Encodable {
    var text: String
    var pid: Int32 = 0
    var keys = ""
  }

  /// Runs a program to its end; it is ended 60 s after its start at the latest.
  /// - Returns: What it wrote to the terminal.
  static func run(
    _ command: [String], _ steps: [Step] = [], environment: [String: String] = [:]
  ) throws -> String {
    let plan = String(decoding: try JSONEncoder().encode(steps), as: UTF8.self)
    let outcome = try BuiltProgram(at: "/usr/bin/env").run(
      ["python3", "-c", script, plan] + command, environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  private static let script = """
    import fcntl, json, os, pty, select, signal, struct, sys, termios, time
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execvp(sys.argv[2], sys.argv[2:])
    data, start, end = b"", 0, time.monotonic() + 60
    def read():
        global data
        if not select.select([terminal], [], [], 0.1)[0]:
            return time.monotonic() < end
        try:
            new = os.read(terminal, 65536)
        except OSError:
            new = b""
        data += new
        return bool(new) and time.monotonic() < end
    for step in json.loads(sys.argv[1]):
        text = step["text"].encode()
        while text not in data[start:] and read():
            pass
        start = max(start, data.find(text, start) + len(text))
        if step["pid"]:
            os.kill(step["pid"], signal.SIGTERM)
        try:
            os.write(terminal, step["keys"].encode())
        except OSError:
            pass
    while read():
        pass
    if time.monotonic() >= end:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    sys.stdout.buffer.write(data)
    """
}
