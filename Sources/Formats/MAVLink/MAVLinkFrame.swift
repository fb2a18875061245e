/// One message of MAVLink 2 under construction: its fields in the order of the wire, the largest
/// first.
/// - Source: mavlink.io, "Packet Serialization" and "common.xml"; the extra byte of the check is
///   computed from a message's fields and is given with each message.
struct MAVLinkFrame {
  private static let start: UInt8 = 0xFD

  let number: UInt32
  let extra: UInt8
  private(set) var payload: [UInt8] = []

  init(_ number: UInt32, extra: UInt8) { (self.number, self.extra) = (number, extra) }

  mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { payload += $0 }
  }

  mutating func add(_ value: Double) { add(Float(value).bitPattern) }

  /// Adds a value in units of a field, limited to the field's range.
  mutating func add<Field: FixedWidthInteger>(_ value: Double, unit: Double, as: Field.Type) {
    add(Field(clamping: Int(bounded: (value / unit).rounded())))
  }

  /// The frame; zeros at the end of the payload are left out, the first byte is not.
  func closed(sequence: UInt8, system: UInt8, component: UInt8) -> [UInt8] {
    var payload = self.payload
    while payload.count > 1, payload.last == 0 { payload.removeLast() }
    var bytes: [UInt8] = [
      Self.start, UInt8(payload.count), 0, 0, sequence, system, component,
      UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8),
      UInt8(truncatingIfNeeded: number >> 16),
    ]
    bytes += payload
    var check: UInt16 = 0xFFFF
    for byte in bytes.dropFirst() { check = Self.accumulate(byte, check) }
    check = Self.accumulate(extra, check)
    bytes.append(UInt8(truncatingIfNeeded: check))
    bytes.append(UInt8(check >> 8))
    return bytes
  }

  /// CRC-16/MCRF4XX.
  private static func accumulate(_ byte: UInt8, _ check: UInt16) -> UInt16 {
    var low = byte ^ UInt8(truncatingIfNeeded: check)
    low ^= low << 4
    let wide = UInt16(low)
    let shifted = (wide << 8) ^ (wide << 3)
    return (check >> 8) ^ shifted ^ (wide >> 4)
  }
}
