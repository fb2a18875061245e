import CalibrationFit
import Foundation
import Fusion
import Quantities

/// The samples of a board with iron on it that a hand turns in a room with a distorted field.
struct SimulatedBoard {
  /// The distortion of the field by the iron.
  var distortion: FieldDistortion
  var earth = EarthField(horizontal: 18, down: 45)
  /// Latency of the magnetometer, s.
  var latency = 0.012
  /// One sigma of a sample, microtesla.
  var fieldNoise = 0.5
  /// The room's disturbance of the field, microtesla.
  var bend = 1.0
  /// One sigma of a sample, rad/s.
  var rateNoise = 0.002
  var rateBias = SIMD3(0.004, -0.006, 0.005)
  /// Reading of the gyroscope for one radian.
  var rateScale = 1.0
  /// The additional rate of the orientation about the vertical, rad/s.
  var yawDrift = 0.0
  /// One sigma of a sample, m/s².
  var forceNoise = 0.05
  /// The acceleration by the hand, m/s².
  var shake = 0.3
  /// What changes the field that is measured, by seconds; microtesla along the sensor's axes.
  var iron: @Sendable (Double) -> SIMD3<Double> = { _ in .zero }
  private var random: NumberSequence
  private let seed: UInt64

  /// An offset of 30 to 80 % of the field, a condition number of 1.1 to 1.6, and a turn of the
  /// sensor.
  init(seed: UInt64, misalignment: Double = 5) {
    self.seed = seed
    random = NumberSequence(seed: seed &* 31 &+ 5)
    let root = random.uniform(1.1, 1.6).squareRoot()
    let turn = FieldWorld.matrix(random.direction() * random.uniform(0, 3))
    let stretch = turn * Matrix3(diagonal: SIMD3(root, 1, 1 / root)) * turn.transposed
    let tilt = FieldWorld.matrix(random.direction() * (misalignment * .pi / 180))
    distortion = FieldDistortion(
      shape: stretch * tilt, offset: random.direction() * (random.uniform(0.3, 0.8) * 48))
  }

  /// The undistorted field along the sensor's axes.
  func field(_ attitude: Rotation<BodyFrame, MagneticEarthFrame>) -> SIMD3<Double> {
    attitude.inverse.rotate(SIMD3(earth.horizontal, 0, earth.down))
  }

  /// One of the board's samples.
  struct Sample {
    var seconds: Double
    var rate: SIMD3<Double>
    var force: SIMD3<Double>
    /// Every other sample has none.
    var field: SIMD3<Double>?
    var timestamp: Timestamp { Timestamp(nanoseconds: UInt64(bounded: (seconds + 10) * 1e9)) }
  }

  /// A hundred samples a second, the same in every call.
  func samples(_ motion: SimulatedMotion, seconds: Double) -> [Sample] {
    var random = random
    let dt = 0.01
    let phases = random.vector() * 3
    var previous = motion.attitude(at: -dt)
    return (0..<Int(bounded: seconds / dt)).map { i in
      let t = Double(i) * dt
      let now = motion.attitude(at: t)
      let step = previous.inverse * now
      previous = now
      let rate: SIMD3<Double> = step.v * ((step.w < 0 ? -2 : 2) / dt)
      let isMoving = t > motion.restSeconds && motion.kind != .rest
      var push = SIMD3<Double>.zero
      var bent = SIMD3(earth.horizontal, 0, earth.down)
      for k in 0..<3 {
        let n = Double(k)
        if isMoving { push[k] = shake * sin((7 + n) * t + phases[k]) }
        // The hand moves through the room.
        if isMoving { bent[k] += bend * sin((0.4 + 0.3 * n) * t + phases[k]) }
      }
      var sample = Sample(
        seconds: t, rate: rate * rateScale + rateBias + random.vector() * rateNoise,
        force: now.inverse.rotate(push - SIMD3(0, 0, 9.806_65)) + random.vector() * forceNoise)
      if i % 2 == 0 {
        let then = motion.attitude(at: t - latency)
        let v = then.inverse.rotate(bent)
        let noise = random.vector() * fieldNoise
        sample.field = distortion.shape * v + distortion.offset + iron(t) + noise
      }
      return sample
    }
  }

  /// The input of the fits, usually from half a second before the motion.
  func observations(
    _ motion: SimulatedMotion, seconds: Double, from begin: Double? = nil
  ) -> [FieldObservation] {
    let begin = begin ?? motion.restSeconds - 0.5
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var result: [FieldObservation] = []
    for s in samples(motion, seconds: seconds + motion.restSeconds) {
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: s.timestamp, angularRate: AngularRate(components: s.rate),
          specificForce: SpecificForce(components: s.force)))
      guard s.seconds > begin, let m = s.field,
        let attitude = orientation.attitude
      else { continue }
      let drift = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
        rotationVector: SIMD3(0, 0, yawDrift * s.seconds))
      if let o = observer.add(
        field: m, at: s.timestamp, attitude: drift * attitude, rate: orientation.rate)
      {
        result.append(o)
      }
    }
    return result
  }

  /// A turn by hand of so many seconds, another for every board.
  func observations(_ kind: SimulatedMotion.Kind, seconds: Double) -> [FieldObservation] {
    observations(SimulatedMotion(kind, seed: seed), seconds: seconds)
  }

  /// Root mean square heading error in degrees that a calibration leaves at attitudes tilted by
  /// less than so many degrees.
  func headingError(_ found: FieldDistortion, tilt: Double = 45) -> Double {
    guard let inverse = found.shape.inverse else { return 180 }
    var random = NumberSequence(seed: 99)
    var sum = 0.0
    let count = 300
    for _ in 0..<count {
      let lean = SIMD3(random.normal(), random.normal(), 0).normalized ?? SIMD3(1, 0, 0)
      let turn = Rotation<BodyFrame, BodyFrame>(
        rotationVector: lean * (random.uniform(0, tilt) * .pi / 180))
      let attitude =
        Rotation<BodyFrame, MagneticEarthFrame>(
          rotationVector: SIMD3(0, 0, random.uniform(0, 6.28))) * turn
      let measured = distortion.shape * field(attitude) + distortion.offset
      let level = attitude.rotate(inverse * (measured - found.offset))
      let error = Angle(radians: atan2(level.y, level.x)).degrees
      sum += error * error
    }
    return (sum / Double(count)).squareRoot()
  }
}
