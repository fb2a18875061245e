import Quantities

/// Formats the quantities of an estimate for users, in Unicode or in ASCII.
///
/// Every function returns nil for a value that is unknown or not finite; `unknown` is then shown.
package struct Figures: Sendable {
  /// True if only ASCII may be written.
  package let isASCII: Bool

  /// The degree sign after an angle.
  package let degree: String

  /// Selects the characters; in compact ASCII the degree sign is one letter.
  package init(isASCII: Bool, isCompact: Bool = false) {
    self.isASCII = isASCII
    degree = isASCII ? (isCompact ? "d" : " deg") : "°"
  }

  /// The text of an unknown value.
  package var unknown: String { isASCII ? "--" : "—" }
  /// The sign before an accuracy.
  package var plusMinus: String { isASCII ? "+/-" : "±" }

  /// A direction, 0.0 to 359.9; 360 is written as north. Padded, it has three digits before the
  /// point, as in navigation.
  package func direction(_ angle: Angle?, padded: Bool = false) -> String? {
    guard let tenths = Self.tenths(ofDirection: angle) else { return nil }
    let whole = padded ? FixedPoint.zeroPadded(tenths / 10, width: 3) : String(tenths / 10)
    return whole + "." + String(tenths % 10)
  }

  /// A direction in whole tenths of a degree, 0 to 3599.
  package static func tenths(ofDirection angle: Angle?) -> Int64? {
    guard let angle, angle.radians.isFinite,
      let rounded = FixedPoint(angle.wrappedToTurn.degrees, decimals: 1)
    else { return nil }
    return rounded.count % 3600
  }

  /// The nearest of the sixteen compass points.
  package static func wind(_ angle: Angle?) -> String? {
    guard let angle, angle.radians.isFinite else { return nil }
    let sector = Int(bounded: (angle.wrappedToTurn.degrees / 22.5).rounded()) % winds.count
    return winds[sector]
  }

  private static let winds = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
    "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  /// A number with a fixed count of decimals.
  package func number(_ value: Double?, decimals: Int) -> String? {
    value.flatMap { FixedPoint($0, decimals: decimals) }?.text
  }

  /// A number with its sign.
  package func signed(_ value: Double?, decimals: Int) -> String? {
    value.flatMap { FixedPoint($0, decimals: decimals) }?.signedText
  }

  /// An accuracy in metres: centimetres below 1 m, decimetres below 10 m.
  package func accuracy(metres: Double?) -> String? {
    guard let metres, metres >= 0 else { return nil }
    // 0.995 and 9.95 are where one decimal less starts to round up to the next range.
    let decimals = metres < 0.995 ? 2 : metres < 9.95 ? 1 : 0
    return number(metres, decimals: decimals).map { plusMinus + $0 + " m" }
  }

  /// An accuracy in degrees.
  package func accuracy(_ angle: Angle?) -> String? {
    guard let angle, angle.radians >= 0 else { return nil }
    return number(angle.degrees, decimals: 1).map { plusMinus + $0 + degree }
  }

  /// Degrees and decimal minutes, as on charts: 57° 07.407′ N.
  package func latitude(_ angle: Angle?) -> String? {
    minutes(angle, degreeDigits: 2, positive: "N", negative: "S")
  }

  /// Degrees and decimal minutes: 011° 59.259′ E.
  package func longitude(_ angle: Angle?) -> String? {
    minutes(angle, degreeDigits: 3, positive: "E", negative: "W")
  }

  private func minutes(
    _ angle: Angle?, degreeDigits: Int, positive: String, negative: String
  ) -> String? {
    guard let angle, let rounded = FixedPoint(angle.degrees * 60, decimals: 3) else { return nil }
    let size = abs(rounded.count)
    let degrees = FixedPoint.zeroPadded(size / 60_000, width: degreeDigits)
    let whole = FixedPoint.zeroPadded(size % 60_000 / 1000, width: 2)
    let part = FixedPoint.zeroPadded(size % 1000, width: 3)
    let side = rounded.count < 0 ? negative : positive
    return "\(degrees)\(isASCII ? "d" : "°") \(whole).\(part)\(isASCII ? "'" : "′") \(side)"
  }

  /// Decimal degrees without a sign, and the hemisphere: 57.12345 N.
  package func decimalLatitude(_ angle: Angle?) -> String? {
    decimal(angle, positive: "N", negative: "S", width: 8)
  }

  /// Decimal degrees without a sign, and the hemisphere: 11.98765 E.
  package func decimalLongitude(_ angle: Angle?) -> String? {
    decimal(angle, positive: "E", negative: "W", width: 9)
  }

  private func decimal(
    _ angle: Angle?, positive: String, negative: String, width: Int
  ) -> String? {
    guard let angle, let rounded = FixedPoint(angle.degrees, decimals: 5) else { return nil }
    return rounded.magnitudeText.leading(width) + " " + (rounded.count < 0 ? negative : positive)
  }

  /// Knots: one is 1852 m an hour.
  package static func knots(_ metresPerSecond: Double?) -> Double? {
    metresPerSecond.map { $0 * 3600 / 1852 }
  }
}
