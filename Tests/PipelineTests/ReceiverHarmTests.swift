import Configuration
import Formats
import Pipeline
import Quantities
import RealModule
import Simulation
import TestSupport
import Testing

/// A receiver may help the heading or leave it: in simulated worlds of twenty kinds of motion, with
/// wrong biases, late receivers, receivers without velocity, iron and lost sensors.
@Suite("A receiver never harms heading and tilt", .timeLimit(.minutes(30)))
struct ReceiverHarmTests {
  /// A kind of motion.
  enum Kind: String, CaseIterable, Sendable {
    case table, slowHand, tumblingHand, walking, running, bicycle, town, highway, circlingCar
    case tractor, robot, calmBoat, sailingBoat, roughSea, swell, hovering, aggressiveCopter
    case circlingWing, lift, train

    var motion: Motion {
      switch self {
      case .table: Scenario.tableTop.motion
      case .slowHand:
        Motion(
          heading: waves((60, 0.02)), pitch: waves((20, 0.07)), roll: waves((15, 0.05)))
      case .tumblingHand: Scenario.handheldTumbling.motion
      case .walking: gait(speed: 1.4, hertz: 1.9, height: 0.03)
      case .running: gait(speed: 3, hertz: 2.7, height: 0.05)
      case .bicycle:
        drive([(60, 30, 5), (60, 100, 6), (60, 60, 5)], turn: 6, roll: waves((4, 0.4)))
      case .town: Scenario.carDrive.motion
      case .highway: drive([(200, 40, 33), (200, 60, 30)], turn: 30, roll: waves((0.4, 1.3)))
      case .circlingCar: circle(radius: 12, period: 21, bank: 0, outward: true)
      case .tractor:
        drive(
          [(80, 0, 2), (20, 90, 2), (80, 180, 2), (20, 90, 2)], turn: 8,
          roll: waves((3, 0.7), (1, 2.3)), pitch: waves((2, 0.9), (1, 3.1)))
      case .robot: Scenario.levelRover.motion
      case .calmBoat: drive([(120, 200, 3), (120, 240, 3)], turn: 15, roll: waves((2, 0.2)))
      case .sailingBoat: Scenario.sailingBoat.motion
      case .roughSea: Scenario.roughSea.motion
      case .swell:
        Sea([
          WaveSystem(
            heightMetres: 3, periodSeconds: 13, direction: Angle(degrees: 30), enhancement: 6)
        ]).motion(
          along: Route(
            legs: [Leg(seconds: 100, course: .zero, speedMetresPerSecond: 0.5)], turnSeconds: 5),
          seed: 5)
      case .hovering:
        Motion(
          north: metres((0.6, 0.11)), east: metres((0.5, 0.08)), up: metres((0.3, 0.05)),
          heading: waves((25, 0.01)), pitch: waves((2, 0.4)), roll: waves((2, 0.5)))
      case .aggressiveCopter:
        Motion(
          north: metres((12, 0.08)), east: metres((9, 0.11)), up: metres((2, 0.06)),
          heading: waves((80, 0.03)), pitch: waves((18, 0.08)), roll: waves((20, 0.11)))
      case .circlingWing: circle(radius: 60, period: 24, bank: 57, outward: false)
      case .lift:
        Motion(
          up: Oscillation(ramps: [
            Ramp(fromSeconds: 30, seconds: 20, change: 40),
            Ramp(fromSeconds: 70, seconds: 25, change: -40),
          ]), heading: Oscillation(mean: 1))
      case .train: drive([(150, 80, 40), (150, 140, 40)], turn: 60, roll: waves((0.3, 0.8)))
      }
    }

    /// What a user states: wheels make the course a heading.
    var activity: Activity {
      switch self {
      case .bicycle, .town, .highway, .circlingCar, .tractor, .train: .automotiveNavigation
      case .calmBoat, .sailingBoat, .roughSea, .swell: .otherNavigation
      case .hovering, .aggressiveCopter, .circlingWing: .airborne
      default: .other
      }
    }

    private func waves(_ all: (Double, Double)...) -> Oscillation {
      Oscillation(
        waves: all.map {
          Sinusoid(amplitude: Angle(degrees: $0.0).radians, hertz: $0.1, phase: $0.0)
        })
    }

    private func metres(_ amplitude: (Double, Double)) -> Oscillation {
      Oscillation(waves: [Sinusoid(amplitude: amplitude.0, hertz: amplitude.1)])
    }

    private func drive(
      _ legs: [(Double, Double, Double)], turn: Double, roll: Oscillation,
      pitch: Oscillation = Oscillation()
    ) -> Motion {
      Motion(
        route: Route(
          legs: legs.map {
            Leg(seconds: $0.0, course: Angle(degrees: $0.1), speedMetresPerSecond: $0.2)
          }, turnSeconds: turn), bow: .alongCourse, pitch: pitch, roll: roll)
    }

