import Quantities

/// Takes out of the field what a load adds to it, such as a motor's current.
public struct LoadCompensation: Sendable {
  /// A load that was told longer ago than this says nothing any more, s.
  private static let patience = 2.0

  /// Along the sensor's axes, microtesla for each unit of the load.
  public let fieldPerUnit: SIMD3<Double>
  /// Where the load is asked for; nil where the samples tell it.
  private let source: (@Sendable () -> Double?)?
  private var newest: (load: Double, at: Timestamp)?

  /// Makes a compensation.
  /// - Parameters:
  ///   - fieldPerUnit: Microtesla for each unit of the load, along the sensor's axes.
  ///   - source: Tells the load now; nil where the samples tell it.
  public init(
    fieldPerUnit: SIMD3<Double>, source: (@Sendable () -> Double?)? = nil
  ) {
    self.fieldPerUnit = fieldPerUnit
    self.source = source
  }

  mutating func take(_ load: Double, at t: Timestamp) { newest = (load, t) }

  /// The field without the load's; as it is where nobody tells the load.
  func clean(_ sample: FieldSample<SensorFrame>) -> FieldSample<SensorFrame> {
    let told = newest.flatMap {
      abs(sample.timestamp.seconds(since: $0.at)) <= Self.patience ? $0.load : nil
    }
    guard let load = source?() ?? told else { return sample }
    var clean = sample
    clean.field = MagneticField(microtesla: sample.field.microtesla - fieldPerUnit * load)
    return clean
  }
}

/// What a gyroscope and an accelerometer are off by, as it was calibrated.
public struct InertialCorrection: Sendable {
  /// The gyroscope's bias, rad/s along the sensor's axes.
  public var rateBias = SIMD3<Double>.zero
  /// How the bias changes with temperature, rad/s/K, and at which temperature it is none, degrees Celsius.
  public var rateSlope: (perKelvin: SIMD3<Double>, celsius: Double)?
  /// What each axis of the gyroscope is to be multiplied by.
  public var rateScale = SIMD3<Double>(repeating: 1)
  /// The accelerometer's bias, m/s².
  public var forceBias = SIMD3<Double>.zero
  /// Takes the force without its bias to the true one.
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
