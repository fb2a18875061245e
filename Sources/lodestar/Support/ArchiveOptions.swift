import ArgumentParser
import Configuration
import FoundationEssentials
import HostClient
import Pipeline
import Storage

/// Selects the stored calibrations that a command uses: the daemon's where one runs, else those of
/// a folder.
struct ArchiveOptions: ParsableArguments {
  @Option(
    help:
      "A board file or name: its calibrations in the folder, not those of the running daemon.",
    completion: .board)
  var board: String?

  @Option(
    help: "The folder of stored calibrations, not those of the running daemon.",
    completion: .directory)
  var store: String?

  /// The calibrations of the daemon, unless a board or folder is named; nil where none runs.
  func daemon() throws(Failure) -> CalibrationStore? {
    guard board == nil, store == nil, let client = try HostClient.forCalibration() else {
      return nil
    }
    return .daemon(try DaemonCalibrations(client))
  }

  /// The store of the folder.
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

  /// The calibrations of the named board; without a name the daemon's, else those of `live`.
  func archive(of live: Board?) throws(Failure) -> CalibrationStore {
    guard board == nil, let live, let identity = ProfileIdentity(board: live) else {
      return try archive()
    }
    return .folder(CalibrationArchive(store: try profiles(), identity: identity))
  }

  /// The calibrations of the named board; without a name the daemon's, else those of the only board
  /// in the folder.
  func archive() throws(Failure) -> CalibrationStore {
    if let daemon = try daemon() { return daemon }
    let store = try profiles()
    if let board {
      let options = try BoardOptions.parsed(board)
      guard let identity = ProfileIdentity(board: options) else {
        throw .board("\(board): no calibrations: this board has no magnetometer")
      }
      return .folder(CalibrationArchive(store: store, identity: identity))
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
    return .folder(CalibrationArchive(store: store, identity: only))
  }

  /// Warns if a running daemon serves the same board, since it does not use the change of the
  /// folder before a restart.
  func warnOfDaemon(_ changed: CalibrationStore) {
    guard case .folder = changed, board != nil || store != nil else { return }
    do throws(Failure) {
      guard let client = try HostClient.forCalibration() else { return }
      defer { client.stop() }
      guard client.source.isOpen, client.source.storesCalibrations == true else { return }
      let daemon = try DaemonCalibrations(client)
      guard daemon.identity.matches(changed.identity) else { return }
      StandardError.say(
        "\(client.place): the daemon there reads this board and uses the change after a restart; without "
          + "--board and --store it uses it at once")
    } catch {
      // A daemon that cannot be asked reads no board of this user.
    }
  }
}
