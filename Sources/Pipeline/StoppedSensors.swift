import Fusion
import Quantities

/// Which inertial sensors have stopped. Their samples are removed, so that the filters treat the
/// sensor as absent.
struct StoppedSensors: Sendable {
  private var rate = RateSensorWatch()
  private var force = ForceSensorWatch()

  /// Whether the accelerometer has stopped.
  var isForceStopped: Bool { force.hasStopped }

  /// What has stopped, for the estimate; nil for nothing.
  var fault: InputVerdicts.Fault? {
    force.hasStopped ? .stopped(.force) : rate.hasStopped ? .stopped(.rate) : nil
  }

  /// Whether `add` needs the direction up for a sample.
  func needsUp(_ sample: InertialSample<SensorFrame>) -> Bool {
    sample.specificForce.map { force.repeats($0.components) } ?? false
  }

  /// Adds a sample.
  /// - Parameters:
  ///   - sample: The sample along the sensor's own axes.
  ///   - up: The direction up along the same axes by an attitude with a gyroscope; nil for none.
  mutating func add(_ sample: InertialSample<SensorFrame>, up: SIMD3<Double>?) {
    if let w = sample.angularRate { rate.add(rate: w.components, at: sample.timestamp) }
    if let f = sample.specificForce { force.add(force: f.components, up: up, at: sample.timestamp) }
  }

  /// Adds a calibrated field along the same axes.
  mutating func add(_ field: MagneticField<SensorFrame>, at t: Timestamp) {
    rate.add(field: field.components, at: t)
  }

  /// Removes what a stopped sensor reports.
  func clean(_ row: inout SensorSamples) {
    if rate.hasStopped { row.inertial?.angularRate = nil }
    if force.hasStopped { row.inertial?.specificForce = nil }
  }
}
