import ArgumentParser
import FoundationEssentials

/// `lodestar port-check`: executes `lodestar-port-check`, a separate program because only it needs
/// swift-syntax.
struct PortCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port-check",
    abstract: "Find code in iOS sources that behaves differently on Linux.",
    discussion: """
      Each finding is FILE:LINE:COLUMN: severity: message [rule]. Code with an error does not build or is \
      silently never called; with a warning it may behave differently from an iPhone; a note is information.

      The check is done by lodestar-port-check, a Debian package of its own: the file in LODESTAR_PORT_CHECK, else \
      beside this program, in ../libexec/lodestar, on the PATH, or built from the sources of this program.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "no error found", .failure: "errors found", .noInput: "a path cannot be read",
    .unavailable: "the program is missing and cannot be built",
  ])

  @Argument(
    help: "Folders with Swift sources, or files; they are checked together.", completion: .file())
  var paths: [String] = []

  @Option(help: "Lines of text, or one JSON object.")
  var format: Format = .text

  @Flag(help: "List the rules and exit.")
  var rules = false

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    guard rules || !paths.isEmpty else { throw ValidationError("name a folder with Swift sources") }
  }

  func run() throws {
    let program = try PortCheckProgram.found(environment: ProcessInfo.processInfo.environment)
    var arguments = ["--format", format.rawValue]
    if rules { arguments.append("--rules") }
    throw PortCheckProgram.failure(
      becoming: program, arguments + ["--"] + paths)
  }
}
