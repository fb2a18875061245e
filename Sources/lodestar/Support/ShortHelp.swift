import ArgumentParser
import FoundationEssentials
import JSON
import Terminal

/// The help of a command on one screen: what it does, two examples, and the options that most people
/// need. `--help-all` has the rest.
enum ShortHelp {
  /// Lines and columns of a terminal.
  private static let (lines, columns) = (24, 80)
  private static let labelWidth = 28

  /// The text for a command line that asks for help; nil for one that does not, for one about
  /// several commands, and for `--help-all`.
  static func text(for arguments: [String]) -> String? {
    let own = arguments.prefix { $0 != "--" }
    guard own.contains("--help") || own.contains("-h") || own.first == "help" else { return nil }
    let words = own.drop { $0 == "help" }.prefix { !$0.hasPrefix("-") }
    guard var command = tree?.command else { return nil }
    var path: [String] = []
    for word in words {
      // A positional argument follows the command.
      guard let next = command.subcommands?.first(where: { $0.commandName == word }) else { break }
      (command, path) = (next, path + [word])
    }
    let hasCommands = command.subcommands?.contains { $0.commandName != "help" } ?? false
    return path.isEmpty || hasCommands ? nil : text(of: command, path.joined(separator: " "))
  }

  /// The command line with `--help-all` in the parser's word for it.
  static func expanded(_ arguments: [String]) -> [String] {
    arguments.map { $0 == "--help-all" ? "--help-hidden" : $0 }
  }

  private static func text(of command: Command, _ path: String) -> String {
    let arguments = (command.arguments ?? []).filter {
      $0.shouldDisplay && !["help", "version"].contains($0.names?.last?.name)
    }
    let positions = arguments.filter { $0.kind == "positional" }
    let options = sorted(arguments.filter { $0.kind != "positional" }, path)
    let shape = positions.map { argument in
      argument.isOptional ? " [<\(argument.word)>]" : " <\(argument.word)>"
    }.joined()
    var text = wrapped(command.abstract ?? "", width: columns)
    text += ["", "usage: lodestar \(path)\(shape)\(options.isEmpty ? "" : " [options]")"]
    let examples = Self.examples[path] ?? []
    if !examples.isEmpty { text += [""] }
    for example in examples {
      text += ["  lodestar \(path)\(example.rest.isEmpty ? "" : " " + example.rest)"]
      text += ["      \(example.effect)"]
    }
    var rows = (positions + options).map { row($0.label, $0.abstract ?? "") }
    let room = lines - text.count - 3
    let isCut = rows.count > room
    if isCut { rows.removeSubrange(max(0, room)...) }
    if !rows.isEmpty { text += [""] + rows }
    let all = "lodestar \(path) --help-all"
    text += ["", isCut ? "All \(options.count) options: \(all)" : "In full: \(all)"]
    return text.joined(separator: "\n")
  }

  /// The options of the table first, in its order.
  private static func sorted(_ options: [Argument], _ path: String) -> [Argument] {
    let first = mainOptions[path] ?? []
    let main = first.compactMap { name in options.first { $0.names?.last?.name == name } }
    return main + options.filter { option in !first.contains(option.names?.last?.name ?? "") }
  }

  /// A label with the first words of its description, in one line.
  private static func row(_ label: String, _ abstract: String) -> String {
    let margin = String(repeating: " ", count: max(2, labelWidth - label.count - 2))
    let room = columns - 2 - label.count - margin.count
    let end = abstract.firstRange(of: ". ")?.lowerBound ?? abstract.endIndex
    var words = String(abstract[..<end])
    if words.last == "." { words.removeLast() }
    if words.count > room {
      let cut = words.prefix(room - 1)
      words = (cut.lastIndex(of: " ").map { String(cut[..<$0]) } ?? String(cut)) + "…"
    }
    return "  \(label)\(margin)\(words)"
  }

  // MARK: The parser's description of the commands

  private struct Tree: Decodable { var command: Command }
  private struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var subcommands: [Command]?
    var arguments: [Argument]?
  }
  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var names: [Name]?
    var valueName: String?
    var abstract: String?

    var word: String { valueName ?? names?.last?.name ?? "" }
    var label: String {
      guard let name = names?.last else { return "<\(word)>" }
      let dashed = (name.kind == "short" ? "-" : "--") + name.name
      return kind == "flag" ? dashed : "\(dashed) <\(word)>"
    }
  }

  private static var tree: Tree? {
    let text = Array(Lodestar._dumpHelp().utf8)
    do {
      try JSONText.check(text)
      return try JSONDecoder().decode(Tree.self, from: Data(text))
    } catch {
      return nil
    }
  }
}
