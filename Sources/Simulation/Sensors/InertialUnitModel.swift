import Quantities

/// The errors of a gyroscope or an accelerometer, in its unit (rad/s or m/s²).
public struct InertialErrorModel: Equatable, Sendable {
  /// One sigma of each axis's offset at the start.
  public var turnOnBias: Double
  /// The random walk of the offset, unit per square root of a second.
  public var biasWalk: Double
  /// White noise, unit per square root of a hertz, one-sided; a sample at rate f has this times
  /// the square root of f/2, the bandwidth that the rate can carry.
  public var noiseDensity: Double
  /// Scale and cross-axis errors: the reading is this matrix times the truth.
  public var response: Matrix3
  /// Range and resolution.
  public var limits: ReadingLimits

  /// Makes an error model; omitted errors are zero.
  public init(
    turnOnBias: Double = 0, biasWalk: Double = 0, noiseDensity: Double = 0,
    response: Matrix3 = .identity, limits: ReadingLimits = ReadingLimits()
  ) {
    self.turnOnBias = turnOnBias
    self.biasWalk = biasWalk
    self.noiseDensity = noiseDensity
    self.response = response
    self.limits = limits
  }
}

/// A gyroscope and an accelerometer in one package, sampled together.
public struct InertialUnitModel: Equatable, Sendable {
  /// Samples per second.
  public var rateHertz: Double
  /// The gyroscope's errors, rad/s.
  public var gyroscope: InertialErrorModel
  /// The accelerometer's errors, m/s².
  public var accelerometer: InertialErrorModel

  /// Makes a unit.
  public init(
    rateHertz: Double = 100, gyroscope: InertialErrorModel = InertialErrorModel(),
    accelerometer: InertialErrorModel = InertialErrorModel()
  ) {
    self.rateHertz = rateHertz
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
  }

  /// A unit without any error.
  public static var ideal: InertialUnitModel { InertialUnitModel() }

  /// A typical unit of hobby boards.
  /// - Source: gyroscope: Bosch BMG160 as in the CISS instruction manual, 4.11.2 (noise 0.014
  ///   °/s/√Hz, zero-rate offset ±1 °/s, taken as two sigma); accelerometer: TDK DS-000189
  ///   (ICM-20948) revision 1.3, table 2 (230 µg/√Hz, offset ±25 mg, taken as three sigma, scale
  ///   ±0.5 %); bias walks: Schubert et al. 2018, doi 10.1109/IROS.2018.8593419 (BMI160). Scale and
  ///   cross-axis errors lie within the data sheets' bounds.
  public static var consumer: InertialUnitModel {
    let degree = Double.pi / 180
    let standardGravity = 9.806_65
    return InertialUnitModel(
      gyroscope: InertialErrorModel(
        turnOnBias: 0.5 * degree, biasWalk: 2.2e-6, noiseDensity: 0.014 * degree,
        response: Matrix3(
          rows: SIMD3(1.004, 0.002, -0.001), SIMD3(-0.002, 0.997, 0.001),
          SIMD3(0.001, -0.001, 1.003)),
        limits: ReadingLimits(fullScale: 500 * degree, step: 500 * degree / 32_768)),
      accelerometer: InertialErrorModel(
        turnOnBias: 0.025 / 3 * standardGravity, biasWalk: 8.6e-5,
        noiseDensity: 230e-6 * standardGravity,
        response: Matrix3(
          rows: SIMD3(1.002, 0.001, 0), SIMD3(0, 0.998, 0.001), SIMD3(-0.001, 0, 1.003)),
        limits: ReadingLimits(
          fullScale: 4 * standardGravity, step: standardGravity / 8192)))
  }
}

/// One triad of an inertial unit with its random errors.
package struct InertialTriad: Sendable {
  /// The present offset.
  package private(set) var bias: SIMD3<Double>
  private let model: InertialErrorModel
  private let noise: Double
  private let walk: Double

  init(_ model: InertialErrorModel, rateHertz: Double, random: inout RandomStream) {
    self.model = model
    noise = model.noiseDensity * (rateHertz / 2).squareRoot()
    walk = model.biasWalk / rateHertz.squareRoot()
    bias = random.gaussianVector() * model.turnOnBias
  }

  /// The reading for a true value along the sensor's axes; call once a sample.
  mutating func measure(_ truth: SIMD3<Double>, random: inout RandomStream) -> SIMD3<Double> {
    let reading = model.response * truth + bias + random.gaussianVector() * noise
    bias += random.gaussianVector() * walk
    return model.limits(reading)
  }
}
