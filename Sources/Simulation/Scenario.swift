import Quantities

/// A place, a motion and a board: the definition of a simulated world, except its seed and start.
public struct Scenario: Equatable, Sendable {
  /// The name to display.
  public var name: String
  /// The start of the motion; at most 80 degrees from the equator.
  public var origin: GeodeticPosition
  /// Height of the origin above the WGS-84 ellipsoid, metres.
  public var ellipsoidalHeightMetres: Double
  /// The geoid above the ellipsoid, metres, the same all along the way.
  public var geoidSeparationMetres: Double
  /// Pressure reduced to mean sea level at the start, hectopascal.
  public var seaLevelHectopascal: Double
  /// Its change by the weather, hectopascal an hour.
  public var seaLevelHectopascalPerHour: Double
  /// The body's motion.
  public var motion: Motion
  /// Whether the gyroscope measures the earth's rotation and the accelerometer the Coriolis
  /// acceleration, as real ones do. Without, attitude is the integral of the angular rate.
  public var includesEarthRotation: Bool
  /// The mounting of the sensors on the body.
  public var mount: AxisMount
  /// The gyroscope and accelerometer; nil for a board without.
  public var inertialUnit: InertialUnitModel?
  /// The magnetometer; nil for a board without.
  public var magnetometer: MagnetometerModel?
  /// The state of the magnetometer's calibration; the default board is calibrated.
  public var calibration: CalibrationState
  /// Magnetic disturbances.
  public var disturbances: [MagneticDisturbance]
  /// The barometer; nil for a board without.
  public var barometer: BarometerModel?
  /// The satellite receiver; nil for a board without.
  public var receiver: ReceiverModel?
  /// The receiver's two antennas; nil for a receiver with one.
  public var antennas: AntennaPairModel?
  /// The duration, seconds; nil for no end.
  public var durationSeconds: Double?

  /// Makes a scenario on the default board: consumer sensors, the magnetometer calibrated, mounted
  /// x forward, y left, z up.
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
    antennas = nil
    durationSeconds = nil
  }

  /// The same world with ideal sensors at the same rates.
  public var withoutSensorErrors: Scenario {
    var copy = self
    if let rate = inertialUnit?.rateHertz { copy.inertialUnit = InertialUnitModel(rateHertz: rate) }
    if let rate = magnetometer?.rateHertz { copy.magnetometer = MagnetometerModel(rateHertz: rate) }
    if let rate = barometer?.rateHertz { copy.barometer = BarometerModel(rateHertz: rate) }
    if let rate = receiver?.rateHertz { copy.receiver = ReceiverModel(rateHertz: rate) }
    return copy
  }
}
