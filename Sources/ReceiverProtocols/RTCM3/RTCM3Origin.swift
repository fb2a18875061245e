import Quantities

/// What an RTCM 3 frame says of its origin, without its measurements.
public struct RTCM3Origin: Equatable, Sendable {
  /// The message type; nil for a frame that is too short for one.
  public var type: Int?
  /// The number of the reference station, 0 to 4095; nil where the message has none.
  public var station: Int?
  /// The place of the station's antenna reference point (messages 1005 and 1006).
  public var stationPosition: GeodeticPosition?

  /// Reads a frame.
  /// - Parameters:
  ///   - type: The message type that `RTCM3Reader` reports.
  ///   - bytes: The frame from the preamble to the checksum.
  public init(type: Int?, bytes: some RandomAccessCollection<UInt8>) {
    self.type = type
    guard let type else { return }
    // Three bytes of header, three of checksum.
    let payload = bytes.dropFirst(3).dropLast(3)
    if Self.hasStation(type) { station = Self.bits(12..<24, of: payload).map { Int($0) } }
    if type == 1005 || type == 1006 { stationPosition = Self.position(in: payload) }
  }

  /// Whether the twelve bits after the message number are the station's.
  /// - Source: RTCM 10403.x, data field DF003 "Reference Station ID", as pyrtcm 1.2.1 places it.
  private static func hasStation(_ type: Int) -> Bool {
    switch type {
    case 1001...1013, 1029, 1032...1035, 1230: true
    // Multiple signal messages of each system, kinds 1 to 7.
    case 1071...1137: (1...7).contains(type % 10)
    default: false
    }
  }

  /// - Source: RTCM 10403.x, messages 1005 and 1006: DF025, DF026 and DF027, each a signed number of
  ///   0.1 mm, after 34, 74 and 114 bits.
  private static func position(in payload: some RandomAccessCollection<UInt8>) -> GeodeticPosition?
  {
    func metres(_ start: Int) -> Double? {
      bits(start..<start + 38, of: payload).map { Double(Int64(bitPattern: $0 << 26) >> 26) * 1e-4 }
    }
    guard let x = metres(34), let y = metres(74), let z = metres(114) else { return nil }
    return EarthCentredPosition(xMetres: x, yMetres: y, zMetres: z).geodetic?.position
  }

  /// A range of at most 57 bits, the first bit of a byte first; nil beyond the end.
  private static func bits(
    _ range: Range<Int>, of bytes: some RandomAccessCollection<UInt8>
  ) -> UInt64? {
    guard (range.upperBound + 7) / 8 <= bytes.count else { return nil }
    var value: UInt64 = 0
    var last = 0
    for byte in bytes.dropFirst(range.lowerBound / 8).prefix(
      (range.upperBound + 7) / 8 - range.lowerBound / 8)
    {
      value = value << 8 | UInt64(byte)
      last += 8
    }
    let unused = last - range.lowerBound % 8 - range.count
    return value >> UInt64(unused) & (1 << UInt64(range.count) - 1)
  }
}
