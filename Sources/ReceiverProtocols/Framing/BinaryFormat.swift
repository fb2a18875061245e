/// A format of binary frames: how a frame begins and how long it is. Its checksum is in
/// `ReceiverFramer`.
enum BinaryFormat: Sendable {
  /// u-blox. Source: u-blox M8 receiver description UBX-13003221, "UBX frame structure".
  case ubx
  /// Corrections. Source: RTCM 10403.x, section 4 "Transport layer".
  case rtcm3
  /// Septentrio. Source: mosaic-X5 reference guide 4.14, section 4.1 "SBF block header".
  case sbf
  /// NovAtel and Unicore. Source: NovAtel OEM7 commands and logs, "Binary" and "Short binary";
  /// Unicore N4 command reference, "Binary message format".
  case binaryLog
  /// Zhongke and others. Source: CASIC protocol specification, "Packet structure".
  case casic
  /// SkyTraq. Source: SkyTraq application note AN0037, "Binary message format".
  case skyTraq
  /// Allystar. Source: Allystar GNSS receiver protocol specification 2.3, "Packet structure"; gpsd's
  /// driver_allystar.c.
  case allystar

  /// Longest accepted payload, bytes. The largest that receivers send (raw measurements) are below
  /// it. The limit also bounds how long a corrupt length holds back sentences.
  static let longestPayload = 4096
  /// Longest accepted payload of a log, whose raw measurements are longer, bytes.
  static let longestLogPayload = 8192
  /// The longest frame: such a log with the longest header and its CRC.
  static let longestFrame = longestLogPayload + 255 + 4

  /// The format of a frame that begins with these two bytes; nil for others. The two of SBF also
  /// begin a sentence.
  init?(_ first: UInt8, _ second: UInt8) {
    switch (first, second) {
    case (0xB5, 0x62): self = .ubx
    case (0xD3, 0x00...0x03): self = .rtcm3
    case (0xAA, 0x44): self = .binaryLog
    case (0xBA, 0xCE): self = .casic
    case (0xA0, 0xA1): self = .skyTraq
    case (0xF1, 0xD9): self = .allystar
    default: return nil
    }
  }

  /// The length of the frame that begins with these bytes, at least two; nil where that needs more
  /// of them, zero where they begin no frame.
  func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    switch self {
    case .ubx, .allystar:
      guard bytes.count >= 6 else { return nil }
      return Self.length(payload: Self.little(bytes, 4), around: 8)
    case .rtcm3:
      guard bytes.count >= 3 else { return nil }
      return Int(bytes[1] & 0x03) << 8 + Int(bytes[2]) + 6
    case .sbf:
      guard bytes.count >= 8 else { return nil }
      // The length counts the header too. All blocks begin with a time.
      let (length, shortest) = (Self.little(bytes, 6), 16)
      return length % 4 == 0 && length >= shortest && length <= Self.longestPayload ? length : 0
    case .binaryLog: return logLength(bytes)
    case .casic:
      guard bytes.count >= 4 else { return nil }
      let (payload, longest) = (Self.little(bytes, 2), 2048)
      return payload % 4 == 0 && payload <= longest ? payload + 10 : 0
    case .skyTraq:
      guard bytes.count >= 4 else { return nil }
      return Self.length(payload: Int(bytes[2]) << 8 | Int(bytes[3]), around: 7)
    }
  }

  private func logLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 3 else { return nil }
    switch bytes[2] {
    case 0x12:
      guard bytes.count >= 10 else { return bytes.count > 3 && bytes[3] < 28 ? 0 : nil }
      let header = Int(bytes[3])
      let payload = Self.little(bytes, 8)
      return header < 28 || payload > Self.longestLogPayload ? 0 : header + payload + 4
    case 0x13:
      guard bytes.count >= 4 else { return nil }
      return Int(bytes[3]) + 12 + 4
    case 0xB5:
      guard bytes.count >= 8 else { return nil }
      let payload = Self.little(bytes, 6)
      return payload > Self.longestLogPayload ? 0 : payload + 24 + 4
    default: return 0
    }
  }

  private static func length(payload: Int, around: Int) -> Int {
    payload <= longestPayload ? payload + around : 0
  }

  private static func little(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }
}
