import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeviationLearnerTests {
  @Test("a car's deviation of eleven degrees is estimated to half a degree", arguments: 1...5)
  func car(seed: Int) throws {
    var car = SimulatedVehicle(seed: UInt64(seed))
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let model = try #require(learner.model)
    #expect(car.error(of: model) < 0.5)
    let worst = try #require(model.worstError)
    #expect(worst.degrees > 0.5 && worst.degrees < 6)
  }

  @Test("iron larger than the earth's field is estimated though no table exists")
  func largeOffset() throws {
    var car = SimulatedVehicle(seed: 1)
    car.offset = SIMD2(-60, 45)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let model = try #require(learner.model)
    #expect(car.error(of: model) < 0.5)
    #expect(model.heading(atCompassHeading: .zero) == nil)
    #expect(learner.table == nil)
    let field = car.field(onHeading: 200)
    let deviation = try #require(model.deviation(ofField: field))
    let magnetic = DeviationModel.compassHeading(ofField: field) + deviation
    #expect(abs((magnetic - Angle(degrees: 200)).wrappedToHalfTurn.degrees) < 1)
  }

  @Test("there is no model before half a turn was observed")
  func coverage() {
    var car = SimulatedVehicle(seed: 2)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 1200, from: 30, arc: 120)
    #expect(learner.model == nil && learner.table == nil && learner.boardYaw == nil)
    #expect(learner.coverage.arc.degrees >= 90)
    _ = car.drive(&learner, seconds: 1200, from: 130, arc: 150)
    #expect(learner.model != nil)
  }

  @Test("two opposite headings are not half a turn")
  func thereAndBack() {
    var car = SimulatedVehicle(seed: 3)
    var learner = DeviationLearner()
    for heading in [80.0, 260, 80, 260] {
      _ = car.drive(&learner, seconds: 80, from: heading, arc: 1)
    }
    #expect(learner.coverage.arc.degrees < 120)
    #expect(learner.model == nil)
  }

  @Test("headings without observations have a larger predicted error")
  func sigma() throws {
    var car = SimulatedVehicle(seed: 4)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 400, from: 0, arc: 60)
    let seen = try #require(learner.tentative.predictedError(onHeading: Angle(degrees: 30)))
    let far = learner.tentative.predictedError(onHeading: Angle(degrees: 210))
    #expect(far == nil || (far ?? .zero) > seen * 2)
  }

  @Test(
    "with a steady current the error stays within two sigma of the predicted one", arguments: 1...8)
  func current(seed: Int) throws {
    var boat = SimulatedVehicle(seed: UInt64(seed))
    (boat.speed, boat.leeway, boat.drift) = (4, 3, 5)
    boat.set = Double(seed) * 45
    var learner = DeviationLearner(.water)
    _ = boat.drive(&learner, seconds: 1200)
    let model = try #require(learner.model)
    let error = boat.error(of: model)
    let worst = try #require(model.worstError).degrees
    #expect(error < 4)
    #expect(error < 2 * worst)
    #expect(worst > 1.5, "the current must stand in the prediction")
  }

  @Test("a boat has a larger predicted error than a car")
  func currentFloor() throws {
    var boat = SimulatedVehicle(seed: 10)
    boat.speed = 3
    var (still, wary) = (DeviationLearner(.water), DeviationLearner(.water))
    var p = DeviationLearner.Parameters.water
    p.steadyCurrentSigma = 1
    wary = DeviationLearner(p)
    _ = boat.drive(&still, seconds: 600)
    boat = SimulatedVehicle(seed: 10)
    boat.speed = 3
    _ = boat.drive(&wary, seconds: 600)
    let errors = (try #require(still.model?.worstError), try #require(wary.model?.worstError))
    #expect(errors.1 > errors.0 * 2)
  }

  @Test("the board's yaw from the bow is found within two sigma", arguments: [-170.0, -30, 0, 90])
  func boardYaw(yaw: Double) throws {
    var car = SimulatedVehicle(seed: 11)
    (car.a, car.e, car.boardYaw) = (0, 1, yaw)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let found = try #require(learner.boardYaw)
    let miss = abs((found.angle - Angle(degrees: yaw)).wrappedToHalfTurn.degrees)
    #expect(miss < 1)
    #expect(found.sigma.degrees > 1 && found.sigma.degrees < 4)
    #expect(miss < 2 * found.sigma.degrees)
  }

  @Test("a learner resumed from a stored model has it with a larger error")
  func resuming() throws {
    var car = SimulatedVehicle(seed: 12)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let stored = learner.tentative.stored
    #expect(stored.count == DeviationModel.storedCount)
    let resumed = DeviationLearner(
      resuming: try #require(DeviationModel(stored: stored)),
      coverage: try #require(HeadingCoverage(visits: learner.coverage.visits)))
    let model = try #require(resumed.model)
    #expect(car.error(of: model) < 0.5)
    let errors = (try #require(learner.model?.worstError), try #require(model.worstError))
    #expect(errors.1 > errors.0)
  }

  @Test("stored data is checked on restore")
  func storage() {
    let good = DeviationLearner().tentative.stored
    #expect(DeviationModel(stored: good)?.stored == good)
    #expect(DeviationModel(stored: Array(good.dropLast())) == nil)
    for (k, wrong) in [(0, Double.nan), (6, -1), (20, .infinity)] {
      var bad = good
      bad[k] = wrong
      #expect(DeviationModel(stored: bad) == nil)
    }
    #expect(HeadingCoverage(visits: []) == nil)
    #expect(HeadingCoverage(visits: Array(repeating: -1, count: 24)) == nil)
  }

  @Test("a mirrored sensor is reported, not corrected")
  func mirrored() {
    var car = SimulatedVehicle(seed: 13)
    var learner = DeviationLearner()
    for k in 0..<900 {
      var epoch = car.epoch(Double(k * 7))
      epoch.levelField.y = -epoch.levelField.y
      _ = learner.learn(epoch)
    }
    #expect(learner.tentative.isMirrored)
    #expect(learner.model?.heading(ofField: SIMD2(20, 0)) == nil)
  }
}
