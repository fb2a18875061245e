import Configuration
import EarthModel
import Formats
import Foundation
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// The whole pipeline with simulated worlds.
@Suite("The pipeline", .timeLimit(.minutes(30)))
struct PipelineTests {
  private static let start = UTCTime(year: 2026, month: 6, day: 1, hour: 12)

  private func world(_ scenario: Scenario, seed: UInt64 = 7) throws -> SimulatedWorld {
    try SimulatedWorld(scenario: scenario, seed: seed, startUTC: try #require(Self.start))
  }

  /// Runs a scenario and hands each estimate with its truth to `check`.
  private func run(
    _ scenario: Scenario, seconds: Double, seed: UInt64 = 7,
    _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    _ check: (Estimate, Truth) throws -> Void
  ) throws {
    let world = try world(scenario, seed: seed)
    var rows = WorldRows(world: world)
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.isSimulated = true
    configure(&configuration)
    var pipeline = Pipeline(configuration: configuration)
    while let row = try rows.next(), row.timestamp.seconds < seconds {
      pipeline.process(row)
      if row.inertial != nil || row.fix != nil {
        try check(pipeline.estimate, world.truth(at: row.timestamp))
      }
    }
  }

  private func difference(_ a: Angle, _ b: Angle) -> Double {
    abs((a - b).wrappedToHalfTurn.degrees)
  }

  @Test("the machine's clock dates a board without a receiver, but never a receiver's fix")
  func machineClock() throws {
    let machine = try #require(Self.start)
    let received = try #require(UTCTime(year: 2019, month: 4, day: 6, hour: 3))
    var configuration = PipelineConfiguration()
    (configuration.utcAtStart, configuration.isStartMachineClock) = (machine, true)
    var pipeline = Pipeline(configuration: configuration)
    func second(_ n: UInt64) -> Timestamp { Timestamp(nanoseconds: n * 1_000_000_000) }
    pipeline.process(SensorSamples(timestamp: second(1)))
    #expect(pipeline.estimate.utc == machine)
    var fix = Fix(timestamp: second(2), kind: .threeDimensional)
    fix.position = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)
    pipeline.process(fix)
    #expect(pipeline.estimate.position != nil && pipeline.estimate.utc == nil)
    (fix.timestamp, fix.utc) = (second(3), received)
    pipeline.process(fix)
    #expect(pipeline.estimate.utc == received)
    pipeline.process(SensorSamples(timestamp: second(5)))
    #expect(pipeline.estimate.utc == received.advanced(bySeconds: 2))
    // A date given by the user applies to the recording.
    configuration.isStartMachineClock = false
    var replay = Pipeline(configuration: configuration)
    (fix.timestamp, fix.utc) = (second(2), nil)
    replay.process(fix)
    #expect(replay.estimate.utc == machine)
  }

