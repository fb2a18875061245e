import ArgumentParser
import Engine
import Foundation
import Quantities
import Storage

/// `lodestar calibrate rollback`: uses an earlier calibration again.
struct CalibrateRollbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Use an earlier calibration again: the previous one, or the given number.",
    discussion: "The copy gets a new number, so that a rollback can itself be undone.")

  @Argument(help: "The number from calibrate history.")
  var number: Int?

  @OptionGroup var archive: ArchiveOptions

  func run() throws {
    let archive = try archive.archive()
    do {
      let history = try archive.store.history(for: archive.identity)
      let now = history.stored.first?.profile.result
      let other = history.stored.first { $0.profile.result != now }
      guard other != nil || number != nil else {
        throw Failure.usage("no earlier calibration of \(archive.identity) is stored")
      }
      guard let target = number ?? other?.profile.generation else { return }
      let saved = try archive.store.rollback(to: target, for: archive.identity)
      StandardError.say(
        "calibration \(target) is in use again, as number \(saved.profile.generation); restart running "
          + "programs")
    } catch let error as ProfileStoreError {
      throw Failure.input("\(error)")
    }
  }
}

/// `lodestar calibrate export`: writes a stored calibration to a file.
struct CalibrateExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a stored calibration to a file.")

  @Argument(help: "The file; - is standard output.", completion: .file())
  var file: String

  @Option(help: "The number from calibrate history; the one in use by default.")
  var number: Int?

  @OptionGroup var archive: ArchiveOptions

  func run() throws {
    let archive = try archive.archive()
    if file == "-" {
      try print(archive)
      return
    }
    do {
      try archive.store.export(to: file, generation: number, for: archive.identity)
    } catch .noSuchGeneration {
      throw Failure.input(
        "calibration \(number ?? 0) of \(archive.identity) is not stored; see lodestar calibrate history"
      )
    } catch {
      throw Failure.output("\(error)")
    }
    StandardError.say("wrote \(file)")
  }

  private func print(_ archive: CalibrationArchive) throws {
    let wanted = try archive.history().stored.first {
      number == nil || $0.profile.generation == number
    }
    guard let wanted else {
      throw Failure.input(
        "calibration \(number ?? 0) of \(archive.identity) is not stored; see lodestar calibrate history"
      )
    }
    let out = OutputStream()
    try out.write(Array(wanted.profile.json.utf8))
    try out.close()
  }
}

/// `lodestar calibrate import`: stores and uses a calibration from a file.
struct CalibrateImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Store and use the calibration of a file.",
    discussion: """
      The file comes from export, fit --json or another program. A calibration of another sensor or board \
      is refused unless --foreign is given.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Accept a file that was edited by hand: its checksum is ignored.")
  var unchecked = false

  @Flag(help: "Accept a calibration of another sensor or board.")
  var foreign = false

  @OptionGroup var archive: ArchiveOptions

  func run() throws {
    let archive = try target()
    guard let now = DateArgument.now?.utc else {
      throw Failure.input("not stored: the clock is not set")
    }
    do {
      let saved = try archive.store.import(
        from: file, for: archive.identity, made: now, isChecked: !unchecked, mayBeForeign: foreign)
      StandardError.say("stored as number \(saved.profile.generation) of \(archive.identity)")
    } catch {
      throw Failure.input("\(error)")
    }
  }

  /// Without --board the first calibration is stored for the attached board.
  private func target() throws -> CalibrationArchive {
    if archive.board == nil, try archive.profiles().identities().isEmpty {
      do {
        let board = try BoardFinder().board()
        if let identity = ProfileIdentity(board: board) {
          return CalibrationArchive(store: try archive.profiles(), identity: identity)
        }
      } catch {
        throw Failure.usage(
          "no board is attached and no calibration is stored; name the board with --board")
      }
    }
    return try archive.archive()
  }
}
