import CalibrationFit
import Quantities

/// A calibrated board on a vehicle that turns and rocks while its motor runs by chance.
struct MotionSimulation {
  var simulation: InertialSimulation
  /// What full load (10) makes, microtesla.
  var gain = SIMD3(6.0, -4.0, 2.0)
  /// What the place bends the field by, microtesla, and for how long, s.
  var room = (sigma: 2.0, time: 1.0)
  /// What the calibration left, microtesla.
  var offset = SIMD3(1.0, -1.0, 0.5)

  init(seed: Int) { simulation = InertialSimulation(seed: seed) }

  /// Runs at 5 hertz.
  mutating func run(
    seconds: Double, hertz: Double = 5, _ take: (FieldObservation, Double) -> Void
  ) {
    var (yaw, yawRate, drift) = (0.0, 0.0, 0.0)
    var (load, wanted, until) = (0.0, 0.0, 0.0)
    var bend = simulation.normal3(room.sigma)
    let dt = 1 / hertz
    let keep = max(0, 1 - dt / room.time)
    for i in 0..<Int(seconds * hertz) {
      let time = Double(i) * dt
      if time >= until {
        wanted = simulation.uniform(0...10)
        until = time + simulation.uniform(2...8)
        yawRate = simulation.normal() * 0.3
      }
      load += (wanted - load) * 0.5
      yaw += yawRate * dt
      drift += simulation.normal() * 0.15 * degree * dt.squareRoot()
      bend = bend * keep + simulation.normal3(room.sigma * (1 - keep * keep).squareRoot())
      // Sensor axes from earth: yaw, then rocking.
      let turn = Rotation<SensorFrame, EarthFrame>(rotationVector: SIMD3(0, 0, yaw))
      let rock = Rotation<SensorFrame, SensorFrame>(rotationVector: simulation.normal3(0.05))
      func seen(_ x: SIMD3<Double>) -> SIMD3<Double> { rock.rotate(turn.inverse.rotate(x)) }
      let carried = Rotation<EarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0, drift))
      let axes = ReferenceAxes(
        x: seen(carried.rotate(SIMD3(1, 0, 0))), y: seen(carried.rotate(SIMD3(0, 1, 0))),
        down: seen(SIMD3(0, 0, 1)), isYawCarried: true)
      let made: SIMD3<Double> = gain * (load / 10)
      let field: SIMD3<Double> = seen(SIMD3(20, 0, 43)) + made + offset + bend
      guard let timestamp = Timestamp(seconds: time) else { continue }
      take(
        FieldObservation(
          timestamp: timestamp, field: field + simulation.normal3(0.6), axes: axes), load)
    }
  }
}
