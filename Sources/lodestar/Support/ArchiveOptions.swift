import ArgumentParser
import Configuration
import Engine
import Foundation
import Storage

/// Selects the stored calibrations that a command uses.
struct ArchiveOptions: ParsableArguments {
  @Option(
    help: "A board file or name, where calibrations of several boards are stored.",
    completion: .board)
  var board: String?

  @Option(
    help: ArgumentHelp(
      "The folder of stored calibrations; the standard one by default.", valueName: "folder"),
    completion: .directory)
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

  /// The calibrations of the named board; without a name those of `live`.
  func archive(of live: Board?) throws(Failure) -> CalibrationArchive {
    guard board == nil, let live, let identity = ProfileIdentity(board: live) else {
      return try archive()
    }
    return CalibrationArchive(store: try profiles(), identity: identity)
  }

  /// The calibrations of the named board; without a name those of the only board in the store.
  func archive() throws(Failure) -> CalibrationArchive {
    let store = try profiles()
    if let board {
      let options = try BoardOptions.parsed(board)
      guard let identity = ProfileIdentity(board: options) else {
        throw .board("\(board): no calibrations: this board has no magnetometer")
      }
      return CalibrationArchive(store: store, identity: identity)
    }
    let identities: [ProfileIdentity]
    do { identities = try store.identities() } catch { throw .output("\(error)") }
    guard let only = identities.first else {
      throw .unavailable(
        "no calibration is stored in \(store.directory); make one with lodestar calibrate")
    }
    guard identities.count == 1 else {
      let names = identities.map { "  \($0)" }.joined(separator: "\n")
      throw .usage("calibrations of several boards are stored; name one with --board:\n\(names)")
    }
    return CalibrationArchive(store: store, identity: only)
  }
}

extension CalibrationArchive {
  /// The calibration in use, with the refused files.
  func current() throws(Failure) -> CurrentProfile {
    do { return try store.current(for: identity) } catch { throw .output("\(error)") }
  }

  /// The stored calibrations, newest first.
  func history() throws(Failure) -> ProfileHistory {
    do { return try store.history(for: identity) } catch { throw .output("\(error)") }
  }

  /// Changes the calibration in use, stores it as a new one and reports its number.
  func keep(_ change: (inout CalibrationProfile) -> Void) throws(Failure) {
    let saved: SavedProfile?
    do { saved = try self.change(change) } catch { throw .output("\(error)") }
    guard let saved else {
      throw .unavailable(
        "not stored: there is no calibration of \(identity) to store it with; make one with lodestar calibrate"
      )
    }
    StandardError.say("stored with calibration \(saved.profile.generation)")
  }
}
