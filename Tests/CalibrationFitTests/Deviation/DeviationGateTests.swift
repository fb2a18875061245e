import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeviationGateTests {
  private func verdict(_ change: (inout DeviationEpoch) -> Void) -> DeviationVerdict {
    var car = SimulatedVehicle(seed: 1)
    var epoch = car.epoch(40)
    change(&epoch)
    var learner = DeviationLearner()
    return learner.learn(epoch)
  }

  @Test("an epoch is skipped for each reason that invalidates its course or field")
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

  @Test("an epoch that is not newer is skipped")
  func order() {
    var car = SimulatedVehicle(seed: 1)
    let epoch = car.epoch(40)
    var learner = DeviationLearner()
    #expect(learner.learn(epoch) == .learnt)
    let before = learner
    #expect(learner.learn(epoch) == .skipped(.outOfOrder))
    #expect(learner == before)
  }

  @Test("epochs of a boat are used at a lower speed")
  func boat() {
    var boat = SimulatedVehicle(seed: 1)
    boat.speed = 2
    var learner = DeviationLearner(.water)
    #expect(learner.learn(boat.epoch(40)) == .learnt)
  }
}
