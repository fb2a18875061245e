import CalibrationFit
import Quantities
import Testing

@Suite struct DeviationGateTests {
  private func verdict(_ change: (inout DeviationEpoch) -> Void) -> DeviationVerdict {
    var car = SimulatedVehicle(seed: 1)
    var epoch = car.epoch(40)
    change(&epoch)
    var learner = DeviationLearner()
    return learner.learn(epoch)
  }

  @Test("an epoch is left out for each reason that makes its course or field no heading's")
  func reasons() {
    #expect(verdict { _ in } == .learnt)
    #expect(verdict { $0.speedMetresPerSecond = 2.9 } == .skipped(.slow))
    #expect(
      verdict { $0.rateOfTurn = AngularSpeed(radiansPerSecond: -0.06) } == .skipped(.turning))
    #expect(verdict { $0.courseAccuracy = Angle(degrees: 7) } == .skipped(.courseInaccurate))
    #expect(verdict { $0.courseAccuracy = nil } == .learnt)
    #expect(verdict { $0.tilt = Angle(degrees: 8) } == .skipped(.tilted))
    #expect(verdict { $0.levelField.x = .nan } == .skipped(.notFinite))
    #expect(verdict { $0.course = Angle(radians: .infinity) } == .skipped(.notFinite))
  }

  @Test("an epoch that is not newer is left out")
  func order() {
    var car = SimulatedVehicle(seed: 1)
    let epoch = car.epoch(40)
    var learner = DeviationLearner()
    #expect(learner.learn(epoch) == .learnt)
    let before = learner
    #expect(learner.learn(epoch) == .skipped(.outOfOrder))
    #expect(learner == before)
  }

  @Test("a boat is learnt from at a slower speed")
  func boat() {
    var boat = SimulatedVehicle(seed: 1)
    boat.speed = 2
    var learner = DeviationLearner(.water)
    #expect(learner.learn(boat.epoch(40)) == .learnt)
  }
}
