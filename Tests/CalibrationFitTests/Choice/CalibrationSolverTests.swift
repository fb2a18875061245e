import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("The choice of the method, and refusals", .timeLimit(.minutes(30)))
struct CalibrationSolverTests {
  private let down = SIMD3(0.0, 0, 1)

  /// A board's samples through the checks and the observers, as a session feeds them.
  private struct Session {
    var hasGyroscope = true
    var hasAccelerometer = true
    var change: (inout SimulatedBoard.Sample) -> Void = { _ in }

    func solve(
      _ board: SimulatedBoard, _ kind: SimulatedMotion.Kind, seconds: Double,
      prior: FieldPrior = .unknown, use: CalibrationUse? = nil
    ) throws -> CalibrationOutcome {
      var checks = SampleChecks()
      var bare = GravityFieldObserver()
      var observations: [FieldObservation] = []
      for sample in board.samples(SimulatedMotion(kind, seed: 5), seconds: seconds + 3) {
        var s = sample
        change(&s)
        checks.add(
          rate: hasGyroscope ? s.rate : nil, force: hasAccelerometer ? s.force : nil,
          at: s.timestamp)
        if hasAccelerometer { bare.add(force: s.force, at: s.timestamp) }
        guard let m = s.field else { continue }
        checks.add(field: m)
        if let o = bare.add(field: m, at: s.timestamp) { observations.append(o) }
      }
      if hasGyroscope {
        observations = board.observations(SimulatedMotion(kind, seed: 5), seconds: seconds)
      }
      var solver = CalibrationSolver(prior: prior, down: SIMD3(0, 0, 1))
      solver.use = use
      return try solver.solve(observations, checks: checks)
    }
  }

