import Quantities
import RealModule

/// Figures as text in sentences.
package enum FigureText {
  /// What stands in place of a figure that is not known.
  package static let unknown = "not known"

  /// A number with so many decimals.
  package static func fixed(_ value: Double?, _ decimals: Int) -> String {
    guard let value, value.isFinite else { return unknown }
    return String(value, decimals: decimals)
  }

  /// A number with so many significant digits, at most nine decimals.
  package static func significant(_ value: Double?, _ digits: Int = 3) -> String {
    guard let value, value.isFinite else { return unknown }
    guard value != 0 else { return "0" }
    // Of the rounded value: 9.999 with three digits is 10.0.
    let rounded = abs(value) * (1 + 0.5 * Double.pow(10, -digits))
    let power = Int(bounded: Double.log10(rounded).rounded(.down))
    return String(value, decimals: min(9, max(0, digits - 1 - power)))
  }

  /// A share, 0 to 1, as a percentage: one that is neither none nor all is never shown as such.
  package static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return unknown }
    if share > 0, share < 0.005 { return "less than 1 %" }
    if share < 1, share >= 0.995 { return "more than 99 %" }
    return String(share * 100, decimals: 0) + " %"
  }

  /// A direction, 0 to 359 degrees.
  package static func direction(_ degrees: Double) -> String {
    let whole = degrees.rounded().truncatingRemainder(dividingBy: 360)
    return String(whole < 0 ? whole + 360 : whole, decimals: 0) + "°"
  }

  /// An angle from a direction, positive clockwise.
  package static func side(_ degrees: Double, _ decimals: Int) -> String {
    let text = fixed(abs(degrees), decimals)
    if text == fixed(0, decimals) { return text + "°" }
    return "\(text)° to the \(degrees < 0 ? "left" : "right")"
  }

  /// A length in metres, or in kilometres from one on.
  package static func length(_ metres: Double) -> String {
    metres < 1000 ? fixed(metres, 1) + " m" : fixed(metres / 1000, 2) + " km"
  }

  /// A count with its noun.
  package static func count(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}

/// Times as text.
package enum TimeText {
  /// The unit of a time axis of this length: its seconds and its name.
  package static func unit(_ seconds: Double) -> (seconds: Double, name: String) {
    seconds <= 180 ? (1, "s") : seconds <= 3 * 3600 ? (60, "min") : (3600, "h")
  }

  /// A time from the begin in a sentence.
  package static func after(_ seconds: Double) -> String {
    seconds < 0.05 ? "at the begin" : "after \(text(seconds))"
  }

  /// A duration.
  package static func text(_ seconds: Double) -> String {
    if seconds < 0.0995 { return FigureText.significant(seconds * 1000, 2) + " ms" }
    if seconds < 180 { return String(seconds, decimals: 1) + " s" }
    let whole = Int(bounded: seconds.rounded())
    if whole < 3 * 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}
