import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("Help on one screen", .timeLimit(.minutes(30)))
struct HelpTests {
  private struct Tree: Decodable { var command: Command }
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable { var name: String }
      var kind: String
      var names: [Name]?
    }
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// The commands without others below them, with their paths.
    func leaves(_ path: [String] = []) -> [(path: [String], command: Command)] {
      let below = (subcommands ?? []).filter { $0.commandName != "help" }
      guard !below.isEmpty else { return [(path, self)] }
      return below.flatMap { $0.leaves(path + [$0.commandName]) }
    }
  }

  @Test("each command has one screen of help with two examples whose options exist")
  func screens() throws {
    let dump = try lodestar.run(["--experimental-dump-help"])
    let tree = try JSONDecoder().decode(Tree.self, from: dump.output)
    let leaves = tree.command.leaves()
    #expect(leaves.count >= 28)
    for (path, command) in leaves {
      let help = try lodestar.run(path + ["--help"])
      let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(help.status == 0 && lines.count <= 25, "\(path): \(lines.count) lines")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(path)\n\(help.text)")
      #expect(help.text.contains("--help-all"))
      let prefix = "  lodestar \(path.joined(separator: " "))"
      let examples = lines.filter { $0 == prefix || $0.hasPrefix(prefix + " ") }
      #expect(examples.count == 2, "\(path)\n\(help.text)")
      let known = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
      for option in examples.flatMap({ $0.matches(of: /--([a-z-]+)/) }) {
        #expect(known.contains("\(option.1)"), "\(path): --\(option.1)")
      }
      #expect(try lodestar.run(["help"] + path).text == help.text)
    }
  }

  @Test("--help-all has the discussion and every option")
  func whole() throws {
    let all = try lodestar.run(["replay", "--help-all"], environment: ["COLUMNS": "1000"]).text
    #expect(all.contains("Equal input gives equal output"))
    for option in ["--estimates", "--attitude", "--regions", "--load-gain"] {
      #expect(all.contains(option))
    }
  }
}
