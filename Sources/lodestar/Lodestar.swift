import ArgumentParser
import Foundation

/// The program: one executable for people and daemons.
@main
struct Lodestar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestar",
    abstract: "Heading and location on Linux single-board computers.",
    discussion: """
      Without --simulate or --replay the running daemon is asked, else the attached board is read. What no sensor stands behind is \
      labelled SIMULATED.

      Exit status: 0 done; 1 a fault in the input, or nothing in it (what came before a fault is kept); 64 a \
      wrong command line; 69 no sensor found; 71 a board that was named or found and cannot be used; 74 output \
      that cannot be written.
      """,
    version: "lodestar \(Version.text)",
    subcommands: [
      HeadingCommand.self, LocationCommand.self, ReplayCommand.self, DecodeCommand.self,
      FieldCommand.self, ProbeCommand.self, CalibrateCommand.self, ServeCommand.self,
      PortCheckCommand.self,
    ])

  static func main() {
    let arguments = SignedNumbers.shielded(Array(CommandLine.arguments.dropFirst()))
    // A reader that went away is told by errno, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    do {
      if arguments.first == "help" { try checkTopic(arguments.dropFirst()) }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as Failure {
      failure.end()
    } catch {
      exit(withError: error)
    }
  }

  /// The parser shows the root's help for a command that does not exist.
  private static func checkTopic(_ topic: ArraySlice<String>) throws(Failure) {
    var commands = configuration.subcommands
    for word in topic where !word.hasPrefix("-") {
      guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
        throw .usage(
          "help: there is no command '\(topic.joined(separator: " "))'; 'lodestar help' lists the commands"
        )
      }
      commands = command.configuration.subcommands
    }
  }
}
