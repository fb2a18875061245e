import CalibrationFit
import Quantities

/// A board that lies still while a motor near it is switched.
struct LoadSimulation {
  /// What full load makes, microtesla.
  var gain = SIMD3(6.0, -4.0, 2.0)
  /// Field for the square of the load.
  var curvature = SIMD3<Double>.zero
  /// By how much the field follows later.
  var lag = 0.0
  /// White noise, microtesla.
  var noise = 0.6
  /// Noise that wanders, microtesla, and its time constant, s.
  var wander = (sigma: 0.0, time: 1.0)
  /// Field samples a second.
  var hertz = 50.0
  var seconds = 60.0
  /// The load at a time.
  var load: @Sendable (Double) -> Double = { $0.truncatingRemainder(dividingBy: 8) < 4 ? 0 : 1 }

  func run(seed: Int) -> (field: [FieldSample<SensorFrame>], load: [LoadSample]) {
    var simulation = InertialSimulation(seed: seed)
    var fields: [FieldSample<SensorFrame>] = []
    var loads: [LoadSample] = []
    var bend = simulation.normal3(wander.sigma)
    let keep = max(0, 1 - 1 / (hertz * wander.time))
    for i in 0..<Int(bounded: seconds * hertz) {
      let time = 1 + Double(i) / hertz
      let load = load(time - lag)
      let made: SIMD3<Double> = gain * load + curvature * (load * load)
      bend = bend * keep + simulation.normal3(wander.sigma * (1 - keep * keep).squareRoot())
      let field: SIMD3<Double> = SIMD3(20, 5, -43) + made + bend + simulation.normal3(noise)
      if let timestamp = Timestamp(seconds: time) {
        fields.append(
          FieldSample(timestamp: timestamp, field: MagneticField(microtesla: field)))
      }
    }
    // The load has its own sample rate and starts before the field.
    for i in 0..<Int(bounded: (seconds + 2) * 20) {
      let time = Double(i) / 20
      if let timestamp = Timestamp(seconds: time) {
        loads.append(LoadSample(timestamp: timestamp, load: load(time)))
      }
    }
    return (fields, loads)
  }
}
