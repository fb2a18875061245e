import EarthModel
import JSON
import Quantities

/// Magnetic elements, their errors and warnings as text.
enum FieldText {
  static func lines(
    _ e: MagneticElements, _ model: MagneticModel, decimalYear: Double
  ) -> [String] {
    func angle(_ name: String, _ value: Angle, _ rate: Angle, _ note: String = "") -> String {
      row(name, fixed(value.degrees, 2, 11), "°  ", fixed(rate.degrees, 3, 9), "°/year") + note
    }
    func field(_ name: String, _ value: Double, _ rate: Double) -> String {
      row(name, fixed(value, 1, 11), " nT", fixed(rate, 1, 9), " nT/year")
    }
    let uncertainty = fixed(e.declinationUncertainty.degrees, 2)
    return [
      "\(model.name) at \(fixed(decimalYear, 3))",
      angle("declination  D", e.declination, e.declinationRate, "   ±\(uncertainty)° (one sigma)"),
      angle("inclination  I", e.inclination, e.inclinationRate),
      field("horizontal   H", e.horizontalNanotesla, e.horizontalRateNanotesla),
      field("north        X", e.northNanotesla, e.northRateNanotesla),
      field("east         Y", e.eastNanotesla, e.eastRateNanotesla),
      field("down         Z", e.downNanotesla, e.downRateNanotesla),
      field("total        F", e.totalNanotesla, e.totalRateNanotesla),
    ]
  }

  static func message(_ error: MagneticModelError) -> String {
    switch error {
    case .latitudeBeyondPole(let degrees):
      "latitude \(degrees): expected -90 to 90 degrees"
    case .notANumber(let name): "\(name) is not a finite number"
    case .heightInsideCore(let metres):
      "altitude \(metres) m is inside the earth's core; expected above -3000000 m"
    case .malformed(let line, let expected):
      "\(line): invalid line of coefficients; expected \(expected)"
    }
  }

  static func message(_ warning: MagneticModelWarning) -> String {
    switch warning {
    case .outsideValidity(let years):
      "the result may be wrong by degrees: the date is outside the model's validity, "
        + "\(fixed(years.lowerBound, 1)) to \(fixed(years.upperBound, 1))"
    case .blackoutZone:
      "near a magnetic pole (H below 2000 nT): a compass must not be relied on"
    case .cautionZone:
      "near a magnetic pole (H below 6000 nT): use a compass with caution"
    }
  }

  private static func row(_ parts: String...) -> String { parts.joined() }

  static func fixed(_ value: Double, _ decimals: Int, _ width: Int = 0) -> String {
    let text = String(value, decimals: decimals)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Magnetic elements as one JSON object.
enum FieldJSON {
  static func append(
    _ e: MagneticElements, _ model: MagneticModel, _ date: DateArgument, to line: inout [UInt8]
  ) {
    var json = JSONWriter(appendingTo: &line)
    json.add(time: date.utc)
    json.add("model", model.name)
    json.add("date", date.decimalYear, decimals: 6)
    let values: [(StaticString, Double)] = [
      ("D", e.declination.degrees), ("I", e.inclination.degrees), ("H", e.horizontalNanotesla),
      ("X", e.northNanotesla), ("Y", e.eastNanotesla), ("Z", e.downNanotesla),
      ("F", e.totalNanotesla), ("dD", e.declinationRate.degrees),
      ("dI", e.inclinationRate.degrees), ("dH", e.horizontalRateNanotesla),
      ("dX", e.northRateNanotesla), ("dY", e.eastRateNanotesla), ("dZ", e.downRateNanotesla),
      ("dF", e.totalRateNanotesla), ("declinationUncertainty", e.declinationUncertainty.degrees),
    ]
    for (name, value) in values { json.add(name, value, decimals: 6) }
    json.add("warnings", e.warnings.map(FieldText.message))
    json.close(into: &line)
  }
}
