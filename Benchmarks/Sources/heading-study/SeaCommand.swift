import ArgumentParser
import Foundation
import Fusion
import Quantities
import RecordedTrials
import Simulation
import Study

/// Attitude and heave of a boat in simulated seas.
struct SeaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sea",
    abstract: "Judges roll, pitch, heading and heave in simulated seas.",
    discussion: """
      Four JONSWAP seas as those of the project ocean-imu (github.com/bareboat-necessities/ocean-imu), in the given number of seeds, 20 minutes each, of which the first 5 are not judged. \
      Prints root mean square errors, degrees, and that of heave in percent of the significant height: the mean of the seeds.
      """
  )

  @Option(help: "Seeds of each sea.")
  var seeds: UInt64 = 10

  /// Significant height and peak period of ocean-imu's records.
  private static let seas = [(0.27, 3.0), (1.5, 5.7), (4.0, 8.5), (8.5, 11.4)]
  private static let (begin, end) = (300.0, 1200.0)

  func run() throws {
    guard (1...100).contains(seeds) else { throw ValidationError("--seeds takes 1 to 100") }
    say("sea: height, period; roll, pitch, heading; inside the stated 95 %; heave")
    for kind in Kind.allCases {
      for (height, period) in Self.seas {
        var sums = Errors()
        for seed in 1...seeds {
          sums.add(try errors(kind.scenario(height, period, seed), height, seed))
        }
        let n = Double(seeds)
        say(
          String(
            format: "%@ %.2f m %.1f s: %.2f %.2f %.2f; %.2f; %.1f %%",
            kind.rawValue, height, period, sums.roll / n, sums.pitch / n, sums.heading / n,
            sums.inside / n, sums.heave / n))
      }
    }
  }

  /// What else there is besides waves.
  private enum Kind: String, CaseIterable {
    case waves
    case iron = "3 uT of iron"
    case rough = "swell, slams, engine, iron"

    func scenario(_ height: Double, _ period: Double, _ seed: UInt64) -> Scenario {
      var systems = [
        WaveSystem(heightMetres: height, periodSeconds: period, direction: Angle(degrees: 100))
      ]
      if self == .rough {
        systems.append(
          WaveSystem(
            heightMetres: 0.7 * height, periodSeconds: 1.8 * period,
            direction: Angle(degrees: 160), enhancement: 6, spread: Angle(degrees: 8)))
      }
      var sea = Sea(systems, slamsPerMinute: self == .rough ? 3 : 0)
      if self == .rough { sea.engineAcceleration = 0.5 }
      // The published figures are of a boat that does not turn; turns are judged with the iron that
      // they show.
      var scenario = Scenario.afloat(
        "sea", on: sea, seed: seed, courses: self == .waves ? [250] : [250, 310, 250, 190])
      if self != .waves {
        scenario.magnetometer?.hardIron = MagneticField(microtesla: SIMD3(2, -2, 1))
      }
      return scenario
    }
  }

  private struct Errors {
    var (roll, pitch, heading, inside, heave) = (0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ e: Errors) {
      roll += e.roll
      pitch += e.pitch
      heading += e.heading
      inside += e.inside
      heave += e.heave
    }
  }

  private func errors(_ scenario: Scenario, _ height: Double, _ seed: UInt64) throws -> Errors {
    guard let start = UTCTime(year: 2026, month: 5, day: 1, hour: 12) else {
      throw StudyError("no such date")
    }
    var world = try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start)
    let mount = scenario.mount.rotation
    var filter = AttitudeEstimator(mounting: mount)
    var heave = HeaveFilter()
    var (squares, n) = (Errors(), 0.0)
    let mean = world.truth(at: Timestamp(nanoseconds: 0)).altitudeMetres - scenario.surfaceAtStart
    while let sample = world.next(), sample.timestamp.seconds < Self.end {
      let t = sample.timestamp
      switch sample {
      case .inertial(let raw):
        filter.update(
          InertialSample<BodyFrame>(
            timestamp: t, angularRate: raw.angularRate.map { mount($0) },
            specificForce: raw.specificForce.map { mount($0) }))
        guard let solution = filter.solution else { continue }
        if let a = solution.acceleration { heave.update(downwardAcceleration: a.z, at: t) }
        guard t.seconds > Self.begin else { continue }
        let truth = world.truth(at: t)
        let (own, real) = (
          solution.attitude.attitudeAngles, truth.magneticAttitude.attitudeAngles
        )
        func square(_ a: Angle, _ b: Angle) -> Double {
          let d = (a - b).wrappedToHalfTurn.degrees
          return d * d
        }
        squares.roll += square(own.roll, real.roll)
        squares.pitch += square(own.pitch, real.pitch)
        let heading = square(own.heading, real.heading)
        squares.heading += heading
        let stated = solution.headingAccuracy?.degrees ?? 0
        squares.inside += heading <= stated * stated ? 1 : 0
        let lift = heave.metres - (truth.altitudeMetres - mean)
        squares.heave += lift * lift
        n += 1
      case .field(let raw):
        filter.update(FieldSample<BodyFrame>(timestamp: t, field: mount(raw.field)))
      case .pressure, .fix, .heading: continue
      }
    }
    var e = Errors()
    (e.roll, e.pitch) = ((squares.roll / n).squareRoot(), (squares.pitch / n).squareRoot())
    e.heading = (squares.heading / n).squareRoot()
    e.inside = squares.inside / n
    e.heave = 100 * (squares.heave / n).squareRoot() / height
    return e
  }
}

extension Scenario {
  /// The height of the surface at the start, metres.
  fileprivate var surfaceAtStart: Double {
    motion.up.waves.reduce(0) { $0 + $1.amplitude * sin($1.phase) }
  }
}
