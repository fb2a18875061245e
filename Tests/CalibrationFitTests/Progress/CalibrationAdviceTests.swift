import CalibrationFit
import Quantities
import Testing

@Suite("Advice during a calibration", .timeLimit(.minutes(30)))
struct CalibrationAdviceTests {
  private let guide = CalibrationGuide(mounting: .identity)
  private let board = SimulatedBoard(seed: 2)

  private func advice(
    _ observations: [FieldObservation], _ outcome: CalibrationOutcome? = nil
  ) -> CalibrationAdvice {
    guide.progress(observations, outcome: outcome, yaw: outcome?.yaw).advice
  }

  /// A level turn of so many bins of ten degrees, two seconds after the start.
  private func levelTurn(_ bins: Int) -> [FieldObservation] {
    (0..<bins).map { k in
      let turn = FieldWorld.matrix(SIMD3(0, 0, (10 * Double(k) + (k > 0 ? 7 : 2)) * .pi / 180))
      return FieldObservation(
        timestamp: Timestamp(nanoseconds: UInt64(k) * 2_500_000_000), field: SIMD3(20, 0, 40),
        axes: ReferenceAxes(x: turn.r0, y: turn.r1, down: turn.r2, isYawCarried: true), rate: 0.3)
    }
  }

  @Test("advice is rest, then the missing level turn, then tilts, then none")
  func course() throws {
    #expect(advice(Array(levelTurn(1))) == .holdStill)
    for bins in [2, 10, 26] {
      guard case .turnLevel(let missing) = advice(levelTurn(bins)) else {
        Issue.record("\(bins): \(advice(levelTurn(bins)))")
        continue
      }
      #expect(abs(missing.degrees - Double(360 - 10 * bins)) < 1e-9)
    }
    guard case .tilt = advice(levelTurn(27)) else {
      Issue.record("\(advice(levelTurn(27)))")
      return
    }
    let observations = board.observations(.free, seconds: 40)
    let outcome = try CalibrationSolver(down: SIMD3(0, 0, 1)).solve(observations)
    #expect(advice(observations, outcome) == .done)
  }

  @Test("for level use advice is the whole level turn, then none once the level error is fair")
  func levelUse() throws {
    let guide = CalibrationGuide(mounting: .identity, use: .level)
    var solver = CalibrationSolver(down: SIMD3(0, 0, 1))
    solver.use = .level
    let fair = try solver.solve(board.observations(.level, seconds: 30))
    for bins in [10, 27, 33] {
      let p = guide.progress(levelTurn(bins), outcome: fair, yaw: fair.yaw)
      #expect(p.advice == .turnLevel(missing: Angle(degrees: Double(360 - 10 * bins))))
      #expect(p.use == .level && p.isUseStated && p.error == fair.predictedLevelError)
    }
    let whole = levelTurn(36)
    #expect(guide.progress(whole, outcome: fair, yaw: fair.yaw).advice == .done)
    #expect(guide.progress(whole, outcome: nil, yaw: nil).advice == .turnLevel(missing: .zero))
    // Unstated, the board may still be tilted.
    let open = self.guide.progress(whole, outcome: fair, yaw: fair.yaw)
    #expect(open.use == .level && !open.isUseStated && open.quality == .fair)
    guard case .tilt = open.advice else {
      Issue.record("\(open.advice)")
      return
    }
  }

  @Test("fast turns are reported, and a magnet has priority over all advice")
  func hindered() {
    var turn = levelTurn(10)
    turn[9].rate = 3.6
    #expect(advice(turn) == .slower)
    let p = guide.progress(turn, outcome: nil, yaw: nil, isDisturbed: true)
    #expect(p.advice == .leaveDisturbance)
    turn[9].rate = 3.4
    #expect(advice(turn) != .slower)
  }

