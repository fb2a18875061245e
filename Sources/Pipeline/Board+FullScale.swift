import Chips
import Configuration
import Quantities

extension Board {
  /// The ranges of the board's inertial sensors, as our drivers set them.
  public var fullScale: SensorFullScale { fullScale { $0.settings.fullScale(of: $0.chip) } }

  /// The ranges of the board's inertial sensors, each by a function.
  func fullScale(_ one: (Sensor) -> SensorFullScale) -> SensorFullScale {
    sensors.reduce(into: SensorFullScale()) { limits, sensor in
      let own = one(sensor)
      limits.radiansPerSecond = limits.radiansPerSecond ?? own.radiansPerSecond
      limits.metresPerSecondSquared = limits.metresPerSecondSquared ?? own.metresPerSecondSquared
    }
  }
}
