import CalibrationFit
import Configuration
import HostClient
import HostProtocol
import LinuxIO
import Pipeline
import Quantities
import Storage

/// The stored calibrations of one board: those of a folder, or those of the daemon, which stores a
/// change and uses it at once.
enum CalibrationStore {
  case folder(CalibrationArchive)
  case daemon(DaemonCalibrations)

  /// The sensor and board.
  var identity: ProfileIdentity {
    switch self {
    case .folder(let archive): archive.identity
    case .daemon(let daemon): daemon.identity
    }
  }

  /// What has to be done after a change, for a message; empty for the daemon's.
  var advice: String {
    switch self {
    case .folder: "; restart running programs"
    case .daemon: "; the daemon uses it now"
    }
  }

  /// The calibration in use, with the refused files.
  func current() throws(Failure) -> CurrentProfile {
    switch self {
    case .folder(let archive):
      do { return try archive.store.current(for: archive.identity) } catch {
        throw .output("\(error)")
      }
    case .daemon(let daemon):
      let history = try daemon.history()
      return CurrentProfile(stored: history.stored.first, refusals: history.refusals)
    }
  }

  /// The stored calibrations, newest first.
  func history() throws(Failure) -> ProfileHistory {
    switch self {
    case .folder(let archive):
      do { return try archive.store.history(for: archive.identity) } catch {
        throw .output("\(error)")
      }
    case .daemon(let daemon): return try daemon.history()
    }
  }

  /// The calibration with a number; the one in use by default.
  func profile(_ number: Int?) throws(Failure) -> CalibrationProfile {
    let stored: [StoredProfile]
    switch self {
    case .folder: stored = try history().stored
    case .daemon(let daemon): stored = try daemon.history(only: number).stored
    }
    let wanted = stored.first { number == nil || $0.profile.generation == number }
    guard let wanted else {
      throw .input(
        "calibration \(number ?? 0) of \(identity) is not stored; see lodestar calibrate history")
    }
    return wanted.profile
  }

  /// Changes the calibration in use, stores it as a new one and reports its number.
  func keep(_ change: (inout CalibrationProfile) -> Void) throws(Failure) {
    let saved: CalibrationProfile?
    switch self {
    case .folder(let archive):
      do { saved = try archive.change(change)?.profile } catch { throw .output("\(error)") }
    case .daemon(let daemon):
      let before = try current().stored?.profile
      saved = try before.map { (before) throws(Failure) in
        var profile = before
        change(&profile)
        return try daemon.store(profile, after: before.generation).profile
      }
    }
    guard let saved else {
      throw .unavailable(
        "not stored: there is no calibration of \(identity) to store it with; make one with lodestar calibrate"
      )
    }
    StandardError.say("stored with calibration \(saved.generation)")
  }

  /// Stores a new calibration with the other parts of the one in use.
  /// - Returns: Its file.
  func keep(
    _ result: CalibrationResult, fit: StoredFit, conditions: CalibrationConditions
  ) throws(Failure) -> String {
    switch self {
    case .folder(let archive):
      do { return try archive.keep(result, fit: fit, conditions: conditions).path } catch {
        throw .output("\(error)")
      }
    case .daemon(let daemon):
      let before = try current().stored?.profile
      let profile = CalibrationProfile(
        result, fit: fit, conditions: conditions, of: identity, after: before)
      return try daemon.store(profile, after: before?.generation ?? 0).path
    }
  }

  /// Uses an earlier calibration again.
  /// - Returns: The number of its copy.
  func rollback(to number: Int) throws(Failure) -> Int {
    switch self {
    case .folder(let archive):
      do {
        return try archive.store.rollback(to: number, for: archive.identity).profile.generation
      } catch {
        throw .input("\(error)")
      }
    case .daemon(let daemon):
      return try daemon.changed(.rollback(generation: number)).profile.generation
    }
  }

  /// Stores the calibration of a file.
  /// - Returns: Its number.
  func `import`(
    _ file: String, isChecked: Bool, mayBeForeign: Bool
  ) throws(Failure) -> Int {
    switch self {
    case .folder(let archive):
      guard let now = DateArgument.now?.utc else {
        throw .input("not stored: the clock is not set")
      }
      do {
        return try archive.store.import(
          from: file, for: archive.identity, made: now, isChecked: isChecked,
          mayBeForeign: mayBeForeign
        ).profile.generation
      } catch {
        throw .input("\(error)")
      }
    case .daemon(let daemon):
      let text: String
      do { text = try LinuxFiles().text(of: file) } catch { throw .input("\(error)") }
      return try daemon.changed(
        .store(
          ProfileContent(
            text: text, name: file, isChecked: isChecked, mayBeForeign: mayBeForeign))
      ).profile.generation
    }
  }
}

/// The stored calibrations of the daemon's board.
struct DaemonCalibrations {
  let client: HostClient
  let identity: ProfileIdentity
  /// Why this user may not change them; nil where he may.
  let changeFault: String?

  /// Asks the daemon.
  /// - Throws: Where it stores none, or refuses.
  init(_ client: HostClient) throws(Failure) {
    self.client = client
    let source = client.source
    guard source.isOpen else {
      throw .unavailable(
        "\(client.place): the daemon there has no sensor: \(source.fault ?? "no source is open")")
    }
    guard source.storesCalibrations != nil else {
      throw .unavailable(
        "\(client.place): the daemon there is of an earlier version: restart it with sudo systemctl restart lodestar"
      )
    }
    let report = try Self.ask(client, .list(generation: nil))
    identity = ProfileIdentity(
      sensor: SensorIdentity(
        part: report.part, bus: report.bus, address: report.address, iioName: report.iioName,
        serial: report.serial), board: report.board)
    changeFault = report.changeFault
  }

  private static func ask(
    _ client: HostClient, _ order: ProfileOrder
  ) throws(Failure) -> ProfileReport {
    do throws(HostError) {
      return try client.profiles(order)
    } catch {
      guard case .refused(let fault) = error else { throw .unavailable("\(error)") }
      switch fault.code {
      case .unusable, .other, .tooLong: throw .input(fault.message)
      case .notKept: throw .output(fault.message)
      default: throw .unavailable("\(client.place): \(fault.message)")
      }
    }
  }

  /// The stored calibrations, newest first; one alone where a number is given.
  func history(only number: Int? = nil) throws(Failure) -> ProfileHistory {
    let report = try Self.ask(client, .list(generation: number))
    for refusal in report.refusals { StandardError.say(refusal) }
    return ProfileHistory(stored: try Self.stored(report), refusals: [])
  }

  /// Stores a profile that was made from generation `after`, 0 for none.
  func store(_ profile: CalibrationProfile, after: Int?) throws(Failure) -> StoredProfile {
    try changed(
      .store(ProfileContent(text: profile.json, name: "the calibration", after: after)))
  }

  /// Changes the stored calibrations.
  /// - Returns: The new one.
  func changed(_ order: ProfileOrder) throws(Failure) -> StoredProfile {
    let report = try Self.ask(client, order)
    for refusal in report.refusals { StandardError.say(refusal) }
    guard let new = try Self.stored(report).first else {
      throw .unavailable("\(client.place): the daemon there does not name the stored calibration")
    }
    return new
  }

  private static func stored(_ report: ProfileReport) throws(Failure) -> [StoredProfile] {
    var profiles: [StoredProfile] = []
    for one in report.profiles {
      do {
        profiles.append(
          StoredProfile(
            profile: try CalibrationProfile(json: Array(one.text.utf8)), path: one.path))
      } catch {
        throw .input("\(one.path): \(error)")
      }
    }
    return profiles
  }
}
