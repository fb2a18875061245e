/// The sensors that the attitude is computed from.
public enum AttitudeMode: String, CaseIterable, Sendable {
  /// None.
  case none
  /// Gyroscope, accelerometer and magnetometer.
  case nineAxis = "9-axis"
  /// Without a magnetometer, or while its field is unusable: heading keeps its last value and
  /// drifts, and its accuracy includes the drift.
  case gyroscopeAndAccelerometer = "gyroscope and accelerometer"
  /// Without a magnetometer in a vehicle on wheels: the heading is that of its course, carried on
  /// by the gyroscope.
  case gyroscopeAccelerometerAndCourse = "gyroscope, accelerometer and course"
  /// The heading is that of a receiver with two antennas or of a gyrocompass, carried on by the
  /// gyroscope.
  case gyroscopeAccelerometerAndAntennas = "gyroscope, accelerometer and antennas"
  /// Without a gyroscope: every acceleration tilts the horizon.
  case accelerometerAndMagnetometer = "accelerometer and magnetometer"
  /// A magnetometer alone: the body is assumed level.
  case magnetometer
  /// An accelerometer alone: level without heading.
  case accelerometer
}
