import ArgumentParser
import BoardFile
import CalibrationStore
import Engine
import Foundation

/// Which kept calibrations a command is about.
struct ArchiveOptions: ParsableArguments {
  @Option(help: "A board file or name, where calibrations of more than one board are kept.")
  var board: String?

  @Option(help: "The folder of kept calibrations; the standard one where left out.")
  var store: String?

  /// The store.
  func profiles() throws(Failure) -> ProfileStore {
    if let store { return ProfileStore(directory: store) }
    do {
      return ProfileStore(
        directory: try ProfileStore.standardDirectory(
          environment: ProcessInfo.processInfo.environment))
    } catch {
      throw .output("\(error)")
    }
  }

  /// The calibrations of a board; of the one that was named where it is nil.
  func archive(of live: Board?) throws(Failure) -> CalibrationArchive {
    guard board == nil, let live, let identity = ProfileIdentity(board: live) else {
      return try archive()
    }
    return CalibrationArchive(store: try profiles(), identity: identity)
  }

  /// The calibrations of the board that was named, or of the only one that has some.
  func archive() throws(Failure) -> CalibrationArchive {
    let store = try profiles()
    if let board {
      let options = try BoardOptions.parsed(board)
      guard let identity = ProfileIdentity(board: options) else {
        throw .board("\(board): this board has no magnetometer, so no calibration")
      }
      return CalibrationArchive(store: store, identity: identity)
    }
    let identities: [ProfileIdentity]
    do { identities = try store.identities() } catch { throw .output("\(error)") }
    guard let only = identities.first else {
      throw .unavailable(
        "no calibration is kept in \(store.directory); make one with lodestar calibrate")
    }
    guard identities.count == 1 else {
      let names = identities.map { "  \($0)" }.joined(separator: "\n")
      throw .usage("calibrations of several boards are kept; name one with --board:\n\(names)")
    }
    return CalibrationArchive(store: store, identity: only)
  }
}

extension CalibrationArchive {
  /// The calibration in use with what was refused.
  func current() throws(Failure) -> CurrentProfile {
    do { return try store.current(for: identity) } catch { throw .output("\(error)") }
  }

  /// The calibrations that are kept, the newest first.
  func history() throws(Failure) -> ProfileHistory {
    do { return try store.history(for: identity) } catch { throw .output("\(error)") }
  }

  /// Changes the calibration in use and keeps it as a new one; says so.
  func keep(_ change: (inout CalibrationProfile) -> Void) throws(Failure) {
    let saved: SavedProfile?
    do { saved = try self.change(change) } catch { throw .output("\(error)") }
    guard let saved else {
      throw .unavailable(
        "no calibration of \(identity) is kept that it could go with; make one with lodestar calibrate"
      )
    }
    StandardError.say("kept with calibration \(saved.profile.generation)")
  }
}
