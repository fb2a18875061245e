import ArgumentParser
import PortRules

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program that `lodestar port-check` runs.
@main
struct PortCheckProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestar-port-check",
    abstract: "Finds in sources written for an iPhone what goes another way on Linux.",
    discussion: """
      Each finding is FILE:LINE:COLUMN: severity: message [rule]. An error does not build or silently \
      never runs; a warning may do something else than on an iPhone; a note is to know.

      Exit status: 0 no error found; 1 errors found; 64 a wrong command line; 66 a path that cannot be \
      read.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "Folders with Swift sources, or files; they are checked together.")
  var paths: [String] = []

  @Option(help: "text or json.")
  var format = Format.text

  @Flag(help: "Say what each rule is about, and end.")
  var rules = false

  func validate() throws {
    guard rules || !paths.isEmpty else {
      throw ValidationError("Name a folder with Swift sources.")
    }
  }

  func run() throws {
    if rules {
      for rule in PortCheck.rules { print("\(rule.name): \(rule.summary)") }
      return
    }
    let report: Report
    do throws(ReadingError) {
      report = PortCheck.report(on: try SourceSet.read(paths))
    } catch {
      let message = Array("lodestar-port-check: \(error)\n".utf8)
      // Standard error: the C library's variable for it is not Sendable.
      _ = write(2, message, message.count)
      throw ExitCode(66)
    }
    let text = format == .json ? try report.json() : report.text
    print(text, terminator: "")
    if report.count(.error) > 0 { throw ExitCode(1) }
  }
}
