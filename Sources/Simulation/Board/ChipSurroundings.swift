import Quantities

/// The input of one chip of an emulated board: the world along the chip's axes, with the errors of
/// its kind of sensor. The chip's emulator applies its own steps, range and rate.
final class ChipSurroundings: Surroundings {
  private let physics: WorldPhysics
  private let bodyToChip: Rotation<BodyFrame, SensorFrame>
  private let latencySeconds: Double
  private let magnetometer: MagnetometerModel
  private var random: RandomStream
  private var gyroscope: InertialTriad
  private var accelerometer: InertialTriad
  private var barometer: SimulatedBarometer
  private var last: (instant: Timestamp, kinematics: Kinematics)?
  private let barometerCelsius: Double

  /// `hertz` is the chip's rate, for noise given as a density; `latencySeconds` is the age of a
  /// sample at the end of the chip's averaging.
  init(
    physics: WorldPhysics, bodyToChip: Rotation<BodyFrame, SensorFrame>, hertz: Double,
    latencySeconds: Double, random: RandomStream
  ) {
    self.physics = physics
    self.bodyToChip = bodyToChip
    self.latencySeconds = latencySeconds
    var random = random
    var unit = physics.scenario.inertialUnit ?? .consumer
    unit.gyroscope.limits = ReadingLimits()
    unit.accelerometer.limits = ReadingLimits()
    gyroscope = InertialTriad(unit.gyroscope, rateHertz: hertz, random: &random)
    accelerometer = InertialTriad(unit.accelerometer, rateHertz: hertz, random: &random)
    var magnetometer = physics.scenario.magnetometer ?? .calibrated
    magnetometer.limits = ReadingLimits()
    self.magnetometer = magnetometer
    let barometer = physics.scenario.barometer ?? .consumer
    self.barometer = SimulatedBarometer(barometer, random: &random)
    barometerCelsius = barometer.celsius
    self.random = random
  }

  func field(at instant: Timestamp) -> SIMD3<Double> {
    let t = max(0, instant.seconds - latencySeconds - magnetometer.lagSeconds)
    return magnetometer.reading(
      of: bodyToChip(physics.bodyField(atSeconds: t)), random: &random
    ).microtesla
  }

  func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    let truth = bodyToChip.rotate(kinematics(at: instant).angularRate.radiansPerSecond)
    return gyroscope.measure(truth, random: &random)
  }

  func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    let truth = bodyToChip.rotate(kinematics(at: instant).specificForce.metresPerSecondSquared)
    return accelerometer.measure(truth, random: &random)
  }

  func hectopascal(at instant: Timestamp) -> Double {
    let truth = physics.pressure(kinematics(at: instant), atSeconds: instant.seconds)
    return barometer.measure(truth, at: instant, random: &random).hectopascal
  }

  func celsius(at instant: Timestamp) -> Double { barometerCelsius }

  /// Cached, because a unit reads rate and force of one instant one after the other.
  private func kinematics(at instant: Timestamp) -> Kinematics {
    if let last, last.instant == instant { return last.kinematics }
    let kinematics = physics.kinematics(atSeconds: max(0, instant.seconds - latencySeconds))
    last = (instant, kinematics)
    return kinematics
  }
}
