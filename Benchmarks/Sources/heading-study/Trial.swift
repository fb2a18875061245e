import Fusion
import Quantities

/// A recorded trial with its optical truth, or one that was made from it.
///
/// Columns of their own, since a changed trial shares with its origin those that it leaves alone. Vectors
/// are along the body's axes.
struct Trial: Sendable {
  /// The number that the trial has in BROAD.
  let name: String
  /// Samples in a second.
  var hertz: Double
  /// Seconds since the first sample.
  var seconds: [Double] = []
  /// Angular rate, rad/s.
  var rate: [SIMD3<Double>] = []
  /// Specific force, m/s².
  var force: [SIMD3<Double>] = []
  /// Field, microtesla; nil where the magnetometer gives none.
  var field: [SIMD3<Double>?] = []
  /// The optical attitude; where the cameras saw nothing, the next one that they saw.
  var truth: [Rotation<BodyFrame, MagneticEarthFrame>] = []
  /// True where the body moves and the cameras saw it: only these samples are judged.
  var isJudged: [Bool] = []

  var count: Int { rate.count }
  var duration: Double { seconds.last ?? 0 }

  /// The samples with these indices, in their order.
  func samples<Indices: Sequence<Int>>(_ indices: Indices) -> Trial {
    var t = Trial(name: name, hertz: hertz)
    for i in indices {
      t.seconds.append(seconds[i])
      t.rate.append(rate[i])
      t.force.append(force[i])
      t.field.append(field[i])
      t.truth.append(truth[i])
      t.isJudged.append(isJudged[i])
    }
    return t
  }
}
