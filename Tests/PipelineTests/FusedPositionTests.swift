import Board
import Configuration
import EarthModel
import Formats
import Foundation
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// The fused position and the heading by course, as estimates have them.
@Suite("The pipeline's fused position", .timeLimit(.minutes(30)))
struct FusedPositionTests {
  private func run(
    _ scenario: Scenario, seconds: Double,
    _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    change: (inout SensorSamples, Truth) -> Void = { _, _ in },
    _ check: (Estimate, Truth) throws -> Void
  ) throws {
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    let world = try SimulatedWorld(scenario: scenario, seed: 7, startUTC: start)
    var rows = WorldRows(world: world)
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configure(&configuration)
    var pipeline = Pipeline(configuration: configuration)
    while var row = try rows.next(), row.timestamp.seconds < seconds {
      change(&row, world.truth(at: row.timestamp))
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
      // In hard turns the compass's heading, by which inertial navigation begins, is off by
      // degrees.
      #expect(error < 100, "\(error) m at \(t) s")
      #expect(try abs(#require(estimate.speedMetresPerSecond) - truth.speedMetresPerSecond) < 4)
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
    // A boat is named where the user has said so; a car never is one.
    for (activity, scenario, expected) in [
      (Activity.other, Scenario.sailingBoat, nil),
      (.otherNavigation, .sailingBoat, MotionState.onWater),
      (.other, .carDrive, nil), (.airborne, .carDrive, nil),
    ] {
      var named: Set<MotionState> = []
      try run(scenario, seconds: 240, { $0.activity = activity }) { estimate, truth in
        if truth.timestamp.seconds > 30, let state = estimate.motionState { named.insert(state) }
      }
      #expect(named.contains(.onWater) == (expected == .onWater), "\(activity): \(named)")
      if activity == .airborne { #expect(named.subtracting([.stationary]).isEmpty) }
    }
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

  /// The rows of a simulated world with the fixes of a real receiver's kind, until an instant.
  private struct RealKind: SampleSource {
    var rows: WorldRows
    let seconds: Double
    mutating func next() throws(RecordingError) -> SensorSamples? {
      guard var row = try rows.next(), row.timestamp.seconds < seconds else { return nil }
      row.fix?.kind = .threeDimensional
      return row
    }
  }

  @Test("while fixes are wanted at intervals only, there is no dead reckoning between them")
  func resting() throws {
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    func stamps(_ demand: ReceiverDemand) throws -> Set<Timestamp> {
      let world = try SimulatedWorld(scenario: .carDrive, seed: 7, startUTC: start)
      let player = EstimatePlayer(
        rows: RealKind(rows: WorldRows(world: world), seconds: 100),
        pipeline: PipelineConfiguration(), hasMagnetometer: true, hasReceiver: true, speed: 200)
      player.setReceiverDemand(demand)
      let seen = Collected<Timestamp>()
      let observation = player.observe { if let t = $0.fixTimestamp { seen.add(t) } }
      player.start()
      #expect(eventually { player.end == .complete })
      observation.cancel()
      return Set(seen.all)
    }
    #expect(try stamps(.continuous).count > 80)
    let rare = try stamps(.every(seconds: 30)).map(\.seconds).sorted()
    // A fix or two each time that the receiver is awake.
    #expect((3...8).contains(rare.count), "\(rare)")
  }

  @Test("the heading of two antennas is carried on by the gyroscope, and replaces a worse one")
  func antennas() throws {
    for hasCompass in [false, true] {
      var scenario = Scenario.carDrive
      if !hasCompass { scenario.magnetometer = nil }
      var next = 60.0
      var (square, count, worstAfter) = (0.0, 0, 0.0)
      try run(
        scenario, seconds: 180,
        change: { row, truth in
          let t = row.timestamp.seconds
          guard row.inertial != nil, t >= next, t < 150 else { return }
          next += 1
          let error = Angle(degrees: 0.7 * sin(130 * t))
          row.heading = HeadingSample(
            timestamp: row.timestamp, magnetic: nil,
            true: TrueHeading(truth.trueHeading.angle + error),
            accuracy: Angle(degrees: 0.5))
        }
      ) { estimate, truth in
        let t = truth.timestamp.seconds
        guard t > 65 else { return }
        // A calibrated compass in an undisturbed field is as accurate.
        if !hasCompass {
          #expect(t > 160 || estimate.attitudeMode == .gyroscopeAccelerometerAndAntennas)
        }
        let heading = try #require(estimate.trueHeading)
        let error = abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees)
        if t < 150 {
          (square, count) = (square + error * error, count + 1)
        } else if !hasCompass {
          worstAfter = max(worstAfter, error)
          #expect(try error < 2 * #require(estimate.trueHeadingAccuracy).degrees + 0.5)
        }
      }
      #expect(count > 5000 && (square / Double(count)).squareRoot() < 0.7, "\(square) \(count)")
      #expect(worstAfter < 3, "\(worstAfter)°")
    }
  }

  @Test("a run's sea-level pressure gives the next one an altitude before its first fix")
  func learntQNH() throws {
    var last: Estimate?
    try run(.carDrive, seconds: 120) { estimate, truth in
      if truth.timestamp.seconds > 60 { last = estimate }
    }
    let earlier = try #require(last)
    let then = try #require(earlier.utc)
    #expect(LearntQNH(earlier, at: then.advanced(bySeconds: -1)) == nil)
    #expect(LearntQNH(earlier, at: then.advanced(bySeconds: 13 * 3600)) == nil)
    let learnt = try #require(LearntQNH(earlier, at: then.advanced(bySeconds: 3600)))
    #expect(try learnt.sigmaMetres > #require(earlier.verticalAccuracyMetres) + 0.1)
    var scenario = Scenario.carDrive
    scenario.receiver = nil
    var count = 0
    try run(scenario, seconds: 20, { $0.learntQNH = learnt }) { estimate, truth in
      guard truth.timestamp.seconds > 10 else { return }
      let error = try #require(estimate.altitudeMetres) - truth.altitudeMetres
      let sigma = try #require(estimate.verticalAccuracyMetres)
      #expect(sigma < 30 && abs(error) < 2 * sigma, "\(error) m, \(sigma) m")
      count += 1
    }
    #expect(count > 500)
  }

  @Test("position and altitude are those of the sensors where the antenna is elsewhere")
  func leverArm() throws {
    func along(_ antenna: Board.AntennaPlace?) throws -> (forward: Double, up: Double) {
      var (forward, up, count) = (0.0, 0.0, 0.0)
      try run(
        .carDrive, seconds: 150,
        {
          $0.board.receiver = Board.Receiver(port: "/dev/null")
          $0.board.receiver?.antenna = antenna
        },
        change: { row, truth in
          guard let place = row.fix?.position else { return }
          row.fix?.position =
            Geodesic.direct(
              from: place, bearing: truth.trueHeading.angle, distanceMetres: 20
            ).position
          let (turn, heading) = (truth.rateOfTurn.radiansPerSecond, truth.trueHeading.angle.radians)
          let (x, y) = (
            truth.velocity.metresPerSecond.x - 20 * turn * sin(heading),
            truth.velocity.metresPerSecond.y + 20 * turn * cos(heading)
          )
          row.fix?.velocity = nil
          row.fix?.speedMetresPerSecond = (x * x + y * y).squareRoot()
          row.fix?.course = Angle(radians: atan2(y, x)).wrappedToTurn
          row.fix?.altitudeMetres? += 15
          row.fix?.ellipsoidalAltitudeMetres? += 15
        }
      ) { estimate, truth in
        // By then inertial navigation has begun again, if the start contradicted the receiver.
        guard truth.timestamp.seconds > 100 else { return }
        let solution = Geodesic.inverse(from: truth.position, to: try #require(estimate.position))
        let angle = solution.initialBearing - truth.trueHeading.angle
        forward += solution.distanceMetres * cos(angle.radians)
        up += try #require(estimate.altitudeMetres) - truth.altitudeMetres
        count += 1
      }
      return (forward / count, up / count)
    }
    let without = try along(nil)
    let with = try along(Board.AntennaPlace(forward: 20, right: 0, up: 15))
    #expect(abs(without.forward - with.forward - 20) < 1, "\(without), \(with)")
    #expect(abs(without.up - with.up - 15) < 0.5, "\(without), \(with)")
  }

  @Test("a receiver changes nothing of the attitude: what it shows is not proven for every motion")
  func attitudeWithoutReceiver() throws {
    func attitudes(hasFixes: Bool) throws -> [Rotation<BodyFrame, MagneticEarthFrame>?] {
      var all: [Rotation<BodyFrame, MagneticEarthFrame>?] = []
      try run(.carDrive, seconds: 200, change: { row, _ in if !hasFixes { row.fix = nil } }) {
        estimate, _ in
        all.append(estimate.attitude)
      }
      return all
    }
    #expect(try attitudes(hasFixes: true) == attitudes(hasFixes: false))
  }

  @Test(
    "a compass that contradicts a vehicle's course is reported, and its heading is not used",
    arguments: [60.0, -110])
  func contradictingCompass(degrees: Double) throws {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    var worst = 0.0
    var count = 0
    var contradictions: [Double] = []
    try run(
      .carDrive, seconds: 300, { $0.activity = .automotiveNavigation },
      change: { row, _ in
        guard let m = row.field?.field.components else { return }
        row.field?.field = MagneticField(
          components: SIMD3(c * m.x + s * m.y, c * m.y - s * m.x, m.z))
      },
      { estimate, truth in
        guard truth.timestamp.seconds > 120, let heading = estimate.trueHeading else { return }
        let error = (heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees
        worst = max(worst, abs(error))
        let stated = try #require(estimate.trueHeadingAccuracy).degrees
        #expect(abs(error) <= stated + 1)
        if let contradiction = estimate.compassContradiction?.degrees {
          contradictions.append(contradiction)
        }
        count += 1
      })
    #expect(count > 5000 && worst < 10, "\(count), \(worst)°")
    // Most of the time; what turns it towards the course is the compass's own filter.
    let middle = try #require(contradictions.sorted().dropFirst(contradictions.count / 2).first)
    #expect(contradictions.count > count / 3 && abs(middle + degrees) < 25, "\(middle)°")
  }

  @Test("a compass that agrees with the course contradicts nothing")
  func agreeingCompass() throws {
    try run(.carDrive, seconds: 300, { $0.activity = .automotiveNavigation }) { estimate, truth in
      #expect(estimate.compassContradiction == nil)
    }
  }
}
