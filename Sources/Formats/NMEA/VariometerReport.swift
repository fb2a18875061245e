import EarthModel
import Quantities

/// The sentences of variometers for gliders' and paragliders' computers (XCSoar, LK8000, XCTrack).
///
/// The vertical speed is that of the altitude filter and not compensated for the glider's energy, as
/// in instruments without an airspeed. A barometer's temperature is not that of the air and is left
/// out. A simulation has no sentences, because they cannot be marked as simulated.
enum VariometerReport {
  /// Vertical speed in metres a second and static pressure in hectopascal.
  /// - Source: OpenVario, sensord's protocol ("$POV").
  static func pov(_ estimate: Estimate, _ pressure: PressureSample?) -> SentenceLine? {
    let climb = estimate.verticalSpeedMetresPerSecond
    guard hasValues(estimate, pressure) else { return nil }
    var line = SentenceLine("POV")
    if let climb {
      line.field("E")
      line.field(climb, decimals: 2)
    }
    if let pressure {
      line.field("P")
      line.field(pressure.hectopascal, decimals: 2)
    }
    return line
  }

  /// Pressure in pascal, altitude, vertical speed in centimetres a second, temperature, battery, and
  /// an empty field. The absent values are 999999, 99999, 9999, 99 and 999. Readers compute the
  /// altitude from the pressure.
  /// - Source: LK8000, `Docs/LK8EX1.txt`.
  static func lk8ex1(_ estimate: Estimate, _ pressure: PressureSample?) -> SentenceLine? {
    let climb = estimate.verticalSpeedMetresPerSecond
    guard hasValues(estimate, pressure) else { return nil }
    var line = SentenceLine("LK8EX1")
    line.field(integer: whole(pressure.map { $0.hectopascal * 100 }, below: 999_999))
    line.field(integer: 99_999)
    line.field(integer: whole(climb.map { $0 * 100 }, below: 9999))
    line.field(integer: 99)
    line.field(integer: 999)
    line.field()
    return line
  }

  /// Whether a logger runs, airspeed, pressure altitude in metres, six vertical speeds of the last
  /// second in metres a second, of which the first is written, heading in degrees, and wind.
  /// - Source: XCSoar, driver "LXNAV" (LXWP0).
  static func lxwp0(_ estimate: Estimate, _ pressure: PressureSample?) -> SentenceLine? {
    let climb = estimate.verticalSpeedMetresPerSecond
    guard hasValues(estimate, pressure) else { return nil }
    var line = SentenceLine("LXWP0")
    line.field("N")
    line.field()
    line.field(
      pressure.map { StandardAtmosphere.pressureAltitudeMetres(hectopascal: $0.hectopascal) },
      decimals: 1
    )
    line.field(climb, decimals: 2)
    for _ in 1..<6 { line.field() }
    line.field(estimate.trueHeading?.angle.degreesBelowTurn(decimals: 0), decimals: 0)
    line.field()
    line.field()
    return line
  }

  private static func hasValues(_ estimate: Estimate, _ pressure: PressureSample?) -> Bool {
    !estimate.isSimulated && (estimate.verticalSpeedMetresPerSecond != nil || pressure != nil)
  }

  /// A whole number; the absent value where it is nil or as large.
  private static func whole(_ value: Double?, below absent: Double) -> Int {
    guard let value, abs(value) < absent - 0.5 else { return Int(bounded: absent) }
    return Int(bounded: value.rounded())
  }
}
