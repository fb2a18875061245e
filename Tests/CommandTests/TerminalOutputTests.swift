import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite(
  "Colours and screens", .enabled(if: BuiltProgram.installed("python3") != nil, "no python3"),
  .timeLimit(.minutes(30)))
struct TerminalOutputTests {
  private typealias Step = PseudoTerminal.Step
  private static let terminal = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]

  private func heading(
    _ arguments: [String], _ steps: [Step], _ environment: [String: String]
  ) throws -> String {
    try PseudoTerminal.run(
      [lodestar.path, "heading"] + arguments, steps,
      environment: Self.terminal.merging(environment) { $1 })
  }

  /// True if a text sets a colour or another attribute; a reset is none.
  private func isColoured(_ text: String) -> Bool {
    text.firstMatch(of: /\u{1B}\[(0;)?[1-9][0-9;]*m/) != nil
  }

  @Test("the compass has colours, with NO_COLOR none, and with TERM=dumb there are lines")
  func compass() throws {
    let screen = try heading(["--simulate"], [Step(text: "SIMULATED", keys: "q")], ["NO_COLOR": ""])
    #expect(isColoured(screen) && screen.contains("\u{1B}[?1049h"))
    let plain = try heading(["--simulate"], [Step(text: "SIMULATED", keys: "q")], ["NO_COLOR": "1"])
    #expect(!isColoured(plain) && plain.contains("\u{1B}[?1049h") && plain.contains("SIMULATED"))
    for terminal in ["dumb", ""] {
      // Ctrl-C ends the lines.
      let lines = try heading(
        ["--simulate"], [Step(text: "magnetic", keys: "\u{3}")], ["TERM": terminal])
      #expect(!lines.contains("\u{1B}") && lines.contains("SIMULATED  "), "\(lines.prefix(200))")
    }
  }

  @Test("the helm view steers by its options and keys, and is refused without a screen")
  func helm() throws {
    let uncoloured = ["NO_COLOR": "1"]
    let steered = try heading(
      ["--simulate", "--steer", "270T"], [Step(text: "turn ", keys: "q")], uncoloured)
    #expect(steered.contains("SIMULATED") && steered.contains("true"), "\(steered.suffix(400))")
    // A course of three figures, then the other view and back.
    let keys = try heading(
      ["--simulate", "--helm"],
      [
        Step(text: "SIMULATED", keys: "12"), Step(text: "12_", keys: "3"),
        Step(text: "turn ", keys: "h"), Step(text: "helm", keys: "h"),
        Step(text: "turn ", keys: "q"),
      ], uncoloured)
    #expect(keys.contains("\u{1B}[?1049h") && keys.contains("\u{1B}[?1049l"), "\(keys.suffix(200))")
    for terminal in ["dumb", ""] {
      let refusal = try heading(["--simulate", "--helm"], [], ["TERM": terminal])
      #expect(refusal.contains("the helm view needs a terminal"), "\(refusal)")
    }
    let piped = try lodestar.run(["heading", "--simulate", "--steer", "90"])
    #expect(piped.status == 64 && piped.text.isEmpty, "\(piped.status)")
    #expect(piped.errors.contains("the helm view needs a terminal"), "\(piped.errors)")
  }

  @Test("the heading screen names a lost daemon in its last row")
  func lostDaemon() throws {
    let folder = try TemporaryFolder()
    // Without colours the text of a row is whole.
    let environment = [
      "LODESTAR_SOCKET": folder.path + "/s", "LODESTAR_POLICY": "", "NO_COLOR": "1",
    ]
    let daemon = try RunningProgram(
      lodestar,
      [
        "serve", "--simulate", "--state", folder.path + "/state", "--gpsd-port", "0",
        "--http-port", "0",
      ], environment: environment)
    #expect(eventually { daemon.errors.contains("open: ") }, "\(daemon.errors)")
    let screen = try heading(
      [],
      [
        Step(text: "SIMULATED", pid: daemon.pid), Step(text: "the daemon has ended", keys: "q"),
      ], environment)
    let row = try #require(screen.range(of: "\u{1B}[24;1H", options: .backwards))
    #expect(screen[row.upperBound...].contains("the daemon has ended; reconnecting"))
    // The messages of the time with the screen follow it.
    let end = try #require(screen.range(of: "\u{1B}[?1049l"))
    #expect(screen[end.upperBound...].contains("lodestar: \(folder.path)/s: the daemon has ended"))
  }

  @Test("a QR code has colours only at a terminal that has them")
  func code() throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "token", "add", "--url", "http://boat.example", "--qr", "--state", folder.path,
    ]
    let piped = try lodestar.run(arguments, environment: Self.terminal)
    #expect(piped.status == 0 && piped.text.contains("boat.example"), "\(piped.errors)")
    #expect(!piped.text.contains("\u{1B}"))
    let plain = try PseudoTerminal.run(
      [lodestar.path] + arguments, environment: Self.terminal.merging(["NO_COLOR": "1"]) { $1 })
    #expect(plain.contains("boat.example") && !plain.contains("\u{1B}"))
  }

  @Test("only Terminal asks for terminals and writes control sequences")
  func onePlace() throws {
    let sources = SharedData.repository.appendingPathComponent("Sources").path
    let files = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
    for file in files where file.hasSuffix(".swift") && !file.hasPrefix("Terminal/") {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      #expect(!text.contains("isatty(") && !text.contains("\\u{1B}["), "\(file)")
    }
  }
}
