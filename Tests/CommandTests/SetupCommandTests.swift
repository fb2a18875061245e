import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar setup", .timeLimit(.minutes(30)))
struct SetupCommandTests {
  /// The machine that is set up.
  private let machine: TemporaryFolder
  private let serve = "/etc/lodestar/serve.yaml"
  /// No daemon of this machine.
  private let alone = ["LODESTAR_SOCKET": "none", "LODESTAR_POLICY": ""]

  init() throws { machine = try TemporaryFolder() }

  private func setUp(
    _ arguments: [String], _ environment: [String: String]? = nil
  ) throws -> BuiltProgram.Outcome {
    try lodestar.run(
      ["setup", "--root", machine.path] + arguments, environment: environment ?? alone)
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: machine.path + path).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("--help names the steps, the options and the exit statuses")
  func help() throws {
    let outcome = try lodestar.run(["setup", "--help-all"], environment: ["COLUMNS": "1000"])
    #expect(outcome.status == 0)
    for word in [
      "machine, sensors, mount, receiver, servers, service, calibration and check", "--yes",
      "--dry-run", "--step", "--simulate", "--board", "69 the daemon gives no heading",
    ] {
      #expect(outcome.text.contains(word), "\(word)")
    }
  }

  @Test("--yes does all steps up to the first heading, and a second run changes nothing")
  func yes() throws {
    let place = try Place()
    let daemon = try place.daemon()
    let first = try setUp(["--yes", "--simulate"], place.environment)
    #expect(first.status == 0, "\(first.text)\(first.errors)")
    #expect(first.text.contains("+ simulate: true") && first.text.contains("8/8 check"))
    #expect(first.text.contains("magnetic heading"))
    let written = try #require(text(serve))
    #expect(written.hasSuffix("simulate: true\n"))
    #expect(text(serve + ".bak") == nil)
    let second = try setUp(["--yes"], place.environment)
    #expect(second.status == 0, "\(second.text)\(second.errors)")
    #expect(!second.text.contains("wrote ") && second.text.contains("No change."))
    #expect(text(serve) == written)
    daemon.end(SIGTERM)
  }

  @Test("--dry-run shows the changes and makes none")
  func dryRun() throws {
    let outcome = try setUp(["--dry-run", "--step", "sensors", "--simulate"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("+ simulate: true"))
    #expect(outcome.text.contains("(only shown, not done)"))
    #expect(text(serve) == nil)
  }

  @Test("without a terminal, --yes or --dry-run are needed, and nothing is changed")
  func withoutTerminal() throws {
    let outcome = try setUp([])
    #expect(outcome.status == 64 && outcome.text.isEmpty)
    #expect(
      outcome.errors.contains(
        "standard input is no terminal; give --yes to take the defaults, or --dry-run"),
      "\(outcome.errors)")
    #expect(text(serve) == nil)
  }

  /// Answers that need no chip.
  private static let answers = """
    repair: no
    uart-receiver: no
    board: search
    mount: keep
    receiver: keep
    gpsd-port: off
    nmea-port: 10110
    signalk-port: off
    mqtt-broker: none
    network: http,nmea
    http-read: token
    calibration: learn
    service: yes
    check: no

    """

