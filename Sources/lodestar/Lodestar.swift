import ArgumentParser
import Foundation
import Servers

/// The command-line program and the daemon in one executable.
@main
struct Lodestar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestar",
    abstract: "Heading and location on Linux single-board computers.",
    discussion: """
      Without --simulate or --replay estimates come from the running daemon, else from the attached board. \
      Simulated output is labelled SIMULATED.

      Exit status: 0 success; 1 an error in the input, or empty input (output before the error is complete); \
      64 an invalid command line; 69 no sensor found; 71 the board cannot be used; 74 output cannot be written.
      """,
    version: "lodestar \(Version.text)",
    subcommands: [
      HeadingCommand.self, LocationCommand.self, ReplayCommand.self, DecodeCommand.self,
      FieldCommand.self, ProbeCommand.self, CalibrateCommand.self, ServeCommand.self,
      TokenCommand.self, DoctorCommand.self, PortCheckCommand.self,
    ])

  static func main() {
    let arguments = SignedNumbers.shielded(Array(CommandLine.arguments.dropFirst()))
    // A closed pipe is reported by EPIPE, not by a signal.
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
          "help: unknown command '\(topic.joined(separator: " "))'; 'lodestar help' lists the commands"
        )
      }
      commands = command.configuration.subcommands
    }
  }
}
