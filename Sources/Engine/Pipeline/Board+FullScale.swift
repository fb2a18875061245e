import BoardFile
import Chips
import Quantities

extension Board {
  /// What the board's inertial sensors show at the ends of their ranges, as their drivers set them.
  public var fullScale: SensorFullScale {
    sensors.reduce(into: SensorFullScale()) { limits, sensor in
      let own = sensor.settings.fullScale(of: sensor.chip)
      limits.radiansPerSecond = limits.radiansPerSecond ?? own.radiansPerSecond
      limits.metresPerSecondSquared = limits.metresPerSecondSquared ?? own.metresPerSecondSquared
    }
  }
}
