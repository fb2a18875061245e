import CalibrationFit
import Quantities
import Testing

@Suite("Plane fit", .timeLimit(.minutes(30)))
struct PlaneFitTests {
  @Test("a full level turn gives the level heading except the sensor's rotation", arguments: 1...6)
  func fullTurn(seed: UInt64) throws {
    var world = FieldWorld(seed: seed)
    let solution = try PlaneFit().solve(world.observations(world.turns(400, tilt: 1)))
    #expect(solution.estimate.method == .plane)
    #expect(solution.arc.degrees > 350)
    // A constant error is the sensor's turn in its case, which no level turn observes.
    let errors = try FieldWorld.ring(tilt: 0).map {
      try world.headingErrorNow(solution.estimate, $0)
    }
    #expect((errors.max() ?? 90) < 8)
    #expect(solution.promise.levelError.degrees > 2.5 && solution.promise.levelError.degrees < 6)
  }

  @Test("19 of 20 errors lie within two sigma of the expected error")
  func promiseHolds() throws {
    var (within, count) = (0, 0)
    for seed in 200..<260 as Range<UInt64> {
      var world = FieldWorld(seed: seed)
      let turn = FieldWorld.matrix(world.random.vector() * (3 * .pi / 180))
      world.distortion.shape = world.distortion.shape * turn
      let solution = try PlaneFit().solve(world.observations(world.turns(400, tilt: 2)))
      for attitude in FieldWorld.ring(tilt: 0) {
        count += 1
        let error = try world.headingErrorNow(solution.estimate, attitude)
        if error < 2 * solution.promise.levelError.degrees { within += 1 }
      }
    }
    #expect(Double(within) > 0.95 * Double(count), "\(within) of \(count)")
  }

  @Test("an arc that is too short is rejected with its angle", arguments: [90.0, 180, 240])
  func shortArc(degrees: Double) throws {
    var world = FieldWorld(seed: 3)
    let observations = world.observations(world.turns(degrees, tilt: 1))
    var sentence = ""
    do { _ = try PlaneFit().solve(observations) } catch {
      guard case .tooLittleMotion(let wanted) = error else { throw error }
      sentence = wanted
    }
    #expect(sentence.contains("at least 270 are needed"))
  }

  @Test("280 degrees are sufficient")
  func enough() throws {
    var world = FieldWorld(seed: 3)
    let solution = try PlaneFit().solve(world.observations(world.turns(290, tilt: 0.5)))
    #expect(solution.arc.degrees >= 270)
  }

  @Test("any axis can be the vertical one", arguments: PlaneFit.Axis.allCases)
  func vertical(axis: PlaneFit.Axis) throws {
    var world = FieldWorld(seed: 5)
    let observations = world.observations(world.turns(400, tilt: 1))
    let upright = try PlaneFit().solve(observations).estimate
    // The same samples in a sensor whose axes are named in another order.
    let shift = axis.rawValue + 1
    func renamed(_ v: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(v[(6 - shift) % 3], v[(7 - shift) % 3], v[(8 - shift) % 3])
    }
    let turned = observations.map {
      FieldObservation(timestamp: $0.timestamp, field: renamed($0.field))
    }
    let estimate = try PlaneFit(vertical: axis).solve(turned).estimate
    #expect((estimate.distortion.offset - renamed(upright.distortion.offset)).length < 1e-3)
  }

  @Test("the expected error grows with tilt by the tangent of the dip and states an assumed dip")
  func promise() throws {
    var world = FieldWorld(seed: 6)
    let observations = world.observations(world.turns(400, tilt: 1))
    let free = try PlaneFit().solve(observations).promise
    #expect(free.isDipAssumed)
    #expect(abs(free.degreesPerDegreeOfTilt - 2.14) < 0.01)
    #expect(free.description.contains("assumed"))
    let two = free.headingError(within: Angle(degrees: 2)).degrees
    #expect(two > 3 && two < 6.5)
    let far = free.headingError(tilt: Angle(degrees: 10)).degrees
    #expect(abs(far - 21.4) < 2)
    let place = EllipsoidPrior(earthField: EarthField(horizontal: 40, down: 0))
    let equator = try PlaneFit(prior: place).solve(observations).promise
    #expect(!equator.isDipAssumed)
    #expect(equator.degreesPerDegreeOfTilt < 0.01)
  }

  @Test("a board that is tumbled instead of turned level is rejected")
  func tumbled() throws {
    var world = FieldWorld(seed: 7)
    let observations = world.observations(world.tumble())
    var isRefused = false
    do { _ = try PlaneFit().solve(observations) } catch { isRefused = true }
    #expect(isRefused)
  }

  @Test("a board at rest has too little motion")
  func still() throws {
    var world = FieldWorld(seed: 8)
    let observations = world.observations(Array(repeating: .identity, count: 60))
    #expect(
      throws: CalibrationFitError.tooLittleMotion("turn the level board through a full circle")
    ) { _ = try PlaneFit().solve(observations) }
  }
}
