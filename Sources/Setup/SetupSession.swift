import LinuxIO
import Quantities
import Terminal

/// A run of the set-up: what the user is shown, the answers, and the changes that are made.
package final class SetupSession {
  package let machine: SetupMachine
  package let manner: SetupManner
  private let console: any SetupConsole
  /// The files that a run without changes would have written.
  private var planned: [String: String] = [:]
  /// The files that this run has written.
  private var written: Set<String> = []
  /// True after a change of what the daemon reads at its start.
  var hasNewConfiguration = false
  /// True after a board file was written for newly found chips: their mount and receiver are not
  /// chosen yet.
  var hasNewBoard = false

  /// True where no later step is run.
  var isOver = false
  /// True where a change was shown that is not made.
  package private(set) var hasShownChanges = false
  /// What the command line has decided.
  let request: SetupRequest

  /// The answers of a file; nil where the user or the defaults answer.
  var answers: SetupAnswers? { request.answers }

  /// Makes a session.
  package init(
    _ machine: SetupMachine, _ console: any SetupConsole, _ manner: SetupManner,
    _ request: SetupRequest = SetupRequest()
  ) {
    (self.machine, self.console, self.manner) = (machine, console, manner)
    self.request = request
  }

  /// True where the output is a terminal.
  var hasTerminal: Bool { console.isTerminal }

  // MARK: Text

  /// Writes a paragraph, wrapped and indented.
  func say(_ text: String) {
    for line in wrapped(text, width: console.width - 2) { console.write("  " + line) }
  }

  /// Writes lines as they are, indented.
  func show(_ lines: [String], indent: Int = 4) {
    let margin = String(repeating: " ", count: indent)
    for line in lines {
      console.write(margin + String(printable: line, atMost: String.longestMessage))
    }
  }

  /// Writes commands for a shell, each after `$`, and their comments.
  func show(commands: [String]) {
    show(commands.flatMap { commandLines($0, width: console.width - 4) })
  }

  /// Writes a paragraph at the left margin, wrapped.
  package func title(_ text: String) {
    let lines = wrapped(text, width: console.width)
    for line in lines.isEmpty ? [""] : lines { console.write(line) }
  }

  // MARK: Questions

  /// One of several answers.
  /// - Parameters:
  ///   - question: The question.
  ///   - options: The answers, from 1.
  ///   - usual: The index of the default.
  /// - Returns: The index of the answer.
  /// - Throws: At the end of the input.
  func choose(_ question: String, _ options: [String], usual: Int) throws(SetupFault) -> Int {
    say(question)
    for (index, option) in options.enumerated() {
      let lines = wrapped(option, width: console.width - 8)
      for (row, line) in lines.enumerated() {
        console.write((row == 0 ? "    \(index + 1)  " : "       ") + line)
      }
    }
    let answer = try answer(to: "[\(usual + 1)]", usual: "\(usual + 1)") { text in
      Int(text).map { options.indices.contains($0 - 1) } == true
        ? nil : "answer with a number from 1 to \(options.count)"
    }
    return Int(answer).map { $0 - 1 } ?? usual
  }

  /// Yes or no.
  func confirm(_ question: String, usual: Bool) throws(SetupFault) -> Bool {
    let answer = try answer(
      to: "\(question) \(usual ? "[Y/n]" : "[y/N]")", usual: usual ? "yes" : "no"
    ) { text in
      ["y", "yes", "n", "no"].contains(text.lowercased()) ? nil : "answer with y or n"
    }
    return answer.lowercased().hasPrefix("y")
  }

  /// A text.
  /// - Parameters:
  ///   - question: The question.
  ///   - usual: The default; may be empty.
  ///   - isSecret: True for a password, which is not displayed.
  ///   - fault: What is wrong with an answer; nil for a valid one.
  /// - Returns: The answer without blanks around it, or the default.
  /// - Throws: At the end of the input.
  func enter(
    _ question: String, usual: String, isSecret: Bool = false,
    fault: (String) -> String? = { _ in nil }
  ) throws(SetupFault) -> String {
    try answer(
      to: question + (usual.isEmpty ? "" : " [\(usual)]"), usual: usual, isSecret: isSecret,
      fault: fault)
  }

  private func answer(
    to prompt: String, usual: String, isSecret: Bool = false, fault: (String) -> String?
  ) throws(SetupFault) -> String {
    guard manner == .ask else {
      console.write("  \(prompt): \(usual.isEmpty ? "none" : usual) (default)")
      return usual
    }
    while true {
      guard let line = console.answer(to: "  \(prompt): ", isSecret: isSecret) else {
        throw .endOfInput
      }
      let text = String(line.trimmed)
      if text.isEmpty { return usual }
      guard let fault = fault(text) else { return text }
      say(fault)
    }
  }

  // MARK: Changes

  /// A file's text as this session has left it; nil where it does not exist.
  func text(of path: String) throws(SetupFault) -> String? {
    if let planned = planned[path] { return planned }
    return try machine.files.text(of: path)
  }

  /// Shows changes and, if the answer is yes, makes them in their order.
  /// - Returns: False where the answer was no.
  func apply(
    _ changes: [SetupChange], _ question: String = "Do this?"
  ) throws(SetupFault) -> Bool {
    for change in changes {
      if case .command(let words) = change {
        show(commands: ["sudo " + SetupChange.text(of: words)])
      } else {
        show(change.lines)
      }
    }
    if manner == .show {
      recordPreview()
      for case .file(let path, _, let new) in changes { planned[path] = new }
      return true
    }
    guard try confirm(question, usual: true) else {
      say("Not done.")
      return false
    }
    for change in changes { try make(change) }
    return true
  }

  /// Records that a dry run has shown a change.
  func recordPreview() {
    hasShownChanges = true
    say("(only shown, not done)")
  }

  private func make(_ change: SetupChange) throws(SetupFault) {
    switch change {
    case .file(let path, let old, let new):
      if path == DaemonFile.path { try check(new) }
      // What was there before this run, not before its last step.
      let isFirst = written.insert(path).inserted
      try machine.files.write(new, to: path, backup: isFirst ? old : nil)
      say("wrote \(path)")
    case .secret(let path, let content):
      try machine.files.writeSecret(content, to: path)
      say("wrote \(path)")
    case .command(let words): try run(words)
    }
  }

  /// Runs a command whose questions and messages the user sees.
  func run(_ words: [String]) throws(SetupFault) {
    let status = machine.converse(words)
    guard status != 0 else { return }
    throw .command(
      SetupChange.text(of: words),
      reason: status == 127 ? "the program is not installed" : "exit status \(status)")
  }

  /// Lets the program itself check a new content of the daemon's file, under another name.
  private func check(_ text: String) throws(SetupFault) {
    let path = DaemonFile.path.parentFolder + "/.serve.yaml.check"
    try machine.files.write(text, to: path, backup: nil)
    // The daemon's unit makes a folder for the socket; the user of the set-up may have none.
    let hasSocket = text.split(separator: "\n").contains { $0.hasPrefix("socket:") }
    let result = machine.host.system.run(
      [machine.program, "serve", "--config", machine.host.root + path]
        + (hasSocket ? [] : ["--socket", "/run/lodestar/lodestar.sock"]) + ["--check-config"])
    try machine.files.remove(path)
    guard result?.status != 0 else { return }
    let lines = result?.output.split(separator: "\n") ?? []
    let reason = lines.last.map { String(printable: $0, atMost: String.longestMessage) }
    throw .refused(
      "\(DaemonFile.path): not changed: the daemon would refuse the new content: "
        + (reason ?? "\(machine.program) cannot be run")
        .replacing(machine.host.root + path, with: DaemonFile.path))
  }
}
