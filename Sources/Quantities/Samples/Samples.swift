/// One reading of an inertial unit: rate and specific force at one time.
public struct InertialSample<Axes: Frame>: Equatable, Sendable {
  /// When the reading was taken.
  public var timestamp: Timestamp
  /// The angular rate; nil without a gyroscope.
  public var angularRate: AngularRate<Axes>?
  /// The specific force; nil without an accelerometer.
  public var specificForce: SpecificForce<Axes>?

  /// Makes a sample with the given values.
  public init(
    timestamp: Timestamp, angularRate: AngularRate<Axes>?, specificForce: SpecificForce<Axes>?
  ) {
    self.timestamp = timestamp
    self.angularRate = angularRate
    self.specificForce = specificForce
  }
}

/// One reading of a magnetometer.
public struct FieldSample<Axes: Frame>: Equatable, Sendable {
  /// When the reading was taken.
  public var timestamp: Timestamp
  /// The magnetic flux density.
  public var field: MagneticField<Axes>

  /// Makes a sample.
  public init(timestamp: Timestamp, field: MagneticField<Axes>) {
    self.timestamp = timestamp
    self.field = field
  }
}

/// One reading of a barometer.
public struct PressureSample: Equatable, Sendable {
  /// When the reading was taken.
  public var timestamp: Timestamp
  /// Static pressure in hectopascal.
  public var hectopascal: Double
  /// The sensor's temperature in degrees Celsius; nil if it is not reported.
  public var celsius: Double?

  /// Makes a sample.
  public init(timestamp: Timestamp, hectopascal: Double, celsius: Double? = nil) {
    self.timestamp = timestamp
    self.hectopascal = hectopascal
    self.celsius = celsius
  }
}

/// One reading of a compass with its own heading output, such as an NMEA heading sensor.
public struct HeadingSample: Equatable, Sendable {
  /// When the reading was received.
  public var timestamp: Timestamp
  /// Clockwise from magnetic north; nil if it is not reported.
  public var magnetic: MagneticHeading?
  /// Clockwise from true north; nil if it is not reported.
  public var `true`: TrueHeading?
  /// One sigma of the heading; nil if it is not reported.
  public var accuracy: Angle?
  /// The vector between a receiver's two antennas, by which the heading was measured; nil for
  /// another compass.
  public var antennas: AntennaVector?

  /// Makes a reading with the given values.
  public init(
    timestamp: Timestamp, magnetic: MagneticHeading?, true: TrueHeading?, accuracy: Angle? = nil
  ) {
    self.timestamp = timestamp
    self.magnetic = magnetic
    self.true = `true`
    self.accuracy = accuracy
  }
}

/// The vector from a receiver's main antenna to its second one, as far as a message reports it
/// besides its direction.
public struct AntennaVector: Equatable, Sendable {
  /// Longest distance of two antennas on board, metres: that of a ship.
  public static var longestMetres: Double { 200 }

  /// A reported length, metres; nil where it is none: zero, negative, or longer than any ship.
  public static func length(_ metres: Double?) -> Double? {
    metres.flatMap { $0 > 0 && $0 <= longestMetres ? $0 : nil }
  }

  /// Its length, metres; nil if it is not reported.
  public var lengthMetres: Double?
  /// Its elevation, second antenna up positive; nil if it is not reported.
  public var elevation: Angle?
  /// One sigma of the elevation; nil if it is not reported.
  public var elevationAccuracy: Angle?

  /// Makes a vector of which the given values are known.
  public init(
    lengthMetres: Double? = nil, elevation: Angle? = nil, elevationAccuracy: Angle? = nil
  ) {
    (self.lengthMetres, self.elevation) = (lengthMetres, elevation)
    self.elevationAccuracy = elevationAccuracy
  }
}
