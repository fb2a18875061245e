import Quantities

/// Quantities that are identified by the names of the transducers.
///
/// - Source: the NMEA's table of 2019 (Pitch, Roll, Yaw, Heel, Baro, Air); Honeywell HMR3000 user's
///   guide 900240 rev. B (PITCH, ROLL); Airmar PB200 user manual 1.000, page 101 (PTCH and ROLL
///   with their signs, STNP); OpenCPN's dashboard manual (Barometer, TempAir, PTCH, ENV_OUTAIR_T,
///   ENV_WATER_T); public gateways' code (ENV_ATMOS_P, ENV_OUTSIDE_T).
extension XDR {
  /// Bow up positive; at most 90 degrees.
  public var pitch: Angle? { angle(within: 90) { $0.matches("PITCH") || $0.matches("PTCH") } }

  /// Starboard down positive; also from a transducer named heel.
  public var roll: Angle? {
    angle(within: 180) { $0.matches("ROLL") || $0.matches("HEEL") }
  }

  /// As printed; instruments do not specify true or magnetic north.
  public var yaw: Angle? { angle(within: 360) { $0.matches("YAW") } }

  /// Barometric pressure, hectopascals.
  public var airHectopascal: Double? {
    let printed = first(.pressure) {
      $0.contains("BARO") || $0.contains("ATMOS") || $0.contains("AIR") || $0.matches("STNP")
    }
    guard let printed else { return nil }
    // Some gateways send millibars with the unit bar: OpenCPN's manual allows both.
    let ofMillibars = printed / PrintedUnit.barHectopascal
    if PrintedRange.airHectopascal.contains(printed) { return printed }
    return PrintedRange.airHectopascal.contains(ofMillibars) ? ofMillibars : nil
  }

  /// Outside air temperature, degrees Celsius; else an air temperature that is not named as inside.
  public var airCelsius: Double? {
    first(.temperature) { $0.contains("OUT") }
      ?? first(.temperature) { $0.contains("AIR") && !$0.contains("IN") }
  }

  /// Water temperature, degrees Celsius.
  public var waterCelsius: Double? {
    first(.temperature) { $0.contains("WATER") || $0.contains("SEA") }
  }

  /// Relative humidity of the first hygrometer, percent.
  public var relativeHumidityPercent: Double? { first(.relativeHumidity) { _ in true } }

  private func angle(within limit: Double, _ isNamed: (ShortText) -> Bool) -> Angle? {
    guard let degrees = first(.angle, isNamed), abs(degrees) <= limit else { return nil }
    return Angle(degrees: degrees)
  }

  private func first(_ quantity: Quantity, _ isNamed: (ShortText) -> Bool) -> Double? {
    for index in 0..<count {
      guard let measurement = self[index], measurement.quantity == quantity else { continue }
      if isNamed(measurement.name) { return measurement.value }
    }
    return nil
  }
}
