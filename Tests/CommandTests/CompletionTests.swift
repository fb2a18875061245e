import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Types a line and Tab into real shells, each at a terminal of its own.
@Suite(
  "Completion", .enabled(if: BuiltProgram.installed("python3") != nil, "no python3"),
  .timeLimit(.minutes(30)))
struct CompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  static let shells = Shell.allCases.filter { BuiltProgram.installed($0.rawValue) != nil }

  /// A word, and what Tab makes of it.
  static let words = [
    ("lodestar head", "lodestar heading"),
    ("lodestar calibrate acc", "lodestar calibrate accelerometer"),
    ("lodestar heading --simul", "lodestar heading --simulate"),
    ("lodestar heading --format js", "lodestar heading --format json"),
    ("lodestar heading --board gy-9", "lodestar heading --board gy-91"),
    ("lodestar heading --board ./mi", "lodestar heading --board ./mine.yaml"),
    ("lodestar heading --replay re", "lodestar heading --replay recording.csv"),
    ("lodestar calibrate mount --activ", "lodestar calibrate mount --activ"),
    ("lodestar serve --state st", "lodestar serve --state state"),
  ]

  @Test("Tab completes commands, options, values, boards and files", arguments: shells)
  func tab(in shell: Shell) throws {
    let folder = try TemporaryFolder()
    for name in ["mine.yaml", "recording.csv"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/state", withIntermediateDirectories: false)
    let script = try lodestar.run(["--generate-completion-script", shell.rawValue])
    try #require(script.status == 0)
    let file = shell == .zsh ? "_lodestar" : "completions"
    try script.output.write(to: URL(fileURLWithPath: "\(folder.path)/\(file)"))
    let (command, setUp) =
      switch shell {
      case .bash: (["bash", "--norc", "-i"], "PS1='READY> '; source ./completions")
      case .zsh:
        (
          ["zsh", "-f", "-i"],
          "PS1='READY> '; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d $PWD/dump"
        )
      case .fish:
        (
          ["fish", "--no-config", "-i"],
          "function fish_prompt; echo -n 'READY> '; end; source ./completions"
        )
      }
    var steps = [
      PseudoTerminal.Step(text: "", keys: "\(setUp); echo set-$((1+1))\n")
    ]
    if shell == .fish { steps[0].keys = "\(setUp); echo set-(math 1+1)\n" }
    var last = "set-2"
    for (number, word) in Self.words.enumerated() {
      // Keys that come before the next prompt may be lost.
      steps.append(PseudoTerminal.Step(text: last, keys: ""))
      // Tab, then Ctrl-A and a command before the line, which prints what the line has become.
      steps.append(
        PseudoTerminal.Step(
          text: "READY> ", keys: "\(word.0)\t\u{1}echo line-\(number): \u{5} :end\n"))
      last = ":end\r\n"
    }
    steps.append(PseudoTerminal.Step(text: last, keys: "exit\n"))
    let output = try PseudoTerminal.run(
      ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + command, steps,
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": folder.path,
        "LODESTAR_BOARDS": SharedData.repository.appendingPathComponent("Boards").path,
        "PATH": URL(fileURLWithPath: lodestar.path).deletingLastPathComponent().path
          + ":/usr/local/bin:/usr/bin:/bin",
      ])
    let lines = output.split(whereSeparator: \.isNewline)
    for (number, word) in Self.words.enumerated() {
      let line = lines.last { $0.hasPrefix("line-\(number): ") }.map {
        $0.dropFirst("line-\(number): ".count).split(separator: " ").joined(separator: " ")
          // zsh removes the slash of a folder before a space.
          .replacing("state/", with: "state")
      }
      #expect(line == word.1 + " :end", "\(shell): \(output)")
    }
  }

  @Test("the program offers all installed boards, and board files and folders by their paths")
  func boards() throws {
    let run = try lodestar.run(
      [
        "---completion", "heading", "--", "--board", "3", "0", "lodestar", "heading", "--board", "",
      ],
      environment: [
        "LODESTAR_BOARDS": SharedData.repository.appendingPathComponent("Boards").path
      ])
    let names = run.text.split(separator: "\n").map(String.init)
    #expect(run.status == 0 && names.contains("gy-91") && names.contains("sense-hat"), "\(run)")
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }
}
