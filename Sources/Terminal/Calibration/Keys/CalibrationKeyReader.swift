/// Decodes the bytes that a terminal in raw mode sends to keys.
///
/// An arrow or function key is a sequence that starts with Esc and may contain letters. Over ssh it
/// may arrive in pieces: Esc counts as pressed if nothing follows it until the next reading.
/// - Source: ECMA-48, 5.4 (CSI: parameters 30-3F, intermediates 20-2F, one final byte 40-7E); SS3
///   of xterm takes one byte.
public struct CalibrationKeyReader: Equatable, Sendable {
  private enum State: Equatable { case ground, escape, singleShift, sequence }
  private var state = State.ground

  /// Makes a reader in its initial state.
  public init() {}

  /// Decodes the bytes of one reading.
  /// - Parameter bytes: The bytes since the last reading; empty after a reading without bytes.
  /// - Returns: The keys in them.
  public mutating func read(_ bytes: [UInt8]) -> [CalibrationKey] {
    guard !bytes.isEmpty else {
      let wasEscape = state == .escape
      state = .ground
      return wasEscape ? [.escape] : []
    }
    var keys: [CalibrationKey] = []
    for byte in bytes {
      if let key = read(byte) { keys.append(key) }
    }
    return keys
  }

  private mutating func read(_ byte: UInt8) -> CalibrationKey? {
    // Ctrl-C also ends a broken sequence.
    if byte == 3 || byte == 28 {
      state = .ground
      return .interrupt
    }
    switch state {
    case .ground:
      if byte == Self.escapeByte {
        state = .escape
        return nil
      }
      // The bytes of a letter beyond ASCII are one key, decoded from the first byte.
      return (0x80..<0xC0).contains(byte) ? nil : CalibrationKey(byte: byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence
      case UInt8(ascii: "O"): state = .singleShift
      case Self.escapeByte: return .escape
      default:
        // Alt with a letter is not that letter.
        state = .ground
        return .other
      }
      return nil
    case .singleShift:
      state = .ground
      return .other
    case .sequence:
      guard (0x40...0x7E).contains(byte) else { return nil }
      state = .ground
      return .other
    }
  }

  private static let escapeByte: UInt8 = 27
}
