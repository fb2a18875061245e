import ArgumentParser
import CalibrationStore
import Engine
import Foundation
import Quantities

/// `lodestar calibrate rollback`: an earlier calibration is used again.
struct CalibrateRollbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Use an earlier calibration again: the one before, or the number that is given.",
    discussion: "It becomes a new number, so that going back can itself be taken back.")

  @Argument(help: "The number, as calibrate history tells it.")
  var number: Int?

  @OptionGroup var archive: ArchiveOptions

  func run() throws {
    let archive = try archive.archive()
    do {
      let history = try archive.store.history(for: archive.identity)
      let now = history.stored.first?.profile.result
      let other = history.stored.first { $0.profile.result != now }
      guard other != nil || number != nil else {
        throw Failure.usage("there is no earlier calibration of \(archive.identity) to go back to")
      }
      guard let target = number ?? other?.profile.generation else { return }
      let saved = try archive.store.rollback(to: target, for: archive.identity)
      StandardError.say(
        "calibration \(target) is used again, as number \(saved.profile.generation); restart what "
          + "is running")
    } catch let error as ProfileStoreError {
      throw Failure.input("\(error)")
    }
  }
}

/// `lodestar calibrate export`: a kept calibration into a file.
struct CalibrateExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a kept calibration to a file.")

  @Argument(help: "The file.")
  var file: String

  @Option(help: "The number, as calibrate history tells it; the one in use where left out.")
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
      throw Failure.input("there is no calibration \(number ?? 0) of \(archive.identity)")
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
      throw Failure.input("there is no calibration \(number ?? 0) of \(archive.identity)")
    }
    let out = OutputStream()
    try out.write(Array(wanted.profile.json.utf8))
    try out.close()
  }
}

/// `lodestar calibrate import`: a calibration from a file is kept and used.
struct CalibrateImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Keep and use the calibration of a file.",
    discussion: """
      The file is one that export, fit --json or another program wrote. One of another sensor or board is \
      refused; --foreign takes it all the same.
      """)

  @Argument(help: "The file.")
  var file: String

  @Flag(help: "Take a file that was edited by hand: its checksum is passed over.")
  var unchecked = false

  @Flag(help: "Take a calibration of another sensor or board.")
  var foreign = false

  @OptionGroup var archive: ArchiveOptions

  func run() throws {
    let archive = try target()
    guard let now = DateArgument.now?.utc else { throw Failure.input("the clock is not set") }
    do {
      let saved = try archive.store.import(
        from: file, for: archive.identity, made: now, isChecked: !unchecked, mayBeForeign: foreign)
      StandardError.say("kept as number \(saved.profile.generation) of \(archive.identity)")
    } catch {
      throw Failure.input("\(error)")
    }
  }

  /// The first calibration of a board goes to the board that is attached, where none is named.
  private func target() throws -> CalibrationArchive {
    if archive.board == nil, try archive.profiles().identities().isEmpty {
      do {
        let board = try BoardFinder().board()
        if let identity = ProfileIdentity(board: board) {
          return CalibrationArchive(store: try archive.profiles(), identity: identity)
        }
      } catch {
        throw Failure.usage("name the board with --board: none is attached, and none was kept")
      }
    }
    return try archive.archive()
  }
}
