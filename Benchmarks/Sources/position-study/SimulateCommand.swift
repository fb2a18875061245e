import ArgumentParser
import EarthModel
import Foundation
import Fusion
import Quantities
import Simulation

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
  @Flag(help: "Without aiding of the attitude filter.")
  var unaided = false
  @Option(help: "Factor of all noises of inertial navigation.")
  var noise = 1.0
  @Option(help: "Correlation time of the receiver's error, s.")
  var correlation = PositionFilter.Parameters().receiverErrorTime
  @Flag(help: "A line for each world.")
  var verbose = false

  /// The scenario: legs of 15 m/s with turns of 40 to 120 degrees; the sensors of the requirement.
  static func scenario(_ seed: UInt64, outages: [TimeSpan]) -> Scenario {
    var random = SplitMix(seed)
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
    var ends: [Double] = []
    var dead: [Double] = []
    var inside = (0, 0)
    var outside = (0, 0)
    var headings: [Double] = []
    var turning: [Double] = []
    for seed in 1...seeds {
      let outages = [
        TimeSpan(fromSeconds: 300, toSeconds: 300 + outage),
        TimeSpan(fromSeconds: 540, toSeconds: 540 + outage),
      ]
      var scenario = Self.scenario(seed, outages: outages)
      if noCompass { scenario.magnetometer = nil }
      var world = try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start)
      var attitude = AttitudeEstimator()
      var parameters = PositionFilter.Parameters()
      parameters.forceNoise *= noise
      parameters.forceScaleNoise *= noise
      parameters.rateNoise *= noise
      parameters.rateScaleNoise *= noise
      parameters.receiverErrorTime = correlation
      var filter = PositionFilter(parameters: parameters)
      filter.isVehicle = noCompass
      var lastFix: Fix?
      var next = 0.0
      var worldEnds: [Double] = []
      while let sample = world.next(), sample.timestamp.seconds < 660 {
        let t = sample.timestamp
        switch sample {
        case .inertial(let raw):
          let body = InertialSample<BodyFrame>(
            timestamp: t,
            angularRate: raw.angularRate.map { AngularRate(components: $0.components) },
            specificForce: raw.specificForce.map { SpecificForce(components: $0.components) })
          attitude.update(body)
          filter.update(body)
          let truth = world.truth(at: t)
          if let s = attitude.solution, s.isLevelKnown {
            filter.orient(
              s.attitude,
              north: s.isHeadingKnown
                ? (truth.declination.radians, (s.headingAccuracy?.radians ?? 2) / 2) : nil,
              rateBias: attitude.gyroscopeBias.radiansPerSecond, isAtRest: attitude.isAtRest, at: t)
            if t.seconds > 60 {
              let heading =
                noCompass
                ? (filter.inertialSolution?.attitude.attitudeAngles.heading.radians ?? 0)
                  - truth.declination.radians
                : s.attitude.attitudeAngles.heading.radians
              let error = Angle(
                radians: heading - truth.magneticHeading.angle.radians
              ).wrappedToHalfTurn.degrees
              headings.append(abs(error))
              if abs(truth.rateOfTurn.degreesPerSecond) > 5 { turning.append(abs(error)) }
            }
          }
          if !unaided, let solution = filter.inertialSolution {
            attitude.aid(by: solution, declination: truth.declination)
          }
          guard t.seconds >= next, t.seconds > 60, let s = filter.solution(at: t) else { continue }
          next = t.seconds + 0.9999
          let plane = LocalPlane(origin: truth.position)
          let e = plane.metres(to: s.position)
          let error = (e * e).sum().squareRoot()
          let isInside = outages.contains {
            t.seconds >= $0.fromSeconds && t.seconds < $0.toSeconds
          }
          let hit = error <= s.horizontalAccuracyMetres ? 1 : 0
          if isInside {
            inside = (inside.0 + hit, inside.1 + 1)
          } else {
            outside = (outside.0 + hit, outside.1 + 1)
          }
          for o in outages where t.seconds >= o.toSeconds - 1 && t.seconds < o.toSeconds {
            ends.append(error)
            worldEnds.append(error)
            if let f = lastFix, let p = f.position, let v = f.speedMetresPerSecond, let c = f.course
            {
              let dt = t.seconds(since: f.timestamp)
              let at = LocalPlane(origin: truth.position).metres(to: p)
              let d = at + SIMD2(Double.cos(c.radians), Double.sin(c.radians)) * (v * dt)
              dead.append((d * d).sum().squareRoot())
            }
          }
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
      if verbose { print(seed, worldEnds.map { Int($0) }) }
    }
    func quantile(_ x: [Double], _ q: Double) -> Double {
      let s = x.sorted()
      return s.isEmpty ? .nan : s[min(s.count - 1, Int(Double(s.count) * q))]
    }
    print(
      String(
        format:
          "end of outage: median %.1f m, p90 %.1f m; last velocity: median %.1f m; ratio %.2f",
        quantile(ends, 0.5),
        quantile(ends, 0.9), quantile(dead, 0.5), quantile(ends, 0.5) / quantile(dead, 0.5)))
    print(
      String(
        format: "coverage of the 68 %% radius: outside %.3f (%d), inside %.3f (%d)",
        Double(outside.0) / Double(outside.1), outside.1, Double(inside.0) / Double(inside.1),
        inside.1))
    print(
      String(
        format: "heading: RMS %.2f, p95 %.2f; turning: RMS %.2f p95 %.2f max %.2f",
        (headings.map { $0 * $0 }.reduce(0, +) / Double(max(1, headings.count))).squareRoot(),
        quantile(headings, 0.95),
        (turning.map { $0 * $0 }.reduce(0, +) / Double(max(1, turning.count))).squareRoot(),
        quantile(turning, 0.95), turning.max() ?? 0))
  }
}

/// Random numbers that are the same everywhere (Steele and others, 2014).
struct SplitMix {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
