import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeviationTrackingTests {
  @Test("moved iron is detected within a minute and its old offset is discarded")
  func step() throws {
    var car = SimulatedVehicle(seed: 5)
    var learner = DeviationLearner()
    #expect(car.drive(&learner, seconds: 900).allSatisfy { $0 == .learnt })
    car.offset = SIMD2(18, -14)
    #expect(car.error(of: learner.tentative) > 20)
    let verdicts = car.drive(&learner, seconds: 60)
    #expect(verdicts.contains(.stepDetected))
    #expect(learner.lastStep != nil)
    _ = car.drive(&learner, seconds: 240)
    let model = try #require(learner.model)
    #expect(car.error(of: model) < 2)
  }

  @Test(
    "a step below detection is followed in minutes, with a larger predicted error meanwhile")
  func smallStep() throws {
    var car = SimulatedVehicle(seed: 14)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let calm = try #require(learner.model?.worstError)
    car.offset = SIMD2(6, 5)
    _ = car.drive(&learner, seconds: 25, from: 200, arc: 1)
    #expect(learner.lastStep == nil)
    let reported = try #require(learner.model)
    #expect(car.error(of: reported) > 8)
    #expect(try #require(reported.worstError) > calm * 2)
    let worst = try #require(reported.worstError)
    #expect(car.error(of: reported) < 2 * worst.degrees)
    _ = car.drive(&learner, seconds: 400)
    #expect(car.error(of: learner.tentative) < 2)
    #expect(try #require(learner.model?.worstError) < calm * 1.3)
  }

  @Test("a board that is rotated twice resets the model")
  func remounted() {
    var car = SimulatedVehicle(seed: 6)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    car.boardYaw = 120
    let verdicts = car.drive(&learner, seconds: 300)
    #expect(verdicts.contains(.startedAnew))
    _ = car.drive(&learner, seconds: 900)
    #expect(learner.model.map { car.error(of: $0) < 1 } == true)
  }

  @Test("slowly changing iron is followed; a filter without random walk does not follow it")
  func forgetting() throws {
    var car = SimulatedVehicle(seed: 7)
    var endless = DeviationLearner.Parameters()
    (endless.offsetWalk, endless.gainWalk, endless.stepGate) = (0, 0, 1000)
    var learners = [DeviationLearner(), DeviationLearner(endless)]
    var heading = 0.0
    for k in 0..<3600 {
      if k % 40 == 0 { heading = car.within(0..<360) }
      car.offset = SIMD2(0.004, -0.003) * Double(k)
      let epoch = car.epoch(heading)
      for i in learners.indices { _ = learners[i].learn(epoch) }
    }
    let errors = try learners.map { car.error(of: try #require($0.model)) }
    #expect(errors[0] < 2.5)
    #expect(errors[1] > 2 * errors[0])
  }

  @Test("after two days on one heading the others are less certain and there is no table")
  func fading() {
    var car = SimulatedVehicle(seed: 8)
    var learner = DeviationLearner()
    _ = car.drive(&learner, seconds: 900)
    let before = learner.tentative.worstError
    for _ in 0..<2880 { _ = learner.learn(car.epoch(90, after: 60)) }
    #expect(before != nil)
    #expect(learner.tentative.worstError.map { $0 > (before ?? .zero) * 1.5 } ?? true)
    #expect(learner.model == nil)
  }

  @Test("a fifth of outlier epochs does not distort the model")
  func outliers() throws {
    var car = SimulatedVehicle(seed: 9)
    car.outliers = 0.2
    var learner = DeviationLearner()
    let verdicts = car.drive(&learner, seconds: 1200)
    #expect(verdicts.allSatisfy { $0 == .learnt })
    #expect(car.error(of: try #require(learner.model)) < 1)
  }
}