  @Test("a board with a gyroscope gets the forward fit, its mount and the class good")
  func forward() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let outcome = try Session().solve(board, .free, seconds: 40)
      #expect(outcome.estimate.method == .forward && outcome.quality == .good)
      #expect(outcome.mount == .identity && outcome.yaw != nil && outcome.coverage == 1)
      #expect(outcome.predictedLevelError.radians <= outcome.predictedHeadingError.radians)
      let calibration = try #require(outcome.calibration)
      let field = calibration(MagneticField(microtesla: board.distortion.offset))
      #expect(field.components.length < 4 && calibration.quality == .good)
      #expect(calibration.predictedHeadingError == outcome.predictedHeadingError)
    }
  }

  @Test("a rotated sensor is found if the mount is searched")
  func mount() throws {
    var board = SimulatedBoard(seed: 2)
    let across = try #require(SignedAxes(axes: SIMD3(1, 0, 2), signs: SIMD3(1, -1, 1)))
    board.distortion.shape = board.distortion.shape * across.matrix
    let outcome = try Session().solve(board, .free, seconds: 40)
    #expect(outcome.mount == across && board.headingError(outcome.estimate.distortion) < 2)
    var solver = CalibrationSolver(down: down)
    solver.searchesMount = false
    let plain = try solver.solve(board.observations(.free, seconds: 40))
    #expect(plain.mount == nil)
  }

  @Test("a level turn is fair for level use, and poor for any attitude")
  func level() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed)
      let outcome = try Session().solve(board, .level, seconds: 30)
      #expect(outcome.use == .level && outcome.quality == .fair)
      #expect((outcome.turn?.degrees ?? 0) > 350)
      #expect(outcome.mount == nil && outcome.coverage < 0.5)
      #expect(outcome.predictedLevelError.degrees < 0.5 * outcome.predictedHeadingError.degrees)
      #expect(outcome.predictedError == outcome.predictedLevelError)
      let any = try Session().solve(board, .level, seconds: 30, use: .anyAttitude)
      #expect(any.quality == .poor || any.quality == .uncalibrated)
      #expect(any.estimate == outcome.estimate && any.predictedError == any.predictedHeadingError)
      // With the place known, the sign of the vertical field's axis is as undetermined as the
      // forward direction.
      let placed = try Session().solve(
        board, .level, seconds: 30, prior: .model(board.earth), use: .level)
      #expect(placed.quality == .fair || placed.quality == .good, "\(seed): \(placed.quality)")
      let left = board.headingError(placed.estimate.distortion, tilt: 2)
      #expect(left < 2 * placed.predictedLevelError.degrees, "\(seed): \(left)")
    }
  }

  @Test("the use is any attitude once the board was tilted, unless level use is stated")
  func uses() throws {
    let board = SimulatedBoard(seed: 3)
    #expect(try Session().solve(board, .free, seconds: 30).use == .anyAttitude)
    #expect(try Session().solve(board, .leaning, seconds: 30).use == .anyAttitude)
    let stated = try Session().solve(board, .leaning, seconds: 30, use: .level)
    #expect(stated.use == .level && stated.predictedError == stated.predictedLevelError)
    // Without gravity the tilt is unknown.
    let bare = Session(hasGyroscope: false, hasAccelerometer: false)
    #expect(try bare.solve(board, .level, seconds: 30).use == .anyAttitude)
  }

  @Test("a level turn that is too short says what is missing")
  func shortTurn() throws {
    let outcome = try Session().solve(SimulatedBoard(seed: 2), .level, seconds: 5)
    #expect(outcome.use == .level && outcome.quality != .good)
    #expect(outcome.remedy.contains("of 360 degrees"), "\(outcome.remedy)")
  }

  @Test("a board at rest has to be turned", arguments: [5.0, 30])
  func still(seconds: Double) {
    do {
      let outcome = try Session().solve(SimulatedBoard(seed: 1), .rest, seconds: seconds)
      Issue.record("\(outcome.quality)")
    } catch {
      guard case .tooLittleMotion(let wanted)? = error as? CalibrationFitError else {
        Issue.record("\(error)")
        return
      }
      #expect(wanted.contains("turn"))
    }
    #expect(throws: CalibrationFitError.self) {
      try CalibrationSolver(down: down).solve([])
    }
  }

  @Test("a magnetometer with a large lag is rejected with the lag, a filtering one is not")
  func lagging() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      board.latency = 0.04
      #expect(try Session().solve(board, .free, seconds: 40).quality == .good)
      board.latency = 0.2
      do {
        let outcome = try Session().solve(board, .free, seconds: 40)
        let latency = outcome.estimate.latencySeconds
        Issue.record("\(seed): \(outcome.quality) \(String(describing: latency))")
      } catch {
        guard case .lagging(let seconds)? = error as? CalibrationFitError else {
          Issue.record("\(error)")
          continue
        }
        #expect(seconds > 0.1 && seconds < 0.3)
      }
    }
  }

  @Test("of stretches between which yaw is unknown the one with most attitudes is fitted")
  func stretches() throws {
    let board = SimulatedBoard(seed: 5)
    var observations = board.observations(SimulatedMotion(.free, seed: 5), seconds: 60)
    let half = observations.count / 3
    for i in half..<observations.count {
      observations[i].stretch = 1
      // Yaw continues with an offset: the axes are rotated by 1.5 radians.
      guard let a = observations[i].axes else { continue }
      let (c, s) = (cos(1.5), sin(1.5))
      observations[i].axes?.x = a.x * c + a.y * s
      observations[i].axes?.y = a.y * c - a.x * s
      observations[i].axes?.xRate = a.xRate * c + a.yRate * s
      observations[i].axes?.yRate = a.yRate * c - a.xRate * s
    }
    let outcome = try CalibrationSolver(down: down).solve(observations)
    #expect(outcome.quality == .good)
    #expect(outcome.estimate.observationCount == observations.count - half)
    #expect(board.headingError(outcome.estimate.distortion) < 3)
  }

  @Test("if a sensor's limit leaves too few samples, it is reported")
  func shortage() {
    let board = SimulatedBoard(seed: 4)
    var checks = SampleChecks(fullScale: SensorFullScale(radiansPerSecond: 4.36))
    for i in 0..<2_000 {
      // A twentieth of the turning is beyond the range.
      let rate = i % 20 == 0 ? 4.36 : 1 + 0.01 * Double(i % 7)
      checks.add(
        rate: SIMD3(rate, 0.3, 0.02 * Double(i % 5)), force: SIMD3(0, 0.01 * Double(i % 3), -9.81),
        at: Timestamp(nanoseconds: UInt64(i) * 10_000_000))
    }
    let few = Array(board.observations(SimulatedMotion(.free, seed: 5), seconds: 40).prefix(10))
    do {
      _ = try CalibrationSolver(down: down).solve(few, checks: checks)
      Issue.record("ten observations were calibrated")
    } catch {
      guard case .gyroscopeAtLimit(let share) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(share > 0.03 && share < 0.2)
    }
  }

  @Test("faults of the checks are reported before any fit")
  func checked() {
    let board = SimulatedBoard(seed: 4)
    func session(_ change: @escaping (inout SimulatedBoard.Sample) -> Void) -> Session {
      Session(change: change)
    }
    #expect(throws: CalibrationFitError.frozenMagnetometer) {
      try session { $0.field = $0.field.map { _ in SIMD3(1, 2, 3) } }
        .solve(board, .free, seconds: 30)
    }
    #expect(throws: CalibrationFitError.frozenInertialUnit("gyroscope")) {
      try session { $0.rate = .zero }.solve(board, .free, seconds: 30)
    }
    #expect(throws: CalibrationFitError.frozenInertialUnit("accelerometer")) {
      try session { $0.force = SIMD3(0, 0, -9.81) }.solve(board, .free, seconds: 30)
    }
    do {
      let range = SIMD3<Double>(repeating: 35)
      _ = try session {
        $0.field = $0.field?.clamped(lowerBound: -range, upperBound: range)
      }.solve(board, .free, seconds: 30)
      Issue.record("a saturated field was calibrated")
    } catch {
      guard case .saturated? = error as? CalibrationFitError else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(
    "a magnet that is put on halfway is never called good or fair and mostly refused",
    arguments: [SimulatedMotion.Kind.free, .leaning], [10.0, 20, 60, 150])
  func magnet(kind: SimulatedMotion.Kind, size: Double) throws {
    var refused = 0
    for seed in 1...6 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      var random = NumberSequence(seed: seed + 5)
      let magnet = random.direction() * size
      board.iron = { $0 > 33 ? magnet : .zero }
      do throws(CalibrationFitError) {
        let outcome = try CalibrationSolver(down: down)
          .solve(board.observations(SimulatedMotion(kind, seed: 5), seconds: 60))
        #expect(
          outcome.quality == .poor || outcome.quality == .uncalibrated,
          "\(seed): \(outcome.predictedHeadingError.degrees)")
      } catch {
        switch error {
        case .inconsistent(let share): #expect(share > 0.15 && share <= 1)
        case .ironChanged(let change): #expect(change > 3)
        default: throw error
        }
        refused += 1
      }
    }
    #expect(refused >= 3, "\(refused)")
  }

  @Test("a magnet of six microtesla that is put on halfway is not called good either")
  func smallMagnet() throws {
    var good = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      var board = SimulatedBoard(seed: seed)
      var random = NumberSequence(seed: seed + 5)
      let magnet = random.direction() * 6
      board.iron = { $0 > 33 ? magnet : .zero }
      do throws(CalibrationFitError) {
        let observations = board.observations(SimulatedMotion(.free, seed: 5), seconds: 60)
        let outcome = try CalibrationSolver(down: down).solve(observations)
        if outcome.quality == .good { good += 1 }
      } catch {
        switch error {
        case .ironChanged, .inconsistent: continue
        default: throw error
        }
      }
    }
    #expect(good == 0)
  }

  @Test("a magnetometer alone gets the ellipsoid fit, with an accelerometer the one with gravity")
  func ellipsoid() throws {
    var bare = Session(hasGyroscope: false, hasAccelerometer: false)
    let board = SimulatedBoard(seed: 3, misalignment: 0)
    let plain = try bare.solve(board, .free, seconds: 90)
    #expect(plain.estimate.method == .ellipsoid && plain.yaw == nil && plain.mount == nil)
    bare.hasAccelerometer = true
    let aligned = try bare.solve(board, .free, seconds: 90)
    #expect(aligned.estimate.method == .ellipsoidAndGravity)
    for outcome in [plain, aligned] {
      let error = board.headingError(outcome.estimate.distortion)
      #expect(error < 2 * outcome.predictedHeadingError.degrees && error < 8)
      #expect(outcome.quality != .uncalibrated)
    }
  }

  @Test("a level turn of a bare magnetometer gets the ellipse, a half turn nothing")
  func plane() throws {
    let bare = Session(hasGyroscope: false, hasAccelerometer: false)
    for seed in 1...4 as ClosedRange<UInt64> {
      let board = SimulatedBoard(seed: seed, misalignment: 0)
      let outcome = try bare.solve(board, .level, seconds: 40)
      #expect(outcome.estimate.method == .plane)
      #expect(outcome.quality == .poor || outcome.quality == .uncalibrated)
      let level = board.headingError(outcome.estimate.distortion, tilt: 1)
      #expect(level < 2 * outcome.predictedLevelError.degrees, "\(level)")
      #expect(throws: CalibrationFitError.self) { try bare.solve(board, .level, seconds: 4) }
    }
  }
}