  @Test("--answers sets several boards up alike without a terminal or a question")
  func answers() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.answers, "/a.yaml")
    var written: Set<String> = []
    for serial in ["10000000a1b2c3d4", "10000000ffffffff", "0000000000000001"] {
      let board = try TemporaryFolder()
      try board.write("\(serial)\0", "/proc/device-tree/serial-number")
      try board.write("\(serial)\n", "/etc/machine-id")
      func run() throws -> BuiltProgram.Outcome {
        try lodestar.run(
          ["setup", "--root", board.path, "--answers", folder.path + "/a.yaml"], environment: alone)
      }
      let first = try run()
      #expect(first.status == 0, "\(first.text)\(first.errors)")
      let text = try String(contentsOfFile: board.path + serve, encoding: .utf8)
      written.insert(text)
      let second = try run()
      #expect(second.status == 0 && !second.text.contains("wrote "), "\(second.text)")
      #expect(try String(contentsOfFile: board.path + serve, encoding: .utf8) == text)
      let exported = try lodestar.run(
        ["setup", "--root", board.path, "--export-answers", board.path + "/b.yaml"],
        environment: alone)
      #expect(exported.status == 0, "\(exported.errors)")
      let mode = try FileManager.default.attributesOfItem(atPath: board.path + "/b.yaml")
      #expect(mode[.posixPermissions] as? Int == 0o600)
      let again = try String(contentsOfFile: board.path + "/b.yaml", encoding: .utf8)
      for line in ["board: search", "nmea-port: 10110", "network: http,nmea", "http-read: token"] {
        #expect(again.contains("\n\(line)\n"), "\(line): \(again)")
      }
    }
    #expect(written.count == 1 && written.first?.contains("\nnmea-port: 10110\n") == true)
  }

  @Test("answers that are wrong or cannot be fulfilled change nothing, and name the line")
  func refusedAnswers() throws {
    func refusal(_ old: String, _ new: String) throws -> BuiltProgram.Outcome {
      try machine.write(Self.answers.replacing(old, with: new), "/a.yaml")
      return try setUp(["--answers", machine.path + "/a.yaml"])
    }
    let chip = try refusal("board: search", "board: gy-91")
    #expect(chip.status != 0 && chip.errors.contains("a.yaml:3: board: gy-91: "), "\(chip.errors)")
    #expect(chip.errors.contains("nothing was changed"))
    let unknown = try refusal("mount: keep", "mont: keep")
    #expect(unknown.status == 1 && unknown.errors.contains("a.yaml:4: unknown key 'mont'"))
    let missing = try refusal("mount: keep\n", "")
    #expect(missing.status == 1 && missing.errors.contains("missing: mount ("), "\(missing.errors)")
    let port = try refusal("10110", "x")
    #expect(port.errors.contains("a.yaml:7: nmea-port: 'x'; allowed: a port"), "\(port.errors)")
    let absent = try setUp(["--answers", machine.path + "/none.yaml"])
    #expect(absent.status == 1 && absent.errors.contains("none.yaml: cannot be read"))
    #expect(text(serve) == nil)
  }

  @Test(
    "an invalid command line is refused with its reason",
    arguments: [
      (["--stepp"], "--stepp"), (["now"], "now"), (["--step", "sensor"], "sensor"),
      (["--simulate", "--board", "gy-91"], "give --simulate or --board, not both"),
      (
        ["--answers", "a", "--export-answers", "b"], "give --answers or --export-answers, not both"
      ),
      (["--answers", "a", "--board", "gy-91"], "without --simulate, --board and --yes"),
    ])
  func invalid(arguments: [String], reason: String) throws {
    let outcome = try setUp(["--yes"] + arguments)
    #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(text(serve) == nil)
  }

  @Test("a file that cannot be used fails with its line and the step to repeat, and stays as it is")
  func invalidFile() throws {
    let board = try setUp(["--yes", "--step", "sensors", "--board", "gy-00"])
    #expect(board.status == 1 && board.errors.contains("gy-00"), "\(board.errors)")
    try machine.write("mode: 0660\nnmea-prot: 1\n", serve)
    let outcome = try setUp(["--yes", "--step", "servers"])
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("/etc/lodestar/serve.yaml:2: unknown key 'nmea-prot'"))
    #expect(outcome.errors.contains("repeat it by: sudo lodestar setup --step servers"))
    #expect(text(serve) == "mode: 0660\nnmea-prot: 1\n")
  }

  @Test("a service without a daemon fails the check; without systemd the command is named")
  func noDaemon() throws {
    let without = try setUp(["--yes", "--step", "check"])
    #expect(without.status == 0 && without.text.contains("No daemon runs yet"))
    try machine.write("", "/run/systemd/system/mark")
    let outcome = try setUp(["--yes", "--step", "check"])
    #expect(outcome.status == 69, "\(outcome.errors)")
  }

  /// A program as a user without rights; nil where this user cannot run the programs of this
  /// folder.
  private static let unprivileged: [String]? = {
    let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", lodestar.path]
    guard geteuid() == 0 else { return [lodestar.path] }
    do {
      let outcome = try BuiltProgram(at: "/usr/bin/env").run(words + ["--version"])
      return outcome.status == 0 ? words : nil
    } catch {
      return nil
    }
  }()

  @Test("without root the changes are only shown, and it fails", .enabled(if: unprivileged != nil))
  func withoutRoot() throws {
    let words = try #require(Self.unprivileged)
    let arguments = ["setup", "--yes", "--step", "sensors", "--simulate"]
    let outcome = try BuiltProgram(at: "/usr/bin/env").run(words + arguments, environment: alone)
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.text.contains("Without root the changes are only shown."))
    #expect(outcome.text.contains("+ simulate: true"))
    #expect(
      outcome.errors.contains(
        "nothing was changed: run it as root: sudo lodestar setup --yes --step sensors --simulate"),
      "\(outcome.errors)")
  }

  // MARK: At a terminal

  @Test("Ctrl-C at a question ends at once with the signal's status, and restores the terminal")
  func interruption() throws {
    let script = "trap : INT; \"$@\"; echo status=$?; stty -a"
    let command = ["sh", "-c", script, "sh", lodestar.path, "setup", "--root", machine.path]
    let screen = try PseudoTerminal.run(
      command + ["--step", "servers"],
      [
        .init(text: "10110)? [y/N]: ", keys: "n\n"), .init(text: "3000)? [y/N]: ", keys: "n\n"),
        .init(text: "or none [none]: ", keys: "\n"),
        .init(text: "HOST [none]: ", keys: "mqtt://broker\n"),
        .init(text: "none [none]: ", keys: "boat\n"),
        .init(text: "none [none]: ", keys: "secret"), .init(text: "", keys: "\u{3}"),
      ], environment: alone)
    #expect(screen.contains("interrupted; no file is incomplete"), "\(screen)")
    #expect(screen.contains("status=130"))
    #expect(screen.contains(" echo ") && !screen.contains("-echo "))
    #expect(!screen.contains("secret") && text(serve) == nil)
  }

  @Test("the guided calibration has the terminal to itself, with the daemon's samples")
  func calibration() throws {
    let place = try Place()
    let daemon = try place.daemon()
    let screen = try PseudoTerminal.run(
      [lodestar.path, "setup", "--root", machine.path, "--step", "calibration"],
      [
        .init(text: "[1]: ", keys: "2\n"),
        // The second Ctrl-C answers the question whether to lose the samples.
        .init(text: "SIMULATED", keys: "\u{3}\u{3}"),
      ], environment: place.environment.merging(["TERM": "xterm"]) { $1 })
    #expect(screen.contains("nothing was saved"), "\(screen)")
    daemon.end(SIGTERM)
  }
}
