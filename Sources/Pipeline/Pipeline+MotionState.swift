import Fusion
import Quantities

/// The state of motion, and what it says to the position filter.
extension Pipeline {
  /// Takes the speed of a fix that the position filter has used.
  mutating func noteMotion(_ fix: Fix) {
    guard let solution = navigation.solution(at: fix.timestamp),
      solution.fixTimestamp == fix.timestamp
    else { return }
    // One rule for a body that stands: the position filter's.
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

  /// Takes the speed of inertial navigation once a second while there is no fix: a smooth ride
  /// through a tunnel is quiet.
  mutating func noteInertialSpeed(at t: Timestamp) {
    guard motionNoted.map({ t.seconds(since: $0) >= 1 }) ?? true,
      let fixed = place.fix?.timestamp, t.seconds(since: fixed) > outage,
      let inertial = navigation.inertialSolution
    else { return }
    motionNoted = t
    motion.update(
      speedMetresPerSecond: inertial.velocity.length, accuracy: inertial.velocitySigma, at: t)
  }

  /// Completes an estimate by the state of motion; without a witness of the last ten seconds it is
  /// unknown, but for a receiver that rests.
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
