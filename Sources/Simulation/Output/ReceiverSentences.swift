import Quantities
import RealModule

/// The sentences of the simulated receiver: GGA, RMC and GST of each epoch, labelled as simulated
/// (GGA quality 8, RMC mode and navigational status S).
///
/// RMC's status is A while there is a position, as in receivers with other modes than A and D; a
/// strict reading of the standard requires V.
/// - Source: NMEA 0183 version 4.10, sentences GGA, GST and RMC, by E. S. Raymond, "NMEA
///   Revealed", and u-blox UBX-13003221.
public enum ReceiverSentences {
  /// The bytes of one epoch, each sentence with checksum and line end.
  public static func bytes(of fix: Fix, geoidSeparationMetres: Double) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    append(fix, geoidSeparationMetres: geoidSeparationMetres, to: &bytes)
    return bytes
  }

  /// Appends the bytes of one epoch to others.
  public static func append(
    _ fix: Fix, geoidSeparationMetres: Double, to bytes: inout [UInt8]
  ) {
    sentence(&bytes) { appendGGA(fix, geoidSeparationMetres, to: &$0) }
    sentence(&bytes) { appendRMC(fix, to: &$0) }
    if fix.position != nil { sentence(&bytes) { appendGST(fix, to: &$0) } }
  }

  /// Appends the satellites of an epoch: GSA and GSV of each system.
  ///
  /// GSA's vertical dilution is 1.6 times the horizontal one, the usual ratio.
  /// - Source: NMEA 0183 4.11, GSA and GSV with system and signal identifier.
  static func append(_ sky: SimulatedSky, horizontalDilution: Double?, to bytes: inout [UInt8]) {
    let vertical = horizontalDilution.map { $0 * 1.6 }
    let position = horizontalDilution.map { $0 * (1 + 1.6 * 1.6).squareRoot() }
    for (index, system) in SimulatedSky.systems.enumerated() {
      let satellites = sky.satellites.filter { $0.system == index }
      let used = satellites.filter(\.isUsed)
      sentence(&bytes) { bytes in
        bytes.append(ascii: position == nil ? "GNGSA,A,1" : "GNGSA,A,3")
        for place in 0..<12 {
          bytes.append(comma)
          if place < used.count { bytes.append(integer: used[place].number, width: 2) }
        }
        for value in [position, horizontalDilution, vertical] {
          bytes.append(comma)
          bytes.append(value, decimals: 2)
        }
        bytes.append(comma)
        bytes.append(integer: system.identifier, width: 1)
      }
    }
    for (index, system) in SimulatedSky.systems.enumerated() {
      let satellites = sky.satellites.filter { $0.system == index }
      let parts = (satellites.count + 3) / 4
      for part in 0..<parts {
        sentence(&bytes) { bytes in
          bytes.append(ascii: system.talker)
          bytes.append(ascii: "GSV")
          for (value, width) in [(parts, 1), (part + 1, 1), (satellites.count, 2)] {
            bytes.append(comma)
            bytes.append(integer: Int64(value), width: width)
          }
          for satellite in satellites.dropFirst(4 * part).prefix(4) {
            appendEntry(satellite, to: &bytes)
          }
          bytes.append(ascii: ",1")
        }
      }
    }
  }

  private static func appendEntry(_ satellite: SimulatedSky.Satellite, to bytes: inout [UInt8]) {
    func whole(_ value: Double) -> Int64 { Int64(bounded: value.rounded(.down)) }
    bytes.append(comma)
    bytes.append(integer: satellite.number, width: 2)
    bytes.append(comma)
    bytes.append(integer: whole(satellite.elevationDegrees), width: 2)
    bytes.append(comma)
    bytes.append(integer: whole(satellite.azimuthDegrees), width: 3)
    bytes.append(comma)
    bytes.append(integer: whole(satellite.signalDecibelHertz), width: 2)
  }

  /// A knot in metres per second.
  private static var knot: Double { 1852.0 / 3600 }
  private static var comma: UInt8 { UInt8(ascii: ",") }

  private static func sentence(_ bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "$"))
    let start = bytes.count
    body(&bytes)
    var sum: UInt8 = 0
    for byte in bytes[start...] { sum ^= byte }
    bytes.append(UInt8(ascii: "*"))
    bytes.append(hexadecimal(sum >> 4))
    bytes.append(hexadecimal(sum & 15))
    bytes.append(contentsOf: [13, 10])
  }

  private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func appendGGA(_ fix: Fix, _ separation: Double, to bytes: inout [UInt8]) {
    bytes.append(ascii: "GPGGA,")
    appendTime(fix.utc, to: &bytes)
    appendPosition(fix.position, to: &bytes)
    bytes.append(ascii: fix.position == nil ? ",0," : ",8,")
    if let satellites = fix.satellitesUsed { bytes.append(integer: Int64(satellites), width: 2) }
    bytes.append(comma)
    bytes.append(fix.horizontalDilution, decimals: 2)
    bytes.append(comma)
    bytes.append(fix.altitudeMetres, decimals: 2)
    bytes.append(ascii: ",M,")
    if fix.altitudeMetres != nil { bytes.append(separation, decimals: 2) }
    bytes.append(ascii: ",M,,")
  }

  private static func appendRMC(_ fix: Fix, to bytes: inout [UInt8]) {
    let valid = fix.position != nil
    bytes.append(ascii: "GPRMC,")
    appendTime(fix.utc, to: &bytes)
    bytes.append(ascii: valid ? ",A" : ",V")
    appendPosition(fix.position, to: &bytes)
    bytes.append(comma)
    bytes.append(fix.speedMetresPerSecond.map { $0 / knot }, decimals: 3)
    bytes.append(comma)
    if let course = fix.course {
      // 359.996 would round to 360.00.
      let degrees = (course.degrees * 100).rounded() / 100
      bytes.append(degrees >= 360 ? 0 : degrees, decimals: 2)
    }
    bytes.append(comma)
    if let date = fix.utc?.date {
      bytes.append(integer: Int64(date.day), width: 2)
      bytes.append(integer: Int64(date.month), width: 2)
      bytes.append(integer: Int64(date.year % 100), width: 2)
    }
    // No variation: the receiver has none. Then the mode and the navigational status.
    bytes.append(ascii: valid ? ",,,S,S" : ",,,N,V")
  }

  private static func appendGST(_ fix: Fix, to bytes: inout [UInt8]) {
    // The radius that holds 68 % of two equal normal errors is 1.5096 sigma of one.
    let sigma = fix.horizontalAccuracyMetres.map { $0 / 1.509_592 }
    bytes.append(ascii: "GPGST,")
    appendTime(fix.utc, to: &bytes)
    bytes.append(ascii: ",,,,,")
    bytes.append(sigma, decimals: 2)
    bytes.append(comma)
    bytes.append(sigma, decimals: 2)
    bytes.append(comma)
    bytes.append(fix.verticalAccuracyMetres, decimals: 2)
  }

  /// hhmmss.ss, hundredths truncated as in receivers: rounding could give a later second.
  private static func appendTime(_ utc: UTCTime?, to bytes: inout [UInt8]) {
    guard let utc else { return }
    let hundredths = utc.nanosecondsOfDay / 10_000_000
    let seconds = hundredths / 100
    bytes.append(integer: seconds / 3600, width: 2)
    bytes.append(integer: seconds / 60 % 60, width: 2)
    bytes.append(integer: seconds % 60, width: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.append(integer: hundredths % 100, width: 2)
  }

  private static func appendPosition(_ position: GeodeticPosition?, to bytes: inout [UInt8]) {
    guard let position else {
      bytes.append(ascii: ",,,,")
      return
    }
    bytes.append(comma)
    appendAngle(position.latitude, degreeWidth: 2, to: &bytes)
    bytes.append(ascii: position.latitude.radians < 0 ? ",S," : ",N,")
    appendAngle(position.longitude, degreeWidth: 3, to: &bytes)
    bytes.append(ascii: position.longitude.radians < 0 ? ",W" : ",E")
  }

  /// Degrees and minutes with six decimals (2 mm), as one whole count so that 60 minutes never
  /// appear.
  private static func appendAngle(_ angle: Angle, degreeWidth: Int, to bytes: inout [UInt8]) {
    let count = Int64(bounded: (abs(angle.degrees) * 60_000_000).rounded())
    bytes.append(integer: count / 60_000_000, width: degreeWidth)
    bytes.append(integer: count / 1_000_000 % 60, width: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.append(integer: count % 1_000_000, width: 6)
  }
}
