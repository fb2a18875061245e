import Foundation
import Fusion
import Quantities
import RecordedTrials
import Study

extension Trial {
  /// The delay of the recorded field behind the attitude in samples, determined from BROAD's field.
  private static let fieldLag = 4

  /// The same motion in the same room, made at another azimuth.
  ///
  /// The earth's part of the field, which is the median over the trial, turns with the body's
  /// heading; what the room adds stays as it was measured. A filter with a favourite azimuth shows
  /// itself so.
  func turned(degrees: Double) -> Trial {
    if degrees == 0 { return self }
    let behind = (0..<count).map { truth[max(0, $0 - Self.fieldLag)] }
    let fields = (0..<count).compactMap { i in field[i].map { behind[i].rotate($0) } }
    guard !fields.isEmpty else { return self }
    let earth = SIMD3(
      median(fields.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }), 0, median(fields.map(\.z)))
    // Against the clock seen from above, which is negative about the axis down.
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, -degrees * .pi / 180))
    let change = turn.inverse.rotate(earth) - earth
    var t = self
    for i in 0..<count {
      t.field[i] = field[i].map { $0 + behind[i].inverse.rotate(change) }
      t.truth[i] = turn * truth[i]
    }
    return t
  }
}

/// Each trial at each azimuth; those of one trial lie side by side.
func turned(_ trials: [Trial], to degrees: [Double]) -> [Trial] {
  parallel(trials.count * degrees.count) { n in
    trials[n / degrees.count].turned(degrees: degrees[n % degrees.count])
  }
}

/// The element in the middle of the order; zero of nothing.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : values.sorted()[values.count / 2]
}