  @Test("a boat in waves gets true heading, roll and pitch within a few degrees")
  func boat() throws {
    var squares = (heading: 0.0, tilt: 0.0)
    var count = 0.0
    var covered = 0.0
    for seed in 1...4 {
      try run(.sailingBoat, seconds: 120, seed: UInt64(seed)) { estimate, truth in
        guard estimate.timestamp.seconds > 20, let heading = estimate.trueHeading,
          let angles = estimate.attitude?.attitudeAngles
        else { return }
        let error = difference(heading.angle, truth.attitude.attitudeAngles.heading)
        squares.heading += error * error
        let roll = difference(angles.roll, truth.attitude.attitudeAngles.roll)
        let pitch = difference(angles.pitch, truth.attitude.attitudeAngles.pitch)
        squares.tilt += roll * roll + pitch * pitch
        count += 1
        if error < (try #require(estimate.trueHeadingAccuracy)).degrees { covered += 1 }
      }
    }
    #expect(count > 10_000)
    #expect((squares.heading / count).squareRoot() < 2.5)
    #expect((squares.tilt / count).squareRoot() < 2)
    #expect(covered / count > 0.95)
  }

  @Test("all estimates of a simulated world are labelled")
  func label() throws {
    try run(.tableTop, seconds: 3) { estimate, _ in #expect(estimate.isSimulated) }
  }

  @Test("altitude stays within its accuracy over a drive with hills")
  func altitude() throws {
    var inside = 0.0
    var count = 0.0
    try run(.carDrive, seconds: 240) { estimate, truth in
      guard estimate.timestamp.seconds > 60, let altitude = estimate.altitudeMetres else { return }
      count += 1
      let accuracy = try #require(estimate.verticalAccuracyMetres)
      if abs(altitude - truth.altitudeMetres) < 3 * accuracy { inside += 1 }
    }
    #expect(count > 1000)
    #expect(inside / count > 0.95)
  }

  @Test("without a calibration there is a heading, but its accuracy is unknown")
  func uncalibrated() throws {
    var seen = false
    try run(.sailingBoat, seconds: 10) {
      $0.calibration = .none
    } _: { estimate, _ in
      guard estimate.magneticHeading != nil else { return }
      seen = true
      #expect(estimate.headingAccuracy == nil)
      #expect(estimate.calibration == .uncalibrated)
    }
    #expect(seen)
  }

  @Test("a calibration file's iron is removed and its error is part of the accuracy")
  func calibrated() throws {
    let iron = SIMD3<Double>(12, -8, 20)
    let calibration = MagnetometerCalibration(
      softIron: .identity, hardIron: MagneticField(microtesla: iron), quality: .good,
      predictedHeadingError: Angle(degrees: 4))
    var clean = Pipeline(
      configuration: {
        var c = PipelineConfiguration()
        // Not assumed, whose axes are not proven yet.
        c.calibration = .fitted(
          MagnetometerCalibration(
            softIron: .identity, hardIron: MagneticField(microtesla: .zero), quality: .good,
            predictedHeadingError: .zero))
        return c
      }())
    var corrected = Pipeline(
      configuration: {
        var c = PipelineConfiguration()
        c.calibration = .fitted(calibration)
        return c
      }())
    var rows = WorldRows(world: try world(.sailingBoat))
    while let row = try rows.next(), row.timestamp.seconds < 20 {
      clean.process(row)
      var bent = row
      if let field = row.field {
        bent.field = FieldSample(
          timestamp: field.timestamp,
          field: MagneticField(microtesla: field.field.microtesla + iron))
      }
      corrected.process(bent)
    }
    let (a, b) = (clean.estimate, corrected.estimate)
    #expect(
      try difference(#require(a.magneticHeading).angle, #require(b.magneticHeading).angle)
        < 0.05)
    let (wide, narrow) = (try #require(b.headingAccuracy), try #require(a.headingAccuracy))
    let expected = (narrow.degrees * narrow.degrees + 64).squareRoot()
    // The accuracy is the weight of the compass in inertial navigation, which aids the attitude.
    #expect(abs(wide.degrees - expected) < 0.05)
    #expect(b.calibration == .good)
  }

  @Test("a board with only some sensors reports only the quantities that they measure")
  func partialBoards() throws {
    for (name, remove) in Self.partialBoards {
      var scenario = Scenario.sailingBoat
      remove(&scenario)
      var last: Estimate?
      try run(scenario, seconds: 30) { estimate, _ in last = estimate }
      let estimate = try #require(last, "\(name)")
      let hasField = scenario.magnetometer != nil
      let (hasInertial, hasFix) = (scenario.inertialUnit != nil, scenario.receiver != nil)
      #expect((estimate.magneticHeading != nil) == hasField, "\(name)")
      #expect((estimate.trueHeading != nil) == (hasField && hasFix), "\(name)")
      #expect((estimate.calibration != nil) == hasField, "\(name)")
      #expect((estimate.attitude != nil) == hasInertial, "\(name)")
      #expect(estimate.isLevelKnown == hasInertial, "\(name)")
      #expect((estimate.rateOfTurn != nil) == hasInertial, "\(name)")
      #expect((estimate.position != nil) == hasFix, "\(name)")
      #expect((estimate.altitudeMetres != nil) == hasFix, "\(name)")
    }
  }

  private static let partialBoards: [(String, @Sendable (inout Scenario) -> Void)] = [
    ("no magnetometer", { $0.magnetometer = nil }),
    ("no receiver", { $0.receiver = nil }),
    ("no barometer", { $0.barometer = nil }),
    ("receiver alone", { ($0.magnetometer, $0.inertialUnit, $0.barometer) = (nil, nil, nil) }),
  ]

  @Test("a fix without a velocity expires after ten seconds, and is not carried on")
  func staleFix() throws {
    var pipeline = Pipeline()
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .threeDimensional)
    fix.position = GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2)
    pipeline.process(fix)
    #expect(pipeline.estimate.position != nil)
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: 11_000_000_000))
    row.pressure = PressureSample(timestamp: row.timestamp, hectopascal: 1000)
    pipeline.process(row)
    #expect(pipeline.estimate.position == nil)
    #expect(pipeline.estimate.fixKind == FixKind.none)
  }

  @Test("another compass gives the headings of a board without a magnetometer, while it sends them")
  func otherCompass() throws {
    func second(_ n: Double) -> Timestamp { Timestamp(nanoseconds: UInt64(nanosecondsIn: n)) }
    func row(_ n: Double, magnetic: Double? = nil, true degrees: Double? = nil) -> SensorSamples {
      var row = SensorSamples(timestamp: second(n))
      row.heading = HeadingSample(
        timestamp: second(n), magnetic: magnetic.map { MagneticHeading(Angle(degrees: $0)) },
        true: degrees.map { TrueHeading(Angle(degrees: $0)) }, accuracy: Angle(degrees: 5))
      return row
    }
    var pipeline = Pipeline(configuration: PipelineConfiguration())
    pipeline.process(row(1, magnetic: 359))
    #expect(pipeline.estimate.trueHeading == nil)
    pipeline.process(row(1.1, true: 3))
    // Both headings of two sentences, without a place.
    #expect(pipeline.estimate.magneticHeading?.angle == Angle(degrees: 359))
    #expect(pipeline.estimate.trueHeading?.angle == Angle(degrees: 3))
    #expect(pipeline.estimate.trueHeadingAccuracy == Angle(degrees: 10))
    #expect(pipeline.estimate.attitude == nil && !pipeline.estimate.isLevelKnown)
    for n in [2.0, 3, 4] { pipeline.process(row(n, true: 10 + n)) }
    // The magnetic heading has ended, as it came from the compass only.
    pipeline.process(SensorSamples(timestamp: second(4.5)))
    #expect(pipeline.estimate.magneticHeading == nil)
    #expect(pipeline.estimate.trueHeading?.angle == Angle(degrees: 14))
    pipeline.process(SensorSamples(timestamp: second(7.1)))
    #expect(pipeline.estimate.trueHeading == nil && pipeline.estimate.headingAccuracy == nil)
  }

  @Test("true heading needs a place and a date")
  func trueNorth() throws {
    var scenario = Scenario.tableTop
    scenario.receiver = nil
    try run(scenario, seconds: 5) { estimate, _ in #expect(estimate.trueHeading == nil) }
  }
}
