import EarthModel
import Quantities

/// A barometer: static pressure by the standard atmosphere, white noise and a slow drift.
public struct BarometerModel: Equatable, Sendable {
  /// Samples per second.
  public var rateHertz: Double
  /// One sigma of a sample's white noise, hectopascal.
  public var noiseHectopascal: Double
  /// One sigma of the slow drift, hectopascal.
  public var driftHectopascal: Double
  /// The correlation time of the drift, seconds.
  public var driftSeconds: Double
  /// The reading of the sensor's thermometer, degrees Celsius.
  public var celsius: Double

  /// Makes a barometer; omitted errors are zero.
  public init(
    rateHertz: Double = 25, noiseHectopascal: Double = 0, driftHectopascal: Double = 0,
    driftSeconds: Double = 1800, celsius: Double = 15
  ) {
    self.rateHertz = rateHertz
    self.noiseHectopascal = noiseHectopascal
    self.driftHectopascal = driftHectopascal
    self.driftSeconds = driftSeconds
    self.celsius = celsius
  }

  /// A barometer without any error.
  public static var ideal: BarometerModel { BarometerModel() }

  /// A typical sensor of hobby boards.
  /// - Source: Bosch BST-BMP280-DS001-23, table 7 (handheld device, low power: 4.0 cm, which is
  ///   0.0048 hPa) and table 2 (relative accuracy ±0.12 hPa, taken as the drift's sigma).
  public static var consumer: BarometerModel {
    BarometerModel(noiseHectopascal: 0.0048, driftHectopascal: 0.12)
  }
}

/// A barometer with its random drift.
struct SimulatedBarometer: Sendable {
  private let model: BarometerModel
  private var drift: SlowError

  init(_ model: BarometerModel, random: inout RandomStream) {
    self.model = model
    drift = SlowError(
      spread: SIMD3(model.driftHectopascal, 0, 0), correlationSeconds: model.driftSeconds,
      periodSeconds: 1 / model.rateHertz, random: &random)
  }

  /// The reading for a true pressure; call once a sample.
  mutating func measure(
    _ hectopascal: Double, at timestamp: Timestamp, random: inout RandomStream
  ) -> PressureSample {
    let reading = hectopascal + drift.value.x + random.gaussian() * model.noiseHectopascal
    drift.step(&random)
    return PressureSample(timestamp: timestamp, hectopascal: reading, celsius: model.celsius)
  }
}
