import CalibrationFit
import Configuration
import FoundationEssentials
import Quantities
import Storage

/// The stored calibrations of one board's magnetometer.
public struct CalibrationArchive: Sendable {
  /// The folder of the profiles.
  public let store: ProfileStore
  /// The sensor and board of the profiles.
  public let identity: ProfileIdentity

  /// Makes an archive.
  public init(store: ProfileStore, identity: ProfileIdentity) {
    self.store = store
    self.identity = identity
  }

  /// The archive of a board; nil for a board without a magnetometer.
  /// - Parameters:
  ///   - board: The board.
  ///   - folder: The folder of the profiles; nil for the standard one.
  /// - Throws: `ProfileStoreError` if the environment names no folder.
  public init?(board: Board, folder: String? = nil) throws(ProfileStoreError) {
    guard let identity = ProfileIdentity(board: board) else { return nil }
    let environment = ProcessInfo.processInfo.environment
    let directory: String
    if let folder {
      directory = folder
    } else {
      directory = try ProfileStore.standardDirectory(environment: environment)
    }
    self.init(store: ProfileStore(directory: directory), identity: identity)
  }

  /// Saves a calibration; the other parts of the newest profile (gyroscope, loads, deviation) are
  /// copied.
  /// - Parameters:
  ///   - result: The calibration.
  ///   - fit: Its covariance.
  ///   - conditions: Its origin and method.
  /// - Returns: The profile as saved.
  /// - Throws: `ProfileStoreError`; the earlier profiles are unchanged.
  @discardableResult
  public func keep(
    _ result: CalibrationResult, fit: StoredFit, conditions: CalibrationConditions
  ) throws(ProfileStoreError) -> SavedProfile {
    let before = try store.current(for: identity).stored?.profile
    return try store.save(
      CalibrationProfile(
        result, fit: fit, conditions: conditions, of: identity, after: before))
  }

  /// Changes a copy of the newest profile and saves it as a new one.
  /// - Parameter change: Edits the profile.
  /// - Returns: nil without a stored profile.
  /// - Throws: `ProfileStoreError`; the earlier profiles are unchanged.
  @discardableResult
  public func change(
    _ change: (inout CalibrationProfile) -> Void
  ) throws(ProfileStoreError) -> SavedProfile? {
    guard var profile = try store.current(for: identity).stored?.profile else { return nil }
    change(&profile)
    return try store.save(profile)
  }

}

extension CalibrationProfile {
  /// The profile of a new calibration, made now; the other parts (gyroscope, loads, deviation) are
  /// those of the profile before it.
  /// - Parameters:
  ///   - result: The calibration.
  ///   - fit: Its covariance.
  ///   - conditions: Its origin and method.
  ///   - identity: Its sensor and board.
  ///   - before: The newest stored profile, if any.
  public init(
    _ result: CalibrationResult, fit: StoredFit, conditions: CalibrationConditions,
    of identity: ProfileIdentity, after before: CalibrationProfile?
  ) {
    let now =
      UTCTime(secondsSince1970: Date().timeIntervalSince1970) ?? UTCTime(nanosecondsSince1970: 0)
    self.init(made: now, identity: identity, conditions: conditions, result: result)
    self.fit = fit
    guard let before else { return }
    boardYawRadians = before.boardYawRadians
    gyroscope = before.gyroscope
    accelerometer = before.accelerometer
    loads = before.loads
    // A learnt deviation is valid for its own calibration only; the user's swing is always copied.
    let isSwing = before.deviation.flatMap { DeviationTable(swing: $0) } != nil
    if before.result == result || isSwing { deviation = before.deviation }
    unknownKeys = before.unknownKeys
  }
}

extension ProfileIdentity {
  /// The identity of a board's first magnetometer; nil where it has none.
  public init?(board: Board) {
    guard let sensor = board.sensors.first(where: { $0.measures(.field) }) else {
      return nil
    }
    self.init(
      sensor: SensorIdentity(
        part: sensor.chip.rawValue, bus: sensor.bus, address: Int(sensor.address)),
      board: board.name + Self.turn(of: sensor.mount(of: .field)))
  }

  /// A calibration is valid for one orientation of the sensor: another orientation has another
  /// identity.
  private static func turn(of mount: Mounting) -> String {
    switch mount {
    case .axes(let axes) where axes == .standard: ""
    case .axes(let axes):
      " (magnetometer \([axes.x, axes.y, axes.z].map(\.rawValue).joined(separator: ",")))"
    case .rotation(let angles):
      " (magnetometer turned \([angles.heading, angles.pitch, angles.roll].map { "\($0.degrees)" }.joined(separator: ",")))"
    case .automatic: ""
    }
  }
}

extension CalibrationResult {
  /// The result of a fit; nil where it cannot be applied.
  public init?(_ outcome: CalibrationOutcome) {
    self.init(outcome.estimate.distortion, quality: outcome.quality)
    coverage = outcome.coverage
    residualMicrotesla = outcome.estimate.residualMicrotesla
    predictedHeadingErrorDegrees = outcome.predictedHeadingError.degrees
    predictedLevelErrorDegrees = outcome.predictedLevelError.degrees
    use = outcome.use
    mount = outcome.mount.flatMap { SensorMount($0) }
  }

  /// The result of an online calibration; nil where it cannot be applied. Its predicted error
  /// covers only the attitudes that occurred.
  init?(_ committed: CommittedCalibration) {
    let error = committed.seenError ?? Angle(degrees: 180)
    self.init(
      committed.estimate.distortion, quality: CalibrationState(predictedHeadingError: error))
    residualMicrotesla = committed.estimate.residualMicrotesla
    predictedHeadingErrorDegrees = error.degrees
  }
}

extension SensorMount {
  /// The directions of the magnetometer's axes when the inertial unit's point forward, left and up.
  public init?(_ mount: SignedAxes) {
    let words: [(plus: AxisDirection, minus: AxisDirection)] = [
      (.forward, .backward), (.left, .right), (.up, .down),
    ]
    func word(_ i: Int) -> AxisDirection {
      let pair = words[mount.axes[i]]
      return mount.signs[i] > 0 ? pair.plus : pair.minus
    }
    self.init(x: word(0), y: word(1), z: word(2))
  }
}
