import Quantities

/// What is known by the names that instruments give their transducers.
///
/// - Source: the NMEA's table of 2019 (Pitch, Roll, Yaw, Heel, Baro, Air); Honeywell HMR3000 user's guide
///   900240 rev. B (PITCH, ROLL); Airmar PB200 user manual 1.000, page 101 (PTCH and ROLL with their
///   signs, STNP); OpenCPN's dashboard manual (Barometer, TempAir, PTCH, ENV_OUTAIR_T, ENV_WATER_T);
///   public gateways' code (ENV_ATMOS_P, ENV_OUTSIDE_T).
extension XDR {
  /// Bow up positive; a quarter turn at most.
  public var pitch: Angle? { angle(within: 90) { $0.matches("PITCH") || $0.matches("PTCH") } }

  /// Starboard down positive; heel is the same.
  public var roll: Angle? {
    angle(within: 180) { $0.matches("ROLL") || $0.matches("HEEL") }
  }

  /// As printed; instruments do not say from which north.
  public var yaw: Angle? { angle(within: 360) { $0.matches("YAW") } }

  /// The barometer's.
  public var airHectopascal: Double? {
    let printed = first(.pressure) {
      $0.contains("BARO") || $0.contains("ATMOS") || $0.contains("AIR") || $0.matches("STNP")
    }
    guard let printed else { return nil }
    // Some gateways print millibars and call them bars: OpenCPN's manual allows both.
    let ofMillibars = printed / PrintedUnit.barHectopascal
    if PrintedRange.airHectopascal.contains(printed) { return printed }
    return PrintedRange.airHectopascal.contains(ofMillibars) ? ofMillibars : nil
  }

  /// Of the air outside, or where only one is told without saying which, of the air.
  public var airCelsius: Double? {
    first(.temperature) { $0.contains("OUT") }
      ?? first(.temperature) { $0.contains("AIR") && !$0.contains("IN") }
  }

  /// Of the water.
  public var waterCelsius: Double? {
    first(.temperature) { $0.contains("WATER") || $0.contains("SEA") }
  }

  /// Percent, of the first hygrometer.
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
