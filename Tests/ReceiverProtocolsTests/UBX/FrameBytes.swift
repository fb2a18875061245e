import ReceiverProtocols

/// Bytes of a payload, written field by field at the offsets of the interface description.
struct PayloadBytes {
  private(set) var bytes: [UInt8]

  init(count: Int) { bytes = [UInt8](repeating: 0, count: count) }

  /// Writes a little-endian number.
  mutating func put(_ offset: Int, _ value: some FixedWidthInteger) {
    for i in 0..<(value.bitWidth / 8) {
      bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i))
    }
  }

  mutating func put(_ offset: Int, text: String) {
    for (i, byte) in text.utf8.enumerated() { bytes[offset + i] = byte }
  }
}

/// A frame around a payload; the checksum is computed here, not by the code under test.
func ubxFrame(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
  let length = [UInt8(payload.count & 255), UInt8(payload.count >> 8)]
  let body = [UInt8(type >> 8), UInt8(type & 255)] + length + payload
  var (a, b): (UInt8, UInt8) = (0, 0)
  for byte in body {
    a = a &+ byte
    b = b &+ a
  }
  return [0xB5, 0x62] + body + [a, b]
}

/// The result of decoding a frame.
enum UBXOutcome<Value> {
  case message(Value)
  case rejected(UBXRejection)
  case noFrame

  var value: Value? { if case .message(let value) = self { value } else { nil } }
  var rejection: UBXRejection? { if case .rejected(let cause) = self { cause } else { nil } }
}

/// Decodes one frame and calls `body` while its bytes are valid.
func decodeUBX<Value>(_ frame: [UInt8], _ body: (UBXMessage) -> Value) -> UBXOutcome<Value> {
  frame.withUnsafeBufferPointer { bytes in
    guard let frame = UBXFrame(bytes) else { return .noFrame }
    do throws(UBXRejection) {
      return .message(body(try UBXMessage(frame)))
    } catch {
      return .rejected(error)
    }
  }
}

func decodeUBX<Value>(
  _ type: UInt16, _ payload: [UInt8], _ body: (UBXMessage) -> Value
) -> UBXOutcome<Value> {
  decodeUBX(ubxFrame(type, payload), body)
}

/// The value that `body` reads from a payload's message; nil where it is rejected or of another
/// type.
func readUBX<Value>(
  _ type: UInt16, _ payload: [UInt8], _ body: (UBXMessage) -> Value?
) -> Value? {
  decodeUBX(type, payload, body).value ?? nil
}

/// The bytes of a hexadecimal text; nil where it contains other characters.
func bytes(hex: String) -> [UInt8]? {
  let digits = hex.compactMap { $0.hexDigitValue }
  guard digits.count == hex.count, digits.count % 2 == 0 else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { (start: Int) -> UInt8 in
    let (high, low) = (digits[start], digits[start + 1])
    return UInt8(high * 16 + low)
  }
}
