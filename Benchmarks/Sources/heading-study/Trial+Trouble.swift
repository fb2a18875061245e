import Foundation
import Fusion
import Quantities
import RecordedTrials

/// What may befall a body.
extension Trial {
  /// White noise on the specific force, one sigma in m/s².
  func shaken(_ sigma: Double) -> Trial {
    var t = self
    var noise = StudyNoise(seed: 88_172_645_463_325_252)
    for i in 0..<count {
      t.force[i] += SIMD3(noise.normal(), noise.normal(), noise.normal()) * sigma
    }
    return t
  }

  /// A magnet on the body, microtesla, from one fraction of the trial to another. Its direction is
  /// another in each trial.
  func magnet(_ microtesla: Double, from: Double, to: Double) -> Trial {
    var hash: UInt64 = 1_469_598_103_934_665_603
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    hash ^= UInt64(microtesla)
    let up = Double(hash % 1000) / 1000 * 2 - 1
    let azimuth = Double((hash / 1000) % 1000) / 1000 * 2 * .pi
    let level = (1 - up * up).squareRoot()
    let magnet = SIMD3(level * cos(azimuth), -level * sin(azimuth), -up) * microtesla
    var t = self
    let end = min(Double(count), to * Double(count))
    for i in Int((from * Double(count)).rounded(.up))..<Int(end.rounded(.up)) {
      t.field[i] = field[i].map { $0 + magnet }
    }
    return t
  }

  /// The sensor sits askew on the body: no axis is special.
  func rotatedSensor() -> Trial {
    let skew = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(1.237, 1.649, -1.237))
    var t = self
    for i in 0..<count {
      t.rate[i] = skew.rotate(rate[i])
      t.force[i] = skew.rotate(force[i])
      t.field[i] = field[i].map { skew.rotate($0) }
      t.truth[i] = truth[i] * skew.inverse
    }
    return t
  }

  /// The gyroscope misses a turn about the vertical: heading is wrong by it from then on.
  func missingTurn(degrees: Double, at fraction: Double) -> Trial {
    var t = self
    let first = Int(Double(count) * fraction)
    // Over a tenth of a second: a faster turn is one that no gyroscope can mean.
    let steps = max(1, Int(hertz / 10))
    let turn = SIMD3(0, 0, -degrees * .pi / 180 * hertz / Double(steps))
    for i in first..<min(first + steps, count) { t.rate[i] += truth[i].inverse.rotate(turn) }
    return t
  }

  /// The field of the first second is turned: the filter begins with a wrong heading.
  func firstSecondTurned(degrees: Double) -> Trial {
    let other = turned(degrees: degrees)
    var t = self
    for i in 0..<count where seconds[i] < 1 { t.field[i] = other.field[i] }
    return t
  }
}

/// Normal noise that is the same in every run.
struct StudyNoise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Box and Muller's.
  mutating func normal() -> Double {
    (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  /// Marsaglia's xorshift.
  private mutating func uniform() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
  }
}
