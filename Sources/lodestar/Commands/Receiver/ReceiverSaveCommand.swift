import ArgumentParser
import ReceiverProtocols

/// `lodestar receiver save`: stores the settings in use in the receiver.
struct ReceiverSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Store the settings in use in the receiver.",
    discussion: "Writes the receiver's flash or battery-backed RAM.\n\n\(ReceiverCommand.statuses)")

  @OptionGroup var options: ReceiverOptions

  func run() throws {
    let connection = try ReceiverConnection(options, try options.configured())
    let setup = try connection.run(.save)
    try ReceiverOutcomeText.write(
      setup, connection, options.format,
      result: ReceiverText.text(setup.report.saved ?? .nowhere))
    if setup.report.saved == .nowhere || setup.report.saved == nil {
      throw ExitCode(ExitStatus.failure.rawValue)
    }
  }
}

/// `lodestar receiver revert`: restores the settings before `set`, or the maker's defaults.
struct ReceiverRevertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Restore the settings before 'set', or the maker's defaults.",
    discussion: """
      The settings before 'set' are restored in the receiver's RAM; after --save also save them. --factory also clears \
      what is stored in the receiver.

      \(ReceiverCommand.statuses)
      """)

  @OptionGroup var options: ReceiverOptions

  @Flag(help: "Restore the maker's defaults and clear what is stored, after a confirmation.")
  var factory = false

  @Flag(help: "Answer the confirmation with yes.")
  var yes = false

  func run() throws {
    if factory {
      let port = try options.path(try options.configured())
      guard
        Question.ask(
          "Clear all settings that the receiver at \(port) has stored, its baud rate included?",
          isYes: yes)
      else { throw ExitCode(ExitStatus.failure.rawValue) }
    }
    let connection = try ReceiverConnection(options, try options.configured())
    let stored = try connection.stored()
    guard factory || stored != nil else {
      throw Failure.unavailable(
        "\(connection.path): no settings from before a 'set' are kept; the maker's defaults: "
          + "lodestar receiver revert --factory")
    }
    let setup = try connection.run(factory ? .restoreFactoryDefaults : .restore, earlier: stored)
    if !factory, let stored, setup.identity?.text != stored.receiver {
      throw Failure.input(
        "\(connection.path): the kept settings are those of \(stored.receiver), but the receiver is "
          + "\(setup.identity?.text ?? "unknown"); nothing was changed")
    }
    let report = setup.report
    var failed = report.notRestored
    if factory {
      if let outcome = setup.factoryOutcome, !outcome.isSet { failed.append(outcome.text) }
    } else {
      failed += report.entries.filter { !$0.outcome.isSet }.map {
        "\($0.title) (\($0.outcome.text))"
      }
    }
    let what = factory ? "the maker's defaults" : "the settings before 'set'"
    try ReceiverOutcomeText.write(
      setup, connection, options.format,
      result: failed.isEmpty
        ? "restored \(what)" : "not restored: \(failed.joined(separator: ", "))")
    guard failed.isEmpty else { throw ExitCode(ExitStatus.failure.rawValue) }
    do { try connection.file?.remove() } catch { throw Failure.output("\(error)") }
  }
}
