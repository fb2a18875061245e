import Quantities

/// What is known by the names that instruments give their transducers.
///
/// - Source: the NMEA's table of 2019 (Pitch, Roll, Yaw, Heel, Trim, Baro, Air); Honeywell HMR3000 and
///   True North (PITCH, ROLL, MAGX…); Airmar (PTCH, ROLL); Yacht Devices, Actisense and OpenCPN
///   (Barometer, TempAir, ENV_…).
extension XDR {
  /// Bow up positive; a quarter turn at most.
  public var pitch: Angle? { angle(within: 90) { $0.matches("PITCH") || $0.matches("PTCH") } }

  /// Starboard down positive; heel is the same.
  public var roll: Angle? {
    angle(within: 180) { $0.matches("ROLL") || $0.matches("HEEL") || $0.matches("RLL") }
  }

  /// As printed; instruments do not say from which north.
  public var yaw: Angle? { angle(within: 360) { $0.matches("YAW") } }

  /// The barometer's.
  public var airHectopascal: Double? {
    first(.pressure) {
      ($0.contains("BARO") || $0.contains("ATMOS") || $0.contains("AIR"))
    }.flatMap { PrintedRange.airHectopascal.contains($0) ? $0 : nil }
  }

  /// Of the air outside, or where only one is told without saying which, of the air.
  public var airCelsius: Double? {
    first(.temperature) { $0.contains("OUT") }
      ?? first(.temperature) { $0.contains("AIR") && !$0.contains("IN") }
  }

  /// Of the water.
  public var waterCelsius: Double? {
    first(.temperature) { $0.contains("WATER") || $0.contains("SEA") || $0.matches("WTHI") }
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
