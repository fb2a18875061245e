import Quantities
import RealModule

/// An axis of a plot: its range and its ticks.
package struct PlotAxis: Equatable, Sendable {
  /// A labelled position.
  package struct Tick: Equatable, Sendable {
    package var value: Double
    package var label: String
  }

  /// The values at the ends; of a logarithmic axis their logarithms.
  package var range: ClosedRange<Double>
  /// In rising order.
  package var ticks: [Tick]
  /// What it shows; empty where the title of the plot says it.
  package var label = ""

  /// An axis with equal steps of 1, 2 or 5 times a power of ten.
  /// - Parameters:
  ///   - values: The values that it must contain.
  ///   - count: About the number of ticks.
  ///   - least: The least length of the range: noise is not magnified beyond it.
  ///   - hasZero: Whether it must contain zero.
  /// - Returns: The axis; its range is a little longer than that of the values.
  package static func linear(
    _ values: ClosedRange<Double>, count: Int = 5, least: Double = 0, hasZero: Bool = false
  ) -> PlotAxis {
    let range = padded(values, least: least, hasZero: hasZero)
    let step = niceStep((range.upperBound - range.lowerBound) / Double(max(1, count)))
    return stepped(range, step: step)
  }

  /// An axis of degrees with steps that divide a turn.
  package static func degrees(
    _ values: ClosedRange<Double>, count: Int = 5, least: Double = 10,
    label: (Double) -> Double = { $0 }
  ) -> PlotAxis {
    let range = padded(values, least: least, hasZero: false)
    let raw = (range.upperBound - range.lowerBound) / Double(max(1, count))
    let step = [1, 2, 5, 10, 15, 30, 45, 90, 180].first { $0 >= raw } ?? 360
    return stepped(raw < 1 ? range : range, step: raw < 0.7 ? niceStep(raw) : step, label: label)
  }

  /// An axis of a time from zero on, in seconds, minutes or hours.
  package static func time(_ seconds: Double) -> PlotAxis {
    let (unit, name) = TimeText.unit(seconds)
    let end = max(seconds, 1e-3) / unit
    let raw = end / 5
    let nice: Double =
      unit == 60 ? ([1, 2, 5, 10, 15, 20, 30].first { $0 >= raw } ?? niceStep(raw)) : niceStep(raw)
    let decimals = decimals(of: nice)
    var ticks: [Tick] = []
    var index = 0.0
    while index * nice <= end * 1.000_001 {
      ticks.append(
        Tick(value: index * nice * unit, label: String(index * nice, decimals: decimals)))
      index += 1
    }
    return PlotAxis(range: 0...max(seconds, 1e-3), ticks: ticks, label: "time, \(name)")
  }

  /// A logarithmic axis with ticks at powers of ten, and at 2 and 5 times those where there are
  /// few.
  /// - Parameters:
  ///   - logarithms: The decimal logarithms of the values.
  ///   - label: The text of a value.
  /// - Returns: The axis, half a power of ten long at least.
  package static func logarithmic(
    _ logarithms: ClosedRange<Double>, label: (Double) -> String = { LogarithmText.text($0) }
  ) -> PlotAxis {
    let margin = max(0.05, (logarithms.upperBound - logarithms.lowerBound) * 0.04)
    var range = (logarithms.lowerBound - margin)...(logarithms.upperBound + margin)
    if range.upperBound - range.lowerBound < 0.5 {
      let middle = (range.upperBound + range.lowerBound) / 2
      range = (middle - 0.25)...(middle + 0.25)
    }
    let decades = range.upperBound - range.lowerBound
    let factors: [Double] = decades > 2.5 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 5]
    let skip = max(1, Int(bounded: (decades / 6).rounded(.up)))
    var ticks: [Tick] = []
    var power = Int(bounded: range.lowerBound.rounded(.down))
    while Double(power) <= range.upperBound {
      if power % skip == 0 {
        for factor in factors {
          let value = Double(power) + Double.log10(factor)
          if range.contains(value) {
            ticks.append(Tick(value: value, label: label(factor * Double.pow(10, power))))
          }
        }
      }
      power += 1
    }
    return PlotAxis(range: range, ticks: ticks)
  }

  /// An axis without ticks.
  package static func bare(_ range: ClosedRange<Double>) -> PlotAxis {
    PlotAxis(range: range, ticks: [])
  }

  /// The least of 1, 2 and 5 times a power of ten that is not below a length.
  package static func niceStep(_ length: Double) -> Double {
    guard length > 0, length.isFinite else { return 1 }
    let power = Double.pow(10, Double.log10(length).rounded(.down))
    let part = length / power
    return (part <= 1.000_001 ? 1 : part <= 2.000_001 ? 2 : part <= 5.000_001 ? 5 : 10) * power
  }

  // MARK: Parts

  private static func padded(
    _ values: ClosedRange<Double>, least: Double, hasZero: Bool
  ) -> ClosedRange<Double> {
    var (low, high) = (values.lowerBound, values.upperBound)
    if hasZero { (low, high) = (min(0, low), max(0, high)) }
    let missing = max(least, abs(low) * 1e-6, 1e-9) - (high - low)
    if missing > 0 {
      // An accuracy has no values below zero.
      let below = hasZero && low == 0 ? 0 : hasZero && high == 0 ? missing : missing / 2
      (low, high) = (low - below, high + missing - below)
    }
    let margin = (high - low) * 0.04
    return
      (hasZero && low == 0 ? low : low - margin)...(hasZero && high == 0 ? high : high + margin)
  }

  private static func stepped(
    _ range: ClosedRange<Double>, step: Double, label: (Double) -> Double = { $0 }
  ) -> PlotAxis {
    let decimals = decimals(of: step)
    var ticks: [Tick] = []
    var index = (range.lowerBound / step).rounded(.up)
    while index * step <= range.upperBound, ticks.count < 20 {
      let value = index * step
      ticks.append(Tick(value: value, label: String(label(value), decimals: decimals)))
      index += 1
    }
    return PlotAxis(range: range, ticks: ticks)
  }

  /// The decimals that show a step.
  private static func decimals(of step: Double) -> Int {
    min(9, max(0, -Int(bounded: (Double.log10(step) + 1e-9).rounded(.down))))
  }
}

/// The texts of a logarithmic axis.
package enum LogarithmText {
  /// A number from a thousandth to a hundred thousand in plain digits, another as a power of ten.
  package static func text(_ value: Double) -> String {
    guard value > 0 else { return "0" }
    let power = Double.log10(value) + 1e-9
    if value >= 0.999e-4, value < 0.999e5 {
      return String(value, decimals: max(0, -Int(bounded: power.rounded(.down))))
    }
    let exponent = Int(bounded: power.rounded(.down))
    let factor = (value / Double.pow(10, exponent)).rounded()
    return (factor == 1 ? "" : "\(Int(bounded: factor))·") + "10" + superscript(exponent)
  }

  private static func superscript(_ value: Int) -> String {
    let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    return String("\(value)".map { $0 == "-" ? "⁻" : digits[$0.wholeNumberValue ?? 0] })
  }
}
