import Fusion
import Quantities

/// The state of motion, and the model of usual motion that it gives the position filter.
extension Pipeline {
  /// Updates the state of motion by the speed of a fix that the position filter has used.
  mutating func updateMotion(_ fix: Fix) {
    guard let solution = navigation.solution(at: fix.timestamp),
      solution.fixTimestamp == fix.timestamp
    else { return }
    // The position filter alone decides whether the body stands still.
    if let speed = solution.isStanding ? 0 : fix.speedMetresPerSecond {
      motion.update(
        speedMetresPerSecond: speed, accuracy: fix.speedAccuracyMetresPerSecond, at: fix.timestamp)
    } else {
      motion.update(
        speedMetresPerSecond: solution.speedMetresPerSecond,
        accuracy: solution.speedAccuracyMetresPerSecond, at: fix.timestamp)
    }
    // A stated activity has its own model.
    guard takesMotionModel else { return }
    let isPossible = motion.solution(at: fix.timestamp).map { mayBe($0.state) } ?? true
    navigation.usualMotion = isPossible ? motion.usualMotion : nil
  }

  /// Updates the state of motion by the speed of inertial navigation, once a second without a
  /// fix: in a tunnel a smooth ride has as little vibration as rest.
  mutating func updateMotionByInertialSpeed(at t: Timestamp) {
    guard inertialSpeedTime.map({ t.seconds(since: $0) >= 1 }) ?? true,
      let fixed = place.fix?.timestamp, t.seconds(since: fixed) > outage,
      let inertial = navigation.inertialSolution
    else { return }
    inertialSpeedTime = t
    motion.update(
      speedMetresPerSecond: inertial.velocity.length, accuracy: inertial.velocitySigma, at: t)
  }

  /// Completes an estimate by the state of motion. Without a fix or an attitude in the last ten
  /// seconds the state is unknown, except while the receiver rests.
  func describeMotionState(_ e: inout Estimate) {
    func isRecent(_ witness: Timestamp?) -> Bool {
      witness.map { age(of: $0) <= PlaceOfFix.longestAge } ?? false
    }
    guard
      isReceiverResting || isRecent(place.fix?.timestamp) || isRecent(attitude.solution?.timestamp),
      let solution = motion.solution(at: e.timestamp), mayBe(solution.state)
    else { return }
    e.motionState = solution.state
    e.motionProbability = solution.probability
    e.motionSince = solution.since
  }
}
