import ArgumentParser
import EarthModel
import Foundation
import Fusion
import Quantities
import Simulation
import Study

/// Outages of 60 s in a simulated drive at 15 m/s with turns.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Outages of a simulated drive, over many worlds.")

  @Option(help: "Worlds.")
  var seeds: UInt64 = 50
  @Option(help: "Seconds of an outage.")
  var outage = 60.0
  @Flag(help: "Without a magnetometer.")
  var noCompass = false
  @Option(help: "Factor of all noises of inertial navigation.")
  var noise = 1.0
  @Option(help: "Correlation time of the receiver's error, s.")
  var correlation = PositionFilter.Parameters().receiverErrorTime
  @Flag(help: "A line for each world.")
  var verbose = false

  /// The scenario: legs of 15 m/s with turns of 40 to 120 degrees; the sensors of the requirement.
  static func scenario(_ seed: UInt64, outages: [TimeSpan]) -> Scenario {
    var random = SplitMix(seed &* 0x9E37_79B9_7F4A_7C15)
    var course = Double(random.next() % 360)
    var legs: [Leg] = []
    let first = course
    var last = course
    // Until the route closes with a turn that a car can drive.
    while legs.count < 40
      || abs(Angle(degrees: last - first).wrappedToHalfTurn.degrees) > 120
    {
      legs.append(
        Leg(
          seconds: 12 + Double(random.next() % 26), course: Angle(degrees: course),
          speedMetresPerSecond: 15))
      last = course
      let turn = 40 + Double(random.next() % 81)
      course += random.next() % 2 == 0 ? turn : -turn
    }
    var scenario = Scenario.carDrive
    scenario.name = "turns at 15 m/s"
    scenario.motion.route = Route(legs: legs, turnSeconds: 8)
    scenario.motion.up = Oscillation(waves: [
      Sinusoid(amplitude: 5, hertz: 1.0 / 210, phase: 4.5)
    ])
    let g = 9.806_65
    scenario.inertialUnit = InertialUnitModel(
      rateHertz: 100,
      gyroscope: InertialErrorModel(
        turnOnBias: 0.5 * .pi / 180, biasWalk: 10 * .pi / 180 / 3600 / 10,
        noiseDensity: 0.3 * .pi / 180 / 60 * 2.0.squareRoot(),
        response: Matrix3(diagonal: SIMD3(1, 1, 1))),
      accelerometer: InertialErrorModel(
        turnOnBias: 5e-3 * g, biasWalk: 1e-5, noiseDensity: 150e-6 * g,
        response: Matrix3(diagonal: SIMD3(1.005, 0.995, 1.005))))
    scenario.receiver = ReceiverModel(
      horizontalDriftMetres: 3, verticalDriftMetres: 5, driftSeconds: 60, noiseMetres: 0.2,
      velocityNoise: 0.1, latencySeconds: 0, outages: outages)
    return scenario
  }

  func run() throws {
    guard let start = UTCTime(year: 2026, month: 5, day: 1, hour: 12) else { return }
    var judge = OutageJudge(
      outages: [300.0, 540].map { TimeSpan(fromSeconds: $0, toSeconds: $0 + outage) })
    for seed in 1...seeds {
      var scenario = Self.scenario(seed, outages: judge.outages)
      if noCompass { scenario.magnetometer = nil }
      let before = judge.ends.count
      try drive(SimulatedWorld(scenario: scenario, seed: seed, startUTC: start), &judge)
      if verbose { print(seed, judge.ends[before...].map { Int($0) }) }
    }
    judge.report()
  }

  private var parameters: PositionFilter.Parameters {
    var p = PositionFilter.Parameters()
    p.forceNoise *= noise
    p.forceScaleNoise *= noise
    p.rateNoise *= noise
    p.rateScaleNoise *= noise
    p.receiverErrorTime = correlation
    return p
  }

  private func drive(_ simulated: SimulatedWorld, _ judge: inout OutageJudge) {
    var world = simulated
    var attitude = AttitudeEstimator()
    var filter = PositionFilter(parameters: parameters)
    filter.isVehicle = noCompass
    var lastFix: Fix?
    var nextSecond = 0.0
    while let sample = world.next(), sample.timestamp.seconds < 660 {
      let t = sample.timestamp
      switch sample {
      case .inertial(let raw):
        let body = InertialSample<BodyFrame>(
          timestamp: t, angularRate: raw.angularRate.map { AngularRate(components: $0.components) },
          specificForce: raw.specificForce.map { SpecificForce(components: $0.components) })
        attitude.update(body)
        filter.update(body)
        let truth = world.truth(at: t)
        guide(&attitude, &filter, truth, &judge)
        guard t.seconds >= nextSecond, t.seconds > 60, let solution = filter.solution(at: t) else {
          continue
        }
        nextSecond = t.seconds + 0.9999
        judge.add(solution, truth, lastFix)
      case .field(let raw):
        attitude.update(
          FieldSample<BodyFrame>(
            timestamp: t, field: MagneticField(components: raw.field.components)))
      case .fix(let fix):
        lastFix = fix.position != nil ? fix : lastFix
        filter.update(fix)
      default: break
      }
    }
  }

  /// Gives each filter what the other knows, as the pipeline does, and judges the heading.
  private func guide(
    _ attitude: inout AttitudeEstimator, _ filter: inout PositionFilter, _ truth: Truth,
    _ judge: inout OutageJudge
  ) {
    if let s = attitude.solution, s.isLevelKnown {
      filter.orient(
        s.attitude,
        north: s.isHeadingKnown
          ? KnownNorth(
            turn: truth.declination.radians, sigma: (s.headingAccuracy?.radians ?? 2) / 2,
            errorSeconds: 60) : nil,
        rateBias: attitude.gyroscopeBias.radiansPerSecond,
        rateBiasSigma: attitude.gyroscopeBiasSigma, isAtRest: attitude.isAtRest,
        at: truth.timestamp)
      let heading =
        noCompass
        ? (filter.inertialSolution?.attitude.attitudeAngles.heading ?? .zero) - truth.declination
        : s.attitude.attitudeAngles.heading
      if truth.timestamp.seconds > 60 { judge.add(heading: heading, truth) }
    }
  }
}
