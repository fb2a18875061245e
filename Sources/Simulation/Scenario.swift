import Quantities

/// A place, a motion and a board: all that a simulated world is made of but its seed and its start.
public struct Scenario: Equatable, Sendable {
  /// What a person calls it.
  public var name: String
  /// Where the motion begins; at most 80 degrees from the equator.
  public var origin: GeodeticPosition
  /// Height of the origin above the WGS-84 ellipsoid, metres.
  public var ellipsoidalHeightMetres: Double
  /// The geoid above the ellipsoid, metres, the same all along the way.
  public var geoidSeparationMetres: Double
  /// Pressure reduced to mean sea level at the start, hectopascal.
  public var seaLevelHectopascal: Double
  /// How fast the weather changes it, hectopascal an hour.
  public var seaLevelHectopascalPerHour: Double
  /// How the body moves.
  public var motion: Motion
  /// Whether the gyroscope feels the earth turn and the accelerometer the Coriolis acceleration. Real
  /// ones do; without it, attitude is the plain integral of the angular rate.
  public var includesEarthRotation: Bool
  /// How the sensors sit on the body.
  public var mount: AxisMount
  /// The gyroscope and accelerometer; nil for a board without.
  public var inertialUnit: InertialUnitModel?
  /// The magnetometer; nil for a board without.
  public var magnetometer: MagnetometerModel?
  /// What is known of the magnetometer: the default board says that it is calibrated.
  public var calibration: CalibrationState
  /// Iron that comes near.
  public var disturbances: [MagneticDisturbance]
  /// The barometer; nil for a board without.
  public var barometer: BarometerModel?
  /// The satellite receiver; nil for a board without.
  public var receiver: ReceiverModel?
  /// How long the world lasts, seconds; nil for ever.
  public var durationSeconds: Double?

  /// Makes a scenario on the default board: consumer sensors, the magnetometer calibrated, mounted x
  /// forward, y left, z up.
  public init(
    name: String, origin: GeodeticPosition, ellipsoidalHeightMetres: Double,
    geoidSeparationMetres: Double, motion: Motion
  ) {
    self.name = name
    self.origin = origin
    self.ellipsoidalHeightMetres = ellipsoidalHeightMetres
    self.geoidSeparationMetres = geoidSeparationMetres
    self.motion = motion
    // ICAO's standard atmosphere at mean sea level.
    seaLevelHectopascal = 1013.25
    seaLevelHectopascalPerHour = 0
    includesEarthRotation = true
    mount = .standard
    inertialUnit = .consumer
    magnetometer = .calibrated
    calibration = .assumed
    disturbances = []
    barometer = .consumer
    receiver = .consumer
    durationSeconds = nil
  }

  /// The same world seen through faultless sensors at the same rates.
  public var withoutSensorErrors: Scenario {
    var copy = self
    if let rate = inertialUnit?.rateHertz { copy.inertialUnit = InertialUnitModel(rateHertz: rate) }
    if let rate = magnetometer?.rateHertz { copy.magnetometer = MagnetometerModel(rateHertz: rate) }
    if let rate = barometer?.rateHertz { copy.barometer = BarometerModel(rateHertz: rate) }
    if let rate = receiver?.rateHertz { copy.receiver = ReceiverModel(rateHertz: rate) }
    return copy
  }
}