  @Test(
    "before the first fit the side with the fewest observations is requested",
    arguments: [AxisDirection.forward, .right, .backward, .left])
  func leastSeen(side: AxisDirection) {
    let sides: [AxisDirection] = [.forward, .right, .backward, .left]
    var observations = levelTurn(30)
    for other in sides where other != side {
      for k in 0..<20 {
        let down: SIMD3<Double> = other.unitVector * 0.6 + SIMD3(0, 0, 0.8)
        observations.append(
          FieldObservation(
            timestamp: Timestamp(nanoseconds: 80_000_000_000 + UInt64(k)), field: .zero,
            axes: ReferenceAxes(
              x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), down: down, isYawCarried: true), rate: 0.3))
      }
    }
    #expect(advice(observations) == .tilt(down: side))
  }

  /// An outcome that is uncertain in these parts of the offset.
  private func outcome(_ sigma: SIMD3<Double>, yaw: Angle? = nil) throws -> CalibrationOutcome {
    var covariance = DistortionCovariance()
    for i in 0..<3 { covariance[9 + i, 9 + i] = sigma[i] * sigma[i] }
    let estimate = DistortionEstimate(
      method: .forward, distortion: .none, covariance: covariance,
      earthField: EarthField(horizontal: 20, down: 40), residualMicrotesla: 1, inlierShare: 1,
      observationCount: 100)
    return try #require(CalibrationOutcome(estimate, yaw: yaw, down: SIMD3(0, 0, 1)))
  }

  @Test("the ring shows at which headings the calibration is weak, clockwise from the first")
  func ringErrors() throws {
    let north = Angle(degrees: 32)
    // Uncertain along the bow: felt where the bow points east or west. Uncertain halfway between
    // bow and right side: felt where that points there, which distinguishes the ring from its
    // mirror image.
    for (cross, side) in [(0.0, 0.0), (8, 45)] {
      var outcome = try outcome(cross > 0 ? SIMD3(2.83, 2.83, 0.1) : SIMD3(4, 0.1, 0.1), yaw: north)
      outcome.estimate.covariance[9, 10] = cross
      outcome.estimate.covariance[10, 9] = cross
      let p = guide.progress(levelTurn(30), outcome: outcome, yaw: north)
      let errors = p.ring.error.compactMap { $0 }
      #expect(errors.count == 36)
      let (best, worst) = (try #require(errors.min()), try #require(errors.max()))
      // The first heading seen is 2 degrees from the carried x axis, north 30 further.
      for bin in 0..<36 {
        let heading = 10 * Double(bin) + 5 + 2 - north.degrees + side
        let fold = abs((heading + 720).truncatingRemainder(dividingBy: 180) - 90)
        if fold > 84 { #expect(errors[bin] < 2 * best) }
        if fold < 6 { #expect(errors[bin] > 0.95 * worst) }
      }
      #expect(worst > 5 * best)
      #expect(p.worstError == outcome.predictedHeadingError)
      #expect(p.levelError == outcome.predictedLevelError && p.quality == outcome.quality)
    }
  }

  @Test("the sphere shows at which tilts the calibration is weak, and the worst side is asked for")
  func sphereErrors() throws {
    let level = try CalibrationSolver(down: SIMD3(0, 0, 1))
      .solve(board.observations(.level, seconds: 30))
    let p = guide.progress(levelTurn(30), outcome: level, yaw: level.yaw)
    let errors = p.sphere.error.compactMap { $0 }
    #expect(errors.count == TiltSphere.rows * TiltSphere.columns)
    let upright = errors[..<TiltSphere.columns].reduce(0, +) / Double(TiltSphere.columns)
    let steep =
      errors[(3 * TiltSphere.columns)..<(4 * TiltSphere.columns)].reduce(0, +)
      / Double(TiltSphere.columns)
    #expect(steep > 2 * upright)
    guard case .tilt = p.advice else {
      Issue.record("\(p.advice)")
      return
    }
    // Uncertain where x stands upright: the nose or the stern is to go down.
    let uncertain = try outcome(SIMD3(12, 0.1, 0.1))
    let q = guide.progress(levelTurn(30), outcome: uncertain, yaw: nil)
    guard case .tilt(let side) = q.advice else {
      Issue.record("\(q.advice)")
      return
    }
    // With the right side down x lies level, and is felt most.
    #expect(side == .right || side == .left)
  }
}
