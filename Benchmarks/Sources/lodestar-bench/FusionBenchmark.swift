import CAllocationCounter
import EarthModel
import Foundation
import Fusion
import InputProof
import Pipeline
import Quantities
import Simulation

/// Prints the fused step's parts, one JSON object a line, all a sample of an inertial unit of 200
/// Hz in a simulated car: the attitude alone, the position, the proof of the inputs, and the
/// pipeline with an estimate a sample; and the altitude a sample of pressure.
func benchmarkFusion() throws {
  let drive = try SimulatedDrive()
  try drive.attitude().print()
  try drive.position().print()
  try drive.altitude().print()
  try drive.proof().print()
  try drive.pipeline().print()
}

/// One part's line.
private struct FusionReport: Encodable {
  let name: String
  /// Of the fastest round and of the median one, a sample.
  let nanoseconds: Double
  let nanosecondsMedian: Double
  /// Heap blocks a sample.
  let allocations: Double

  init(_ name: String, _ measurement: Measurement) {
    self.name = name
    nanoseconds = measurement.nanosecondsFastest
    nanosecondsMedian = measurement.nanosecondsMedian
    allocations = measurement.allocations
  }

  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}

/// Two minutes of a drive in memory: 200 inertial samples and 100 of the field a second, a
/// barometer, and a receiver whose fixes are missing for half a minute.
private struct SimulatedDrive {
  /// What the filters get beside the samples, as the pipeline gives it.
  struct Guide {
    var attitude: Rotation<BodyFrame, MagneticEarthFrame>
    var rateBias: SIMD3<Double>
    var rateBiasSigma: SIMD3<Double>
    var isAtRest: Bool
  }

  private static var rounds: Int { 9 }
  private static var seconds: Double { 120 }
  /// One sigma of the heading that the position filter is given, rad.
  private static var headingSigma: Double { 0.05 }

  private var rows: [SensorSamples] = []
  private var inertialCount = 0
  private var pressureCount = 0
  /// By row, every tenth of a second.
  private var guides: [Int: Guide] = [:]
  private let declination: Double

  init() throws {
    var scenario = Scenario.carDrive
    scenario.inertialUnit?.rateHertz = 200
    scenario.magnetometer?.rateHertz = 100
    scenario.receiver?.outages = [TimeSpan(fromSeconds: 70, toSeconds: 100)]
    let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    var world = try SimulatedWorld(scenario: scenario, seed: 1, startUTC: start)
    declination = try MagneticModel.wmm2025.elements(
      at: scenario.origin, ellipsoidalHeightMetres: 0, decimalYear: start.decimalYear
    ).declination.radians
    var estimator = AttitudeEstimator()
    var guided = -1.0
    while let sample = world.next(), sample.timestamp.seconds < Self.seconds {
      var row = SensorSamples(timestamp: sample.timestamp)
      switch sample {
      case .inertial(let inertial):
        row.inertial = inertial
        inertialCount += 1
        estimator.update(Self.inBody(inertial))
        let t = sample.timestamp.seconds
        if t - guided >= 0.1, let solution = estimator.solution, solution.isLevelKnown {
          guided = t
          guides[rows.count] = Guide(
            attitude: solution.attitude,
            rateBias: estimator.gyroscopeBias.radiansPerSecond,
            rateBiasSigma: estimator.gyroscopeBiasSigma, isAtRest: estimator.isAtRest)
        }
      case .field(let field):
        row.field = field
        estimator.update(Self.inBody(field))
      case .pressure(let pressure):
        row.pressure = pressure
        pressureCount += 1
      case .fix(let fix): row.fix = fix
      case .heading(let heading): row.heading = heading
      }
      rows.append(row)
    }
  }

  private static func inBody(_ x: InertialSample<SensorFrame>) -> InertialSample<BodyFrame> {
    InertialSample(
      timestamp: x.timestamp,
      angularRate: x.angularRate.map { AngularRate(components: $0.components) },
      specificForce: x.specificForce.map { SpecificForce(components: $0.components) })
  }

  private static func inBody(_ x: FieldSample<SensorFrame>) -> FieldSample<BodyFrame> {
    FieldSample(timestamp: x.timestamp, field: MagneticField(components: x.field.components))
  }

  func attitude() throws -> FusionReport {
    let measurement = try Measurement(rounds: Self.rounds) {
      var filter = StrapdownFilter()
      for row in rows {
        if let inertial = row.inertial { filter.update(Self.inBody(inertial)) }
        if let field = row.field { filter.update(Self.inBody(field)) }
      }
      guard filter.solution != nil else { throw BenchmarkError("attitude: no solution") }
      return inertialCount
    }
    return FusionReport("attitude", measurement)
  }

  func proof() throws -> FusionReport {
    let measurement = try Measurement(rounds: Self.rounds) {
      var proof = InputProof(vehicleMounting: AxisMount.standard.rotation)
      for row in rows { proof.add(row) }
      guard proof.verdicts.fault == nil else { throw BenchmarkError("proof: a contradiction") }
      return inertialCount
    }
    return FusionReport("proof", measurement)
  }

  func position() throws -> FusionReport {
    let measurement = try Measurement(rounds: Self.rounds) {
      var filter = PositionFilter()
      var inertial = 0
      for (index, row) in rows.enumerated() {
        if let sample = row.inertial {
          filter.update(Self.inBody(sample))
          if let guide = guides[index] {
            filter.orient(
              guide.attitude,
              north: KnownNorth(
                turn: declination, sigma: Self.headingSigma, errorSeconds: 60),
              rateBias: guide.rateBias, rateBiasSigma: guide.rateBiasSigma,
              isAtRest: guide.isAtRest, at: sample.timestamp)
          }
          if let solution = filter.solution(at: sample.timestamp), solution.isInertial {
            inertial += 1
          }
        }
        if row.hasFix, let fix = row.fix { filter.update(fix) }
      }
      guard inertial > inertialCount / 2 else { throw BenchmarkError("position: not inertial") }
      return inertialCount
    }
    return FusionReport("position", measurement)
  }

  func altitude() throws -> FusionReport {
    let measurement = try Measurement(rounds: Self.rounds) {
      var filter = AltitudeFilter()
      for row in rows {
        if let sample = row.pressure {
          filter.update(
            pressureAltitudeMetres: StandardAtmosphere.pressureAltitudeMetres(
              hectopascal: sample.hectopascal), speedMetresPerSecond: 15, at: sample.timestamp)
        }
        if row.hasFix, let fix = row.fix, let metres = fix.altitudeMetres {
          filter.update(
            fixAltitudeMetres: metres, sigmaMetres: fix.verticalAccuracyMetres, at: fix.timestamp)
        }
      }
      guard filter.altitudeMetres != nil else { throw BenchmarkError("altitude: none") }
      return pressureCount
    }
    return FusionReport("altitude", measurement)
  }

  func pipeline() throws -> FusionReport {
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.activity = .automotiveNavigation
    let measurement = try Measurement(rounds: Self.rounds) { (making: inout UInt64) in
      let before = allocation_count()
      var pipeline = Pipeline(configuration: configuration)
      making = allocation_count() - before
      var headings = 0
      for row in rows {
        pipeline.process(row)
        guard row.inertial != nil else { continue }
        if pipeline.estimate.trueHeading != nil { headings += 1 }
      }
      guard headings > inertialCount / 2 else { throw BenchmarkError("pipeline: no heading") }
      return inertialCount
    }
    return FusionReport("pipeline", measurement)
  }
}
