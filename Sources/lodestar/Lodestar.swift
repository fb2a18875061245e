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

      Exit status: 0 done; 1 a fault in the input (what came before it is kept); 64 a wrong command \
      line; 69 no sensor found; 71 a board that was named or found and cannot be used; 74 output that cannot be written.
      """,
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
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as Failure {
      failure.end()
    } catch {
      exit(withError: error)
    }
  }
}
