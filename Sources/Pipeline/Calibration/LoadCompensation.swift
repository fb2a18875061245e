import Quantities

/// Subtracts the field of a load, such as a motor's current, from the measured field.
public struct LoadCompensation: Sendable {
  /// Longest age of a sampled load, s.
  private static let longestAge = 2.0

  /// Microtesla for each unit of the load, along the sensor's axes.
  public private(set) var fieldPerUnit: SIMD3<Double>
  /// Whether `fieldPerUnit` is that of the stored calibration, so that a newly stored one replaces
  /// it.
  public let isStored: Bool
  /// Returns the present load; nil if the samples contain it.
  private let source: (@Sendable () -> Double?)?
  private var newest: (load: Double, at: Timestamp)?

  /// Makes a compensation.
  /// - Parameters:
  ///   - fieldPerUnit: Microtesla for each unit of the load, along the sensor's axes.
  ///   - isStored: Whether `fieldPerUnit` is that of the stored calibration.
  ///   - source: Returns the present load; nil if the samples contain it.
  public init(
    fieldPerUnit: SIMD3<Double>, isStored: Bool = false, source: (@Sendable () -> Double?)? = nil
  ) {
    (self.fieldPerUnit, self.isStored) = (fieldPerUnit, isStored)
    self.source = source
  }

  /// Uses the newly stored effect of the load.
  mutating func use(stored fieldPerUnit: SIMD3<Double>) {
    if isStored { self.fieldPerUnit = fieldPerUnit }
  }

  mutating func update(_ load: Double, at t: Timestamp) { newest = (load, t) }

  /// The present load by its own source; nil if the samples contain it, or it is unknown.
  var now: Double? { source?() }

  /// The field without the load's; unchanged if the load is unknown.
  func clean(_ sample: FieldSample<SensorFrame>) -> FieldSample<SensorFrame> {
    let sampled = newest.flatMap {
      abs(sample.timestamp.seconds(since: $0.at)) <= Self.longestAge ? $0.load : nil
    }
    guard let load = sampled else { return sample }
    var clean = sample
    clean.field = MagneticField(microtesla: sample.field.microtesla - fieldPerUnit * load)
    return clean
  }
}

/// The calibrated corrections of a gyroscope and an accelerometer.
public struct InertialCorrection: Sendable {
  /// The gyroscope's bias, rad/s along the sensor's axes.
  public var rateBias = SIMD3<Double>.zero
  /// The change of the bias with temperature, rad/s/K, and the reference temperature, degrees
  /// Celsius.
  public var rateSlope: (perKelvin: SIMD3<Double>, celsius: Double)?
  /// The factor of each gyroscope axis.
  public var rateScale = SIMD3<Double>(repeating: 1)
  /// The accelerometer's bias, m/s².
  public var forceBias = SIMD3<Double>.zero
  /// The matrix that maps the force without bias to the true one.
  public var forceMatrix = Matrix3.identity

  /// Makes a correction that changes nothing.
  public init() {}

  func correct(
    _ sample: InertialSample<SensorFrame>, celsius: Double?
  ) -> InertialSample<SensorFrame> {
    var clean = sample
    var bias = rateBias
    if let rateSlope, let celsius { bias += rateSlope.perKelvin * (celsius - rateSlope.celsius) }
    clean.angularRate = sample.angularRate.map {
      AngularRate(components: ($0.components - bias) * rateScale)
    }
    clean.specificForce = sample.specificForce.map {
      SpecificForce(components: forceMatrix * ($0.components - forceBias))
    }
    return clean
  }
}
