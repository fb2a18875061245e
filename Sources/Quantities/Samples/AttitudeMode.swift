/// By which sensors the attitude is told.
public enum AttitudeMode: String, CaseIterable, Sendable {
  /// By none.
  case none
  /// Gyroscope, accelerometer and magnetometer.
  case nineAxis = "9-axis"
  /// Without a magnetometer, or while its field is unusable: heading keeps its last value and drifts, which
  /// its accuracy says.
  case gyroscopeAndAccelerometer = "gyroscope and accelerometer"
  /// Without a gyroscope: every push leans the horizon.
  case accelerometerAndMagnetometer = "accelerometer and magnetometer"
  /// A magnetometer alone: the body is taken to be level.
  case magnetometer
  /// Level alone.
  case accelerometer
}