    private func gait(speed: Double, hertz: Double, height: Double) -> Motion {
      var motion = drive(
        [(40, 20, speed), (30, 110, speed), (50, 60, speed)], turn: 3, roll: waves((6, hertz / 2)),
        pitch: waves((5, hertz)))
      motion.up = metres((height, hertz))
      return motion
    }

    /// Circles clockwise; the bow along the way.
    private func circle(radius: Double, period: Double, bank: Double, outward: Bool) -> Motion {
      var east = metres((radius, 1 / period))
      east.waves[0].phase = -.pi / 2
      return Motion(
        north: metres((radius, 1 / period)), east: east,
        heading: Oscillation(growthPerSecond: 2 * .pi / period),
        roll: Oscillation(mean: Angle(degrees: outward ? -2 : bank).radians))
    }
  }

  /// What is wrong in a world, by its seed.
  struct Trouble: Sendable {
    var seed: UInt64
    var latency: Double { [0.0, 0.1, 0.2, 0.4][Int(seed % 4)] }
    var hasVelocity: Bool { seed % 2 == 0 }
    var iron: Double { [0.0, 4, 15][Int(seed % 3)] }
    var losesField: Bool { seed % 5 == 4 }
    var losesReceiver: Bool { seed % 5 == 2 }
  }

  private struct Errors {
    var fault: InputVerdicts.Fault?
    var (heading, tilt, stated, count) = (0.0, 0.0, 0.0, 0.0)
  }

  private static let (begin, end) = (30.0, 120.0)

  private func errors(_ kind: Kind, _ trouble: Trouble, hasReceiver: Bool) throws -> Errors {
    var scenario = Scenario.tableTop
    scenario.motion = kind.motion
    scenario.receiver?.latencySeconds = trouble.latency
    scenario.receiver?.rateHertz = 5
    if trouble.losesReceiver {
      scenario.receiver?.outages = [TimeSpan(fromSeconds: 50, toSeconds: 75)]
    }
    let iron = SIMD3<Double>(0.6, -0.7, 0.4) * trouble.iron
    scenario.magnetometer?.hardIron = MagneticField(microtesla: iron)
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    let world = try SimulatedWorld(scenario: scenario, seed: trouble.seed, startUTC: start)
    var rows = WorldRows(world: world)
    var configuration = PipelineConfiguration()
    configuration.calibration = .none
    configuration.onlineCalibration = true
    configuration.activity = kind.activity
    var pipeline = Pipeline(configuration: configuration)
    var e = Errors()
    while var row = try rows.next(), row.timestamp.seconds < Self.end {
      let t = row.timestamp.seconds
      if !hasReceiver { row.fix = nil }
      if !trouble.hasVelocity {
        row.fix?.velocity = nil
        row.fix?.speedMetresPerSecond = nil
        row.fix?.course = nil
      }
      if trouble.losesField, t > 60, t < 85 { row.field = nil }
      pipeline.process(row)
      guard t > Self.begin, row.inertial != nil else { continue }
      let estimate = pipeline.estimate
      guard let attitude = estimate.attitude else { continue }
      let truth = world.truth(at: row.timestamp).magneticAttitude
      let error = attitude * truth.inverse
      let turn = Angle(radians: 2 * Double.atan2(y: error.v.z, x: error.w))
      let heading = turn.wrappedToHalfTurn.degrees
      let (down, real) = (attitude.rows.2, truth.rows.2)
      let tilt = Double.acos(min(max(down.dot(real), -1), 1)) * 180 / .pi
      e.heading += heading * heading
      e.tilt += tilt * tilt
      e.stated += estimate.headingAccuracy?.degrees ?? 0
      e.count += 1
    }
    #expect(e.count > 5000)
    let n = max(e.count, 1)
    return Errors(
      fault: pipeline.estimate.inputs?.fault, heading: (e.heading / n).squareRoot(),
      tilt: (e.tilt / n).squareRoot(), stated: e.stated / n,
      count: n)
  }

  @Test(
    "in no world heading or tilt are worse with it than without by more than is stated",
    arguments: Kind.allCases)
  func harmless(kind: Kind) throws {
    for seed: UInt64 in [1, 2, 4, 7] {
      let trouble = Trouble(seed: seed &+ UInt64(kind.rawValue.utf8.count))
      let with = try errors(kind, trouble, hasReceiver: true)
      let without = try errors(kind, trouble, hasReceiver: false)
      #expect(with.fault == nil && without.fault == nil, "\(with), \(without)")
      // A heading whose accuracy is not stated yet may differ by a degree, and a wide one does not
      // forgive everything.
      #expect(
        with.heading <= without.heading + min(max(with.stated, 1), 15),
        "heading \(with.heading), without \(without.heading), stated \(with.stated): \(trouble)")
      #expect(
        with.tilt <= without.tilt * 1.1 + 0.2,
        "tilt \(with.tilt), without \(without.tilt): \(trouble)")
    }
  }
}
