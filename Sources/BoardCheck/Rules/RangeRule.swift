import Chips
import Quantities

/// Sensors that are at the limit of their range within a motion that none of them should mind.
///
/// Model: a value beyond the range is reported by the driver as none, or the sensor has a flat top:
/// the same value again and again, the largest of all. Noise makes equal largest values rare: of a
/// sensor with a noise of a fifth of a count and more, five largest ones in a row do not occur by
/// chance.
enum RangeRule {
  /// Equal samples in a row.
  private static let fewestInRow = 5
  /// Their share of all samples of the motion.
  private static let leastShare = 0.02
  /// Largest difference of values on a flat top, as a share: rounding by the rotation to the
  /// board's axes.
  private static let rounding = 1e-6

  static func findings(_ data: CheckData) -> [CheckFinding] {
    let rows = data.rows(data.motion)
    var findings: [CheckFinding] = []
    let rates = rows.compactMap { $0.inertial?.angularRate?.components }
    let fullScale = data.board.fullScale
    let rateShare = shareAtLimit(
      rates, fullScale.radiansPerSecond, least: FullScaleDetector.leastRate)
    let flatRate = flatTop(rates)
    if rateShare > leastShare || flatRate != nil {
      findings.append(
        CheckFinding(
          .clippedRange, on: data.name(of: .inertia),
          "its angular rate is at the limit of its range",
          figure: flatRate.map {
            "never more than \(CheckFigures.fixed($0 * 180 / .pi, 1)) degrees a second"
          } ?? "\(CheckFigures.percent(rateShare)) of the samples",
          remedy:
            "set a larger 'rotation-range' in the board file; if it stays, the chip is damaged or a clone: replace it"
        ))
    }
    let fields = rows.compactMap { $0.field?.field.components }
    if let top = flatTop(fields) {
      findings.append(
        CheckFinding(
          .clippedRange, on: data.name(of: .field), "its field is at the limit of its range",
          figure: "never more than \(CheckFigures.fixed(top, 1)) microtesla along an axis",
          remedy:
            "set a larger 'field-range' in the board file and remove iron beside it; if it stays, replace the chip"
        ))
    }
    let forces = rows.compactMap { $0.inertial?.specificForce?.components }
    let forceShare = shareAtLimit(
      forces, fullScale.metresPerSecondSquared, least: FullScaleDetector.leastForce)
    if forceShare > leastShare {
      findings.append(
        CheckFinding(
          .clippedRange, on: data.name(of: .inertia),
          "its acceleration is at the limit of its range",
          figure: "\(CheckFigures.percent(forceShare)) of the samples",
          remedy: "set a larger 'force-range' in the board file, or move the board more gently"))
    }
    return findings
  }

  /// The share of the samples with an axis at the end of the range, or at a lower limit that the
  /// samples show, which is at least `least`.
  private static func shareAtLimit(
    _ values: [SIMD3<Double>], _ fullScale: Double?, least: Double
  ) -> Double {
    var (known, shown) = (
      FullScaleDetector(fullScale: fullScale, least: least), FullScaleDetector(least: least)
    )
    let count = values.count { value in
      let (atEnd, atTop) = (known.add(value) != .zero, shown.add(value) != .zero)
      return atEnd || atTop
    }
    return Double(count) / Double(max(1, values.count))
  }

  /// The value of a flat top along an axis; nil for none.
  private static func flatTop(_ values: [SIMD3<Double>]) -> Double? {
    var tops: [Double] = []
    for axis in 0..<3 {
      let top = values.reduce(0) { max($0, abs($1[axis])) }
      guard top > 0 else { continue }
      var (all, run, longest) = (0, 0, 0)
      for value in values {
        guard abs(value[axis]) > top * (1 - rounding) else {
          run = 0
          continue
        }
        all += 1
        run += 1
        longest = max(longest, run)
      }
      if longest >= fewestInRow, Double(all) > leastShare * Double(values.count) {
        tops.append(top)
      }
    }
    return tops.max()
  }
}

extension CheckData {
  /// Whether the unit has measured angular rates at all.
  var hasGyroscope: Bool { rows.contains { $0.inertial?.angularRate != nil } }
}
