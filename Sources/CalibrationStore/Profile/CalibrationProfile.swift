import CalibrationFit
import Quantities

/// A calibration with all that tells what it is for, where it comes from and how far to trust it; what a
/// profile file holds.
public struct CalibrationProfile: Equatable, Sendable {
  /// What a file says that it is.
  public static var format: String { "lodestar-calibration" }
  /// The version that this program writes and the newest that it reads. A change that an older program
  /// would misunderstand raises it.
  public static var version: Int { 1 }
  /// Raised by a new key that an older program may leave alone.
  public static var minorVersion: Int { 0 }

  /// The file's place in the store's order; the store gives it.
  public var generation = 0
  /// The generation that this one is a copy of, after a rollback.
  public var restoredFrom: Int?
  /// When the calibration was made.
  public var made: UTCTime
  /// What it belongs to.
  public var identity: ProfileIdentity
  /// Under what conditions it was made.
  public var conditions: CalibrationConditions
  /// The magnetometer's calibration.
  public var result: CalibrationResult
  /// What else its fit said.
  public var fit = StoredFit()
  /// The body's yaw on the carrier, radians clockwise: what a level calibration cannot see.
  public var boardYawRadians: Double?
  /// The gyroscope's calibration.
  public var gyroscope: StoredGyroscope?
  /// The accelerometer's calibration.
  public var accelerometer: StoredAccelerometer?
  /// What loads add to the field.
  public var loads: [StoredLoad] = []
  /// The deviation that a receiver's course taught.
  public var deviation: StoredDeviation?
  /// Top-level keys that a newer minor version wrote: they are kept.
  public var unknownKeys = JSONObject()
  /// The minor version of whoever wrote it.
  public var minorVersion = CalibrationProfile.minorVersion

  /// Makes a profile of what every one has.
  public init(
    made: UTCTime, identity: ProfileIdentity, conditions: CalibrationConditions,
    result: CalibrationResult
  ) {
    (self.made, self.identity) = (made, identity)
    (self.conditions, self.result) = (conditions, result)
  }
}
