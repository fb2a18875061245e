import Configuration
import EarthModel
import Engine
import Foundation
import Quantities
import Simulation
import TestSupport
import Testing

/// The fused position and the heading by course, as estimates have them.
@Suite("The pipeline's fused position")
struct FusedPositionTests {
  private func run(
    _ scenario: Scenario, seconds: Double,
    _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    _ check: (Estimate, Truth) throws -> Void
  ) throws {
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    let world = try SimulatedWorld(scenario: scenario, seed: 7, startUTC: start)
    var rows = WorldRows(world: world)
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configure(&configuration)
    var pipeline = Pipeline(configuration: configuration)
    while let row = try rows.next(), row.timestamp.seconds < seconds {
      pipeline.process(row)
      if row.inertial != nil {
        try check(pipeline.estimate, world.truth(at: row.timestamp))
      }
    }
  }

  @Test("an outage is carried on by the inertial unit, with a new position each second")
  func outage() throws {
    var scenario = Scenario.carDrive
    scenario.receiver?.outages = [TimeSpan(fromSeconds: 120, toSeconds: 150)]
    var stamps: Set<Timestamp> = []
    var reckoned = 0
    try run(scenario, seconds: 155) { estimate, truth in
      let t = truth.timestamp.seconds
      guard t > 124, t < 150 else { return }
      let position = try #require(estimate.position)
      stamps.insert(try #require(estimate.fixTimestamp))
      // That of a simulated receiver stays a simulated one.
      if estimate.fixKind == .simulated { reckoned += 1 }
      let error = Geodesic.inverse(from: position, to: truth.position).distanceMetres
      #expect(error < 60, "\(error) m at \(t) s")
      #expect(try abs(#require(estimate.speedMetresPerSecond) - truth.speedMetresPerSecond) < 2)
    }
    #expect(reckoned > 2000 && (25...28).contains(stamps.count), "\(stamps.count)")
  }

  @Test("an estimate has the state of motion, and says how long an outage lasts")
  func motionState() throws {
    var scenario = Scenario.carDrive
    scenario.receiver?.outages = [TimeSpan(fromSeconds: 120, toSeconds: 150)]
    var longest = 0.0
    try run(scenario, seconds: 155) { estimate, truth in
      let t = truth.timestamp.seconds
      guard t > 80 else { return }
      #expect(estimate.motionState != .stationary)
      #expect((estimate.motionState == nil) == (estimate.motionSince == nil))
      longest = max(longest, estimate.outageSeconds ?? 0)
      if t < 120 || t > 152 { #expect(estimate.outageSeconds == nil) }
    }
    #expect(longest > 28 && longest < 32)
    var seconds = 0.0
    try run(.tableTop, seconds: 40) { estimate, _ in
      guard estimate.timestamp.seconds > 15 else { return }
      #expect(estimate.motionState == .stationary)
      seconds = estimate.timestamp.seconds
    }
    #expect(seconds > 39)
  }

  @Test("an outlier's own place is given beside the predicted one, for monitoring")
  func outlier() throws {
    var pipeline = Pipeline()
    func fix(_ t: Double, north: Double) -> Fix {
      var fix = Fix(
        timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: t)), kind: .threeDimensional)
      fix.position = GeodeticPosition(latitudeDegrees: 48 + north / 111_200, longitudeDegrees: 11)
      (fix.horizontalAccuracyMetres, fix.speedMetresPerSecond) = (4, 10)
      fix.course = .zero
      return fix
    }
    for t in 1...30 { pipeline.process(fix(Double(t), north: 10 * Double(t))) }
    #expect(pipeline.estimate.rejectedPosition == nil)
    let wrong = fix(31, north: 900)
    pipeline.process(wrong)
    let estimate = pipeline.estimate
    #expect(estimate.rejectedPosition == wrong.position && estimate.rejectedAccuracyMetres == 4)
    let predicted = try #require(estimate.position)
    #expect(predicted.latitude.degrees < 48 + 330 / 111_200.0)
    pipeline.process(fix(32, north: 320))
    #expect(pipeline.estimate.rejectedPosition == nil)
  }

  @Test("a vehicle without a magnetometer has the heading of its course, and says so")
  func courseHeading() throws {
    var scenario = Scenario.carDrive
    scenario.magnetometer = nil
    var worst = 0.0
    var count = 0
    try run(scenario, seconds: 150, { $0.activity = .automotiveNavigation }) { estimate, truth in
      guard truth.timestamp.seconds > 60 else { return }
      let heading = try #require(estimate.trueHeading)
      #expect(estimate.attitudeMode == .gyroscopeAccelerometerAndCourse)
      let error = abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees)
      worst = max(worst, error)
      count += 1
    }
    #expect(count > 5000 && worst < 8, "\(worst)°")
    // Without the activity nothing says that the board points along the course.
    try run(scenario, seconds: 60) { estimate, _ in #expect(estimate.trueHeading == nil) }
  }

  @Test("a hard-turning car does not lean the horizon")
  func horizon() throws {
    var worst = 0.0
    try run(.carDrive, seconds: 300) { estimate, truth in
      guard truth.timestamp.seconds > 60, let attitude = estimate.attitude else { return }
      let angles = attitude.attitudeAngles
      let real = truth.angles
      worst = max(
        worst, abs((angles.roll - real.roll).degrees), abs((angles.pitch - real.pitch).degrees))
    }
    #expect(worst < 2, "\(worst)°")
  }
}
