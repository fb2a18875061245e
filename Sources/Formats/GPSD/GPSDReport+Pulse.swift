import JSON
import Quantities
import RealModule
import ReceiverProtocols

extension GPSDReport {
  /// gpsd's value for pulses with kernel timestamps: 2 to the power of -20 s, a microsecond.
  private static let usualPrecision = -20

  /// A pulse: the marked second and the system clock at the pulse; nil where either is not known.
  ///
  /// - Parameters:
  ///   - pulse: The pulse.
  ///   - jitterSeconds: One sigma of the pulses; `precision` is the power of two above it.
  ///   - device: The path of the receiver, or of the pulse's source.
  /// - Returns: The object, without the line's end.
  /// - Source: gpsd_json(5), "PPS", gpsd 3.22 to 3.25.
  public static func pps(
    _ pulse: MarkedPulse, jitterSeconds: Double? = nil, device: String? = nil
  ) -> [UInt8]? {
    guard let second = pulse.second, let clock = pulse.systemUTC else { return nil }
    var text: [UInt8] = []
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "PPS")
    add(second, clock, device, to: &json)
    json.add("precision", precision(jitterSeconds))
    json.add("qErr", pulse.quantisationErrorPicoseconds.map { Int($0) })
    json.close(into: &text)
    return text
  }

  /// The receiver's time and the system clock when it arrived.
  ///
  /// - Parameters:
  ///   - utc: The receiver's time.
  ///   - clock: The system clock at the arrival of the first byte.
  ///   - device: The path of the receiver.
  /// - Returns: The object, without the line's end.
  /// - Source: gpsd_json(5), "TOFF", gpsd 3.22 to 3.25.
  public static func toff(_ utc: UTCTime, clock: UTCTime, device: String? = nil) -> [UInt8] {
    var text: [UInt8] = []
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "TOFF")
    add(utc, clock, device, to: &json)
    json.close(into: &text)
    return text
  }

  private static func add(
    _ real: UTCTime, _ clock: UTCTime, _ device: String?, to json: inout JSONWriter
  ) {
    json.add("device", device)
    let (real, shown) = (real.parts, clock.parts)
    json.add("real_sec", integer: real.seconds)
    json.add("real_nsec", integer: real.nanoseconds)
    json.add("clock_sec", integer: shown.seconds)
    json.add("clock_nsec", integer: shown.nanoseconds)
  }

  /// NTP's precision: the power of two, in seconds.
  /// - Source: RFC 5905, 7.3.
  private static func precision(_ jitterSeconds: Double?) -> Int {
    guard let jitterSeconds, jitterSeconds > 0, jitterSeconds < 1 else { return usualPrecision }
    return Int(bounded: Double.log2(jitterSeconds).rounded(.up))
  }
}
