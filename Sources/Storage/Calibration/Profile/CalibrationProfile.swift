import CalibrationFit
import Quantities

/// A calibration with its identity, origin and uncertainty: the content of a profile file.
public struct CalibrationProfile: Equatable, Sendable {
  /// The value of the key `format`.
  public static var format: String { "lodestar-calibration" }
  /// The version that this program writes, and the newest that it reads. It is increased by a
  /// change that an older program would misunderstand.
  public static var version: Int { 1 }
  /// Increased by a new key that an older program may ignore.
  public static var minorVersion: Int { 0 }

  /// The number of the file in the store, assigned by the store.
  public var generation = 0
  /// The generation that this one is a copy of, after a rollback.
  public var restoredFrom: Int?
  /// When the calibration was made.
  public var made: UTCTime
  /// The sensor and board.
  public var identity: ProfileIdentity
  /// The conditions under which it was made.
  public var conditions: CalibrationConditions
  /// The magnetometer's calibration.
  public var result: CalibrationResult
  /// The uncertainty and the other results of its fit.
  public var fit = StoredFit()
  /// The body's yaw on the carrier, radians clockwise; a level calibration does not determine it.
  public var boardYawRadians: Double?
  /// The gyroscope's calibration.
  public var gyroscope: StoredGyroscope?
  /// The accelerometer's calibration.
  public var accelerometer: StoredAccelerometer?
  /// The fields of electric loads.
  public var loads: [StoredLoad] = []
  /// The deviation computed from a receiver's course, or from a compass swing.
  public var deviation: StoredDeviation?
  /// Top-level keys of a newer minor version; they are written again unchanged.
  public var unknownKeys = JSONObject()
  /// The minor version of the program that wrote it.
  public var minorVersion = CalibrationProfile.minorVersion

  /// Makes a profile of the required parts.
  public init(
    made: UTCTime, identity: ProfileIdentity, conditions: CalibrationConditions,
    result: CalibrationResult
  ) {
    (self.made, self.identity) = (made, identity)
    (self.conditions, self.result) = (conditions, result)
  }
}
