import ArgumentParser
import Glibc
import LinuxIO
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

      \(ExitStatus.help)
      """,
    version: "lodestar \(Version.text)",
    subcommands: [
      HeadingCommand.self, LocationCommand.self, RecordCommand.self,
      ReplayCommand.self, ReportCommand.self, ExportCommand.self, DecodeCommand.self,
      FieldCommand.self, ProbeCommand.self, ReceiverCommand.self, CorrectionsCommand.self,
      CalibrateCommand.self,
      ServeCommand.self,
      TokenCommand.self, SetupCommand.self, CheckCommand.self, DoctorCommand.self,
      PortCheckCommand.self,
    ])

  static func main() {
    EndingSignals.unblock()
    StandardDescriptors.open()
    let given = Array(CommandLine.arguments.dropFirst())
    let arguments = ShortHelp.expanded(SignedNumbers.shielded(given))
    // A closed pipe is reported by EPIPE, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    do {
      try checkCommand(arguments)
      if let help = ShortHelp.text(for: given) {
        let out = OutputStream()
        try out.line(help)
        return try out.close()
      }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let failure as Failure {
      failure.end()
    } catch {
      end(error)
    }
  }

  /// The parser passes an unknown word to the default command, and shows the root's help for an
  /// unknown topic.
  private static func checkCommand(_ arguments: [String]) throws(Failure) {
    let isHelp = arguments.first == "help"
    var path: [String] = []
    var commands = configuration.subcommands
    for word in arguments.dropFirst(isHelp ? 1 : 0) {
      // A command with subcommands takes no arguments.
      guard !word.hasPrefix("-"), isHelp || !commands.isEmpty else { return }
      guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
        let help = (["help"] + path).joined(separator: " ")
        let names = commands.compactMap { $0.configuration.commandName }
        let near = NearWord.find(word, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw .usage(
          "unknown command '\((path + [word]).joined(separator: " "))'\(near); 'lodestar \(help)' lists the commands"
        )
      }
      path.append(word)
      commands = command.configuration.subcommands
    }
  }

  /// Ends the program with what the parser requests instead of a command: help, the version or a
  /// completion script on standard output, an error in the command line on standard error.
  private static func end(_ error: any Error) -> Never {
    let text = RefusedValue.complete(SignedNumbers.restored(in: fullMessage(for: error)))
    let status = exitCode(for: error)
    if status.isSuccess {
      do throws(Failure) {
        let out = OutputStream()
        if !text.isEmpty { try out.line(text) }
        try out.close()
      } catch {
        error.end()
      }
    } else if !text.isEmpty {
      // The parser's own mark of an error; ours is the program's name.
      let mark = "Error: "
      StandardError.say(text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text)
    }
    Glibc.exit(status.rawValue)
  }
}
