import RealModule

/// The standard atmosphere: the relation of pressure and altitude in air of standard temperature.
///
/// - Accuracy: the tables of ISO 2533 to their last printed digit, from -5 km to 32 km.
/// - Source: ICAO Doc 7488 (ISO 2533:1975), U.S. Standard Atmosphere 1976, table 4: layers by
///   geopotential altitude.
public enum StandardAtmosphere {
  /// Pressure at mean sea level of the standard atmosphere, hPa.
  public static var seaLevelHectopascal: Double { 1013.25 }

  /// g0 M / R*, kelvin per metre: 9.80665 m/s² x 0.0289644 kg/mol / 8.31432 J/(mol K).
  private static var hydrostatic: Double { 9.80665 * 0.028_964_4 / 8.314_32 }

  /// A layer with a constant temperature gradient over geopotential altitude.
  private struct Layer {
    /// Geopotential altitude of its base, metres.
    let base: Double
    /// Temperature at its base, kelvin.
    let temperature: Double
    /// Kelvin per metre.
    let lapse: Double

    /// Pressure as a fraction of the base's.
    func ratio(atMetres h: Double) -> Double {
      lapse == 0
        ? Double.exp(-hydrostatic * (h - base) / temperature)
        : Double.pow(temperature / (temperature + lapse * (h - base)), hydrostatic / lapse)
    }

    /// Geopotential altitude of a pressure, given as a fraction of the base's, metres.
    func metres(atRatio ratio: Double) -> Double {
      lapse == 0
        ? base - Double.log(ratio) * temperature / hydrostatic
        : base + temperature * (Double.pow(ratio, -lapse / hydrostatic) - 1) / lapse
    }
  }

  private static var layers: (troposphere: Layer, tropopause: Layer, stratosphere: Layer) {
    (
      Layer(base: 0, temperature: 288.15, lapse: -0.0065),
      Layer(base: 11_000, temperature: 216.65, lapse: 0),
      Layer(base: 20_000, temperature: 216.65, lapse: 0.001)
    )
  }

  /// The altitude above sea level of a pressure, metres.
  ///
  /// With the QNH of a place and hour this is altitude above the sea there, with an error from the
  /// day's temperature (3.5 % of the height for 10 kelvin); without it, pressure altitude.
  /// - Parameters:
  ///   - hectopascal: The static pressure; above 0.
  ///   - qnhHectopascal: The altimeter setting, pressure at sea level; above 0.
  /// - Returns: Metres above the sea.
  public static func pressureAltitudeMetres(
    hectopascal: Double, qnhHectopascal: Double = 1013.25
  ) -> Double {
    // An altimeter's setting shifts its scale by the altitude of the QNH in the standard
    // atmosphere.
    standardAltitude(hectopascal) - standardAltitude(qnhHectopascal)
  }

  /// The pressure at an altitude above sea level, hPa.
  public static func pressureHectopascal(
    altitudeMetres: Double, qnhHectopascal: Double = 1013.25
  ) -> Double {
    standardPressure(altitudeMetres + standardAltitude(qnhHectopascal))
  }

  /// The QNH of a place whose altitude and pressure are known, hPa.
  public static func qnhHectopascal(
    pressureHectopascal: Double, altitudeMetres: Double
  ) -> Double {
    standardPressure(standardAltitude(pressureHectopascal) - altitudeMetres)
  }

  private static func standardPressure(_ metres: Double) -> Double {
    let (low, middle, high) = layers
    let atMiddle = seaLevelHectopascal * low.ratio(atMetres: middle.base)
    let atHigh = atMiddle * middle.ratio(atMetres: high.base)
    if metres < middle.base { return seaLevelHectopascal * low.ratio(atMetres: metres) }
    if metres < high.base { return atMiddle * middle.ratio(atMetres: metres) }
    return atHigh * high.ratio(atMetres: metres)
  }

  private static func standardAltitude(_ hectopascal: Double) -> Double {
    let (low, middle, high) = layers
    let atMiddle = seaLevelHectopascal * low.ratio(atMetres: middle.base)
    let atHigh = atMiddle * middle.ratio(atMetres: high.base)
    if hectopascal > atMiddle { return low.metres(atRatio: hectopascal / seaLevelHectopascal) }
    if hectopascal > atHigh { return middle.metres(atRatio: hectopascal / atMiddle) }
    return high.metres(atRatio: hectopascal / atHigh)
  }
}
