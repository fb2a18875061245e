import ArgumentParser
import Board
import LinuxIO
import Pipeline
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
    let store = try archive.archive()
    let history = try store.history()
    let now = history.stored.first?.profile
    let other = history.stored.first { stored in now.map { !stored.profile.isLike($0) } ?? false }
    guard let target = number ?? other?.profile.generation else {
      throw Failure.usage("no earlier calibration of \(store.identity) is stored")
    }
    let saved = try store.rollback(to: target)
    let parts = history.stored.first { $0.profile.generation == target }?.profile.partNames ?? []
    let with = parts.isEmpty ? "" : " with \(parts.joined(separator: ", "))"
    StandardError.say(
      "calibration \(target)\(with) is in use again, as number \(saved)\(store.advice)")
    archive.warnOfDaemon(store)
  }
}

extension CalibrationProfile {
  /// Whether a rollback to this profile would change nothing: a deviation that is learnt goes on
  /// changing by itself, and counts by its presence.
  fileprivate func isLike(_ other: CalibrationProfile) -> Bool {
    result == other.result && gyroscope == other.gyroscope
      && accelerometer == other.accelerometer && loads == other.loads
      && boardYawRadians == other.boardYawRadians
      && deviation?.model == other.deviation?.model
      && (deviation?.model != StoredDeviation.swingName || deviation == other.deviation)
  }

  /// The kinds of calibration beside the magnetometer's that it contains, in words.
  var partNames: [String] {
    var names: [String] = []
    if let deviation {
      let isSwung = deviation.model == StoredDeviation.swingName
      names.append(isSwung ? "deviation of a swing" : "deviation by course")
    }
    if gyroscope != nil { names.append("gyroscope") }
    if accelerometer != nil { names.append("accelerometer") }
    return names + loads.map { "load '\($0.load)'" }
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
    let content = Array(try archive.archive().profile(number).json.utf8)
    guard file != "-" else {
      let out = OutputStream()
      try out.write(content)
      return try out.close()
    }
    do {
      try LinuxFiles().replace(file, with: content)
    } catch {
      throw Failure.output("\(error)")
    }
    StandardError.say("wrote \(file)")
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
    let store = try target()
    let saved = try store.import(file, isChecked: !unchecked, mayBeForeign: foreign)
    StandardError.say("stored as number \(saved) of \(store.identity)\(store.advice)")
    archive.warnOfDaemon(store)
  }

  /// Without --board it is stored for the daemon's board; without a daemon the first one for the
  /// attached board.
  private func target() throws -> CalibrationStore {
    if let daemon = try archive.daemon() { return daemon }
    if archive.board == nil, try archive.profiles().identities().isEmpty {
      do {
        let board = try BoardFinder().board()
        if let identity = ProfileIdentity(board: board) {
          return .folder(CalibrationArchive(store: try archive.profiles(), identity: identity))
        }
      } catch {
        throw Failure.usage(
          "no board is attached and no calibration is stored; name the board with --board")
      }
    }
    return try archive.archive()
  }
}
