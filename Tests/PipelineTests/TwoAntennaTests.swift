import Board
import Configuration
import Foundation
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// Headings of a receiver with two antennas in the fused heading: errors, stated accuracy, outages,
/// and what is named.
@Suite("Two antennas in the fused heading", .timeLimit(.minutes(30)))
struct TwoAntennaTests {
  /// The errors of headings, degrees, beside the stated 95 %.
  private struct Errors {
    var (square, count, inside, stated, worst) = (0.0, 0.0, 0.0, 0.0, 0.0)
    /// Those of the published filter.
    var (otherSquare, otherCount) = (0.0, 0.0)

    mutating func add(_ estimate: Estimate, _ truth: Truth, other: Angle?) {
      if let other {
        let error = (other - truth.trueHeading.angle).wrappedToHalfTurn.degrees
        otherSquare += error * error
        otherCount += 1
      }
      guard let heading = estimate.trueHeading, let accuracy = estimate.trueHeadingAccuracy else {
        return
      }
      let error = abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees)
      square += error * error
      count += 1
      inside += error <= accuracy.degrees ? 1 : 0
      stated += accuracy.degrees
      worst = max(worst, error)
    }

    var rms: Double { (square / max(count, 1)).squareRoot() }
    var otherRMS: Double { (otherSquare / max(otherCount, 1)).squareRoot() }
    var share: Double { inside / max(count, 1) }
    var mean: Double { stated / max(count, 1) }
    var text: String {
      String(
        format: "rms %.2f, within the stated %.3f, stated %.2f, worst %.2f, n %.0f; Mahony %.2f",
        rms, share, mean, worst, count, otherRMS)
    }
  }

  private static let start = UTCTime(year: 2026, month: 6, day: 1, hour: 12)

  /// Runs a world; `check` gets ten estimates a second.
  private func run(
    _ scenario: Scenario, seed: UInt64 = 7, seconds: Double, baseline: Board.Baseline,
    _ configure: (inout PipelineConfiguration) -> Void = { _ in },
    change: (inout SensorSamples) -> Void = { _ in },
    _ check: (Estimate, Truth, Angle?) throws -> Void
  ) throws {
    let world = try SimulatedWorld(
      scenario: scenario, seed: seed, startUTC: try #require(Self.start))
    var rows = WorldRows(world: world)
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.board.receiver = Board.Receiver(port: "/dev/rx")
    configuration.board.receiver?.baseline = baseline
    configure(&configuration)
    var pipeline = Pipeline(configuration: configuration)
    var other = MahonyFilter()
    var next = 0.0
    while var row = try rows.next(), row.timestamp.seconds < seconds {
      change(&row)
      pipeline.process(row)
      other.process(row, baseline: baseline.statedDirection)
      guard row.timestamp.seconds >= next else { continue }
      next = row.timestamp.seconds + 0.1
      try check(pipeline.estimate, world.truth(at: row.timestamp), other.heading)
    }
  }

  /// Antennas with random errors, an outage of a minute from 150 s, a shorter one, and wrongly fixed
  /// ambiguities for some seconds.
  private static func antennas(
    _ random: inout SeededGenerator, stated: Angle
  ) -> AntennaPairModel {
    func among(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    var pair = AntennaPairModel.consumer
    pair.rateHertz = [1, 5, 10].randomElement(using: &random) ?? 5
    pair.lengthMetres = among(0.4...3)
    pair.driftMetres = among(0.002...0.0045)
    pair.driftSeconds = among(15...150)
    pair.noiseMetres = among(0.001...0.003)
    pair.latencySeconds = among(0.03...0.18)
    pair.statedAccuracy = Bool.random(using: &random) ? 1 : nil
    // The antennas do not stand exactly along the stated direction.
    let mounting = (0..<12).reduce(-6.0) { sum, _ in sum + among(0...1) }
    pair.direction = stated + Angle(degrees: 0.5 * mounting)
    pair.outages = [
      TimeSpan(fromSeconds: 80, toSeconds: 80 + among(2...15)),
      TimeSpan(fromSeconds: 150, toSeconds: 210),
    ]
    let begin = among(105...125)
    pair.wrongFixes = [
      .init(
        span: TimeSpan(fromSeconds: begin, toSeconds: begin + among(1...10)),
        error: Angle(degrees: among(8...40)))
    ]
    return pair
  }

  @Test(
    "over random errors 95 % of the headings are within the stated accuracy, also in an outage",
    arguments: [true, false], ["car", "boat"])
  func property(hasCompass: Bool, vehicle: String) throws {
    var (with, outage, without) = (Errors(), Errors(), Errors())
    for seed in UInt64(1)...6 {
      var random = SeededGenerator(seed: seed)
      let stated = Angle(degrees: Double.random(in: -180...180, using: &random))
      var scenario = vehicle == "car" ? Scenario.carDrive : .sailingBoat
      if !hasCompass { scenario.magnetometer = nil }
      let pair = Self.antennas(&random, stated: stated)
      scenario.antennas = pair
      let baseline = Board.Baseline(direction: stated)
      func play(_ scenario: Scenario, _ body: (Double, Estimate, Truth, Angle?) -> Void) throws {
        try run(
          scenario, seed: seed, seconds: 240, baseline: baseline,
          change: { row in
            guard let baseline = row.heading?.true?.angle else { return }
            row.heading?.true = TrueHeading((baseline - stated).wrappedToTurn)
          }
        ) { body($1.timestamp.seconds, $0, $1, $2) }
      }
      try play(scenario) { t, estimate, truth, other in
        guard t > 30 else { return }
        if (150..<210).contains(t) {
          outage.add(estimate, truth, other: other)
        } else {
          with.add(estimate, truth, other: other)
        }
      }
      scenario.antennas = nil
      try play(scenario) { t, estimate, truth, _ in
        if (150..<210).contains(t) { without.add(estimate, truth, other: nil) }
      }
    }
    Figures.put("\(vehicle), \(hasCompass ? "with" : "without") compass, antennas: \(with.text)")
    Figures.put("\(vehicle), \(hasCompass ? "with" : "without") compass, outage: \(outage.text)")
    Figures.put("\(vehicle), \(hasCompass ? "with" : "without") compass, never: \(without.text)")
    #expect(with.share > 0.92, "\(with.text)")
    #expect(outage.share > 0.9, "\(outage.text)")
    #expect(with.rms < 1 && with.mean < 3.2 * with.rms, "\(with.text)")
    #expect(outage.mean < 5 * outage.rms, "\(outage.text)")
    #expect(with.count > 5000 && outage.count > 3000)
    #expect(outage.rms < outage.otherRMS && with.rms < with.otherRMS)
    if hasCompass { #expect(outage.rms < without.rms, "\(outage.text); \(without.text)") }
  }

  @Test("in an outage the stated accuracy grows, and a heading that returns changes it at once")
  func outageGrows() throws {
    var scenario = Scenario.carDrive
    scenario.magnetometer = nil
    scenario.antennas = .consumer
    scenario.antennas?.outages = [TimeSpan(fromSeconds: 100, toSeconds: 160)]
    var stated: [Double: Double] = [:]
    try run(scenario, seconds: 170, baseline: Board.Baseline(direction: .zero)) { e, truth, _ in
      #expect(truth.timestamp.seconds < 20 || e.trueHeading != nil)
      guard truth.timestamp.seconds > 20 else { return }
      #expect(e.attitudeMode == .gyroscopeAccelerometerAndAntennas)
      stated[truth.timestamp.seconds.rounded(.down)] = e.trueHeadingAccuracy?.degrees
    }
    let (before, middle, end) = (stated[99] ?? 9, stated[130] ?? 0, stated[159] ?? 0)
    #expect(
      before < 1.6 && middle > before + 0.2 && end > middle + 0.5, "\(before) \(middle) \(end)")
    #expect(end < 8 && (stated[165] ?? 9) < before + 0.3)
  }

  @Test("many headings with a lasting error do not average to nothing")
  func lastingError() throws {
    var scenario = Scenario.tableTop
    scenario.antennas = .consumer
    scenario.antennas?.rateHertz = 20
    var least = 9.0
    var baseline = Board.Baseline(direction: .zero)
    baseline.accuracy = Angle(degrees: 0.01)
    try run(scenario, seconds: 60, baseline: baseline) { e, truth, _ in
      guard truth.timestamp.seconds > 20, let accuracy = e.trueHeadingAccuracy else { return }
      least = min(least, accuracy.degrees)
    }
    // 4 mm on one metre last for a minute: 0.23 degrees, one sigma.
    #expect(least > 0.3 && least < 0.7, "\(least)")
  }

  @Test("swapped antennas are named by the course and by the compass, and are not believed")
  func swapped() throws {
    for (hasCompass, isMoving) in [(false, true), (true, false), (true, true)] {
      var scenario = isMoving ? Scenario.carDrive : .tableTop
      if !hasCompass { scenario.magnetometer = nil }
      scenario.antennas = .consumer
      scenario.antennas?.direction = Angle(degrees: 180)
      var (namedAt, headings): (Double?, Int) = (nil, 0)
      try run(scenario, seconds: 240, baseline: Board.Baseline(direction: .zero)) { e, truth, _ in
        let t = truth.timestamp.seconds
        if let fault = e.antennas?.fault {
          #expect(fault == .swapped)
          namedAt = namedAt ?? t
        }
        guard let namedAt, t > namedAt + 5 else { return }
        #expect(e.antennas?.fault == .swapped)
        #expect(e.attitudeMode != .gyroscopeAccelerometerAndAntennas)
        if hasCompass, let heading = e.trueHeading {
          #expect(abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees) < 30)
          headings += 1
        }
      }
      let at = try #require(namedAt, "\(hasCompass) \(isMoving)")
      #expect(at < 200, "\(at)")
      #expect(!hasCompass || headings > 0, "\(isMoving)")
    }
  }

  @Test("another direction or length of the baseline is named with what to change")
  func wrongBaseline() throws {
    var scenario = Scenario.carDrive
    scenario.antennas = .consumer
    scenario.antennas?.direction = Angle(degrees: 90)
    var fault: AntennaState.Fault?
    try run(scenario, seconds: 200, baseline: Board.Baseline(direction: .zero)) { e, _, _ in
      fault = e.antennas?.fault ?? fault
    }
    guard case .turned(let angle) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(abs(angle.degrees - 90) < 4, "\(angle.degrees)")
    scenario.antennas = .consumer
    var named: Double?
    let stated = Board.Baseline(direction: .zero, lengthMetres: 1.3)
    try run(scenario, seconds: 60, baseline: stated) { e, truth, _ in
      #expect(e.attitudeMode != .gyroscopeAccelerometerAndAntennas)
      guard let fault = e.antennas?.fault else { return }
      named = named ?? truth.timestamp.seconds
      guard case .length(let reported, let configured) = fault else {
        Issue.record("\(fault)")
        return
      }
      #expect(abs(reported - 1) < 0.05 && configured == 1.3)
    }
    #expect((named ?? 99) < 30)
  }

  @Test("a right baseline is never named, whatever wind and current do to a boat's course")
  func rightBaseline() throws {
    for seed in UInt64(1)...4 {
      var scenario = Scenario.sailingBoat
      scenario.antennas = .consumer
      try run(
        scenario, seed: seed, seconds: 300,
        baseline: Board.Baseline(direction: .zero, lengthMetres: 1),
        change: { row in
          // Leeway: the course is up to 12 degrees off, to lee of each heading.
          if let course = row.fix?.course {
            row.fix?.course =
              (course + Angle(degrees: 12 * sin(course.radians - 4.19))).wrappedToTurn
          }
        }
      ) { e, _, _ in #expect(e.antennas == nil) }
    }
  }

  @Test("single headings of another length are wrongly fixed and are not used")
  func wrongFix() throws {
    var scenario = Scenario.carDrive
    scenario.antennas = .consumer
    scenario.antennas?.wrongFixes = [
      .init(
        span: TimeSpan(fromSeconds: 60, toSeconds: 75), error: Angle(degrees: 4),
        lengthErrorMetres: 0.2)
    ]
    var (worst, count) = (0.0, 0)
    let stated = Board.Baseline(direction: .zero, lengthMetres: 1)
    try run(scenario, seconds: 90, baseline: stated) { e, truth, _ in
      guard truth.timestamp.seconds > 30, let heading = e.trueHeading else { return }
      worst = max(
        worst, abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees))
      #expect(e.antennas == nil)
      count += 1
    }
    #expect(count > 400 && worst < 2, "\(count), \(worst)")
  }

  @Test("the direction is learnt from the course with its uncertainty, and used in the next run")
  func learnt() throws {
    var scenario = Scenario.carDrive
    scenario.magnetometer = nil
    scenario.antennas = .consumer
    scenario.antennas?.direction = Angle(degrees: -90)
    var baseline = Board.Baseline(direction: .zero)
    baseline.direction = .learnt
    var (learntAt, last): (Double?, Estimate?)
    var errors = Errors()
    try run(scenario, seconds: 260, baseline: baseline) { e, truth, _ in
      let state = try #require(truth.timestamp.seconds > 5 ? e.antennas ?? nil : AntennaState())
      #expect(state.fault == nil)
      if state.learntDirection == nil {
        #expect(e.attitudeMode != .gyroscopeAccelerometerAndAntennas)
      } else {
        learntAt = learntAt ?? truth.timestamp.seconds
        errors.add(e, truth, other: nil)
      }
      last = e
    }
    let estimate = try #require(last)
    let state = try #require(estimate.antennas)
    let (direction, sigma) = (
      try #require(state.learntDirection), try #require(state.learntDirectionSigma)
    )
    Figures.put(
      "learnt after \(learntAt ?? .nan) s: \(direction.degrees) ± \(sigma.degrees); \(errors.text)")
    #expect(abs((direction.degrees + 90)) < 2 * sigma.degrees && sigma.degrees < 2)
    #expect(try #require(learntAt) < 200)
    #expect(errors.share > 0.92, "\(errors.text)")
    let stored = try #require(LearntBaseline(estimate))
    #expect(stored == LearntBaseline(direction: direction, sigma: sigma))
    var known = 0
    try run(
      scenario, seconds: 30, baseline: baseline, { $0.learntBaseline = stored }
    ) { e, truth, _ in
      guard truth.timestamp.seconds > 10, let heading = e.trueHeading else { return }
      known += 1
      let error = abs((heading.angle - truth.trueHeading.angle).wrappedToHalfTurn.degrees)
      let stated = try #require(e.trueHeadingAccuracy)
      #expect(error <= 1.5 * stated.degrees)
    }
    #expect(known > 180)
  }

  @Test(
    "without a gyroscope, and without any other sensor, the receiver's heading is the heading",
    arguments: ["compass alone", "accelerometer", "nothing"])
  func withoutGyroscope(board: String) throws {
    var scenario = Scenario.carDrive
    scenario.antennas = .consumer
    scenario.antennas?.outages = [TimeSpan(fromSeconds: 60, toSeconds: 80)]
    if board == "accelerometer" { scenario.magnetometer = nil }
    if board == "nothing" { (scenario.magnetometer, scenario.inertialUnit) = (nil, nil) }
    scenario.barometer = nil
    var (errors, gone) = (Errors(), 0)
    try run(
      scenario, seconds: 100, baseline: Board.Baseline(direction: .zero),
      change: { row in
        row.inertial?.angularRate = nil
        if board == "compass alone" { row.inertial = nil }
      }
    ) { e, truth, _ in
      let t = truth.timestamp.seconds
      if t > 20, t < 60 || t > 81 { errors.add(e, truth, other: nil) }
      if t > 65, t < 80, board != "compass alone" {
        #expect(e.trueHeading == nil)
        gone += 1
      }
    }
    #expect(errors.count > (board == "nothing" ? 40 : 500), "\(errors.text)")
    #expect(errors.share > 0.92 && errors.rms < 3, "\(errors.text)")
    if board == "accelerometer" { #expect(gone > 100) }
  }

  @Test("antennas' state is read back from its word exactly")
  func words() throws {
    var state = AntennaState()
    let faults: [AntennaState.Fault?] = [
      nil, .swapped, .turned(Angle(radians: -1.0 / 3)),
      .length(reportedMetres: 1.0 / 3, configuredMetres: 2),
    ]
    for fault in faults {
      state.fault = fault
      #expect(AntennaState(rawValue: state.rawValue) == state)
      state.isLearning.toggle()
      state.learntDirection = state.learntDirection == nil ? Angle(radians: 1.0 / 7) : nil
    }
    for word in ["", "- - -", "- - - turned:x", "x - - -", "- - - length:1"] {
      #expect(AntennaState(rawValue: word) == nil, "\(word)")
    }
  }
}

/// Figures for `Documentation/Measured.md`, printed where they are asked for.
enum Figures {
  static func put(_ line: String) {
    guard ProcessInfo.processInfo.environment["LODESTAR_FIGURES"] != nil else { return }
    print("figure: \(line)")
  }
}

/// The complementary filter on rotations with bias estimation, fed with gravity and the receiver's
/// heading: what many autopilots and libraries use.
///
/// - Source: R. Mahony, T. Hamel, J.-M. Pflimlin, Nonlinear Complementary Filters on the Special
///   Orthogonal Group, IEEE TAC 53 (2008), equation 32; gains as in common implementations.
private struct MahonyFilter {
  private let proportional = 1.0
  private let integral = 0.05
  private var attitude: Rotation<BodyFrame, EarthFrame>?
  private var bias = SIMD3<Double>.zero
  private var newest: Timestamp?
  private var reference: (heading: Angle, at: Timestamp)?

  var heading: Angle? { reference == nil ? nil : attitude?.attitudeAngles.heading }

  mutating func process(_ row: SensorSamples, baseline: Angle) {
    if let heading = row.heading?.true {
      if reference == nil {
        attitude = Rotation(rotationVector: SIMD3(0, 0, heading.angle.radians))
      }
      reference = (heading.angle, row.timestamp)
    }
    guard let inertial = row.inertial, let current = attitude,
      let w = inertial.angularRate.map({ AxisMount.standard.rotation($0).components }),
      let f = inertial.specificForce.map({ AxisMount.standard.rotation($0).components })
    else { return }
    defer { newest = row.timestamp }
    guard let newest else { return }
    let dt = row.timestamp.seconds(since: newest)
    let up = current.inverse.rotate(SIMD3(0, 0, -1))
    var correction = cross(f / (f * f).sum().squareRoot(), up)
    if let reference, row.timestamp.seconds(since: reference.at) < 1.5 {
      let off = (reference.heading - current.attitudeAngles.heading).wrappedToHalfTurn.radians
      correction -= up * sin(off)
    }
    bias -= correction * (integral * dt)
    let rate = w - bias + correction * proportional
    var next = current * Rotation<BodyFrame, BodyFrame>(rotationVector: rate * dt)
    next.renormalize()
    attitude = next
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
