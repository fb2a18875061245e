import Quantities

/// A view of one SkyTraq frame with a valid checksum; valid only inside the closure that receives the
/// bytes.
/// - Source: SkyTraq application note AN0028 1.4.45, "Navigation data message (0xA8)"; Paparazzi's
///   booz_gps_skytraq.h has the same offsets.
struct SkyTraqFrame {
  /// Bytes before the payload and after it.
  private static let (header, trailer) = (4, 3)
  private static let navigationData: UInt16 = 0xA8
  private static let shortestNavigationData = 59
  /// The type.
  let kind: MessageKind
  private let payload: UnsafeBufferPointer<UInt8>

  /// Nil where the payload has no message number.
  /// - Parameter bytes: the frame from its first synchronisation byte to the line feed.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > Self.header + Self.trailer else { return nil }
    payload = UnsafeBufferPointer(rebasing: bytes[Self.header..<bytes.count - Self.trailer])
    kind = MessageKind(.skyTraq, number: UInt16(payload[0]))
  }

  /// True for a message that is decoded.
  var isKnown: Bool { kind.number == Self.navigationData }

  /// The message's values; nil where it is not decoded or too short.
  var record: SolutionRecord? {
    guard isKnown, payload.count >= Self.shortestNavigationData else { return nil }
    var record = SolutionRecord(kind)
    record.solution =
      switch payload[1] {
      case 1: SolutionRecord.Solution(.threeDimensional, .two)
      case 2: SolutionRecord.Solution(.threeDimensional)
      case 3: SolutionRecord.Solution(.differential)
      default: .noFix
      }
    record.satellitesUsed = Int(payload[2])
    let (week, hundredths) = (Int(unsigned2(3)), UInt32(bitPattern: signed4(5)))
    if week > 0, hundredths < 60_480_000 {
      (record.week, record.timeOfWeekMilliseconds) = (week, hundredths * 10)
    }
    record.position = Possible.position(
      latitudeDegrees: Double(signed4(9)) / 1e7, longitudeDegrees: Double(signed4(13)) / 1e7)
    record.ellipsoidalHeightMetres = Possible.height(metres(17))
    record.altitudeMetres = Possible.height(metres(21))
    (record.geometricDilution, record.positionDilution) = (dilution(25), dilution(27))
    (record.horizontalDilution, record.verticalDilution) = (dilution(29), dilution(31))
    record.timeDilution = dilution(33)
    record.earthCentredVelocity = EarthCentredVelocity(metres(47), metres(51), metres(55))
    record.earthCentredPosition = EarthCentredPosition(metres(35), metres(39), metres(43))
    return record
  }

  private func unsigned2(_ offset: Int) -> UInt16 {
    UInt16(payload[offset]) << 8 | UInt16(payload[offset + 1])
  }

  private func signed4(_ offset: Int) -> Int32 {
    Int32(bitPattern: UInt32(unsigned2(offset)) << 16 | UInt32(unsigned2(offset + 2)))
  }

  private func metres(_ offset: Int) -> Double { Double(signed4(offset)) / 100 }

  private func dilution(_ offset: Int) -> Double? {
    Possible.dilution(Double(unsigned2(offset)) / 100)
  }
}
