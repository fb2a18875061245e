import ArgumentParser
import Foundation

/// `lodestar port-check`: hands over to `lodestar-port-check`, which is a program of its own since it needs
/// swift-syntax and nothing else does.
struct PortCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port-check",
    abstract: "Find in sources written for an iPhone what goes another way on Linux.",
    discussion: """
      Each finding is FILE:LINE:COLUMN: severity: message [rule]. An error does not build or silently \
      never runs; a warning may do something else than on an iPhone; a note is to know.

      The work is done by lodestar-port-check: LODESTAR_PORT_CHECK names it, else it is beside this \
      program, in ../libexec/lodestar, on the PATH, or is built from the sources that this program was \
      built from.

      Exit status: 0 no error found; 1 errors found; 64 a wrong command line; 66 a path that cannot be \
      read; 69 the program is not there and cannot be built.
      """)

  @Argument(help: "Folders with Swift sources, or files; they are checked together.")
  var paths: [String] = []

  @Option(help: "text or json.")
  var format: Format = .text

  @Flag(help: "Say what each rule is about, and end.")
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
