import Chips
import Configuration
import Quantities

extension Board {
  /// The ranges of the board's inertial sensors, as their drivers set them.
  public var fullScale: SensorFullScale {
    sensors.reduce(into: SensorFullScale()) { limits, sensor in
      let own = sensor.settings.fullScale(of: sensor.chip)
      limits.radiansPerSecond = limits.radiansPerSecond ?? own.radiansPerSecond
      limits.metresPerSecondSquared = limits.metresPerSecondSquared ?? own.metresPerSecondSquared
    }
  }
}
