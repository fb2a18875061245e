import Quantities

/// The bytes of a message, read and written by field; nil is "not available".
public struct PGNMessage: Equatable, Sendable {
  /// The parameter group.
  public let pgn: PGN
  /// The message without texts and lists.
  public private(set) var bytes: [UInt8]

  /// Makes a message whose fields are not available.
  public init(_ pgn: PGN) {
    self.pgn = pgn
    let codings = pgn.codings
    bytes = Array(repeating: .max, count: codings.reduce(0) { $0 + $1.bits } / 8)
    var offset = 0
    for coding in codings {
      write(coding.notAvailable, coding.bits, at: offset)
      offset += coding.bits
    }
  }

  /// Makes a message of received bytes; the fields after their end are not available.
  public init(_ pgn: PGN, bytes: [UInt8]) { (self.pgn, self.bytes) = (pgn, bytes) }

  /// The number of a field in its unit; nil where it is not available, out of range or reserved.
  /// A written number outside of the field's range is coded as "out of range".
  public subscript(_ field: PGN.Field) -> Double? {
    get {
      guard let (coding, offset) = coding(field), let raw = read(coding.bits, at: offset) else {
        return nil
      }
      let number = Self.number(raw, coding)
      return number > Self.greatest(coding) ? nil : Double(number) * coding.resolution
    }
    set {
      guard let (coding, offset) = coding(field) else { return }
      guard let newValue, !newValue.isNaN else {
        return write(coding.notAvailable, coding.bits, at: offset)
      }
      let number = Int64(bounded: (newValue / coding.resolution).rounded())
      let greatest = Self.greatest(coding)
      let isInRange = number <= greatest && number >= (coding.isSigned ? -greatest - 3 : 0)
      write(
        isInRange ? UInt64(bitPattern: number) : coding.notAvailable - 1, coding.bits, at: offset)
    }
  }

  /// The code of a field; nil where it is not available.
  public subscript(code field: PGN.Field) -> Int? {
    get {
      guard let (coding, offset) = coding(field), let raw = read(coding.bits, at: offset),
        raw != coding.notAvailable
      else { return nil }
      return Int(exactly: raw)
    }
    set {
      guard let (coding, offset) = coding(field) else { return }
      let code = newValue.flatMap { UInt64(exactly: $0) } ?? coding.notAvailable
      write(min(code, coding.notAvailable), coding.bits, at: offset)
    }
  }

  /// Removes the bytes after a number of them.
  public mutating func truncate(to count: Int) { bytes = Array(bytes.prefix(count)) }

  private func coding(_ field: PGN.Field) -> (PGN.Coding, offset: Int)? {
    var offset = 0
    for coding in pgn.codings {
      if coding.field == field { return (coding, offset) }
      offset += coding.bits
    }
    return nil
  }

  /// The greatest number that is a value.
  private static func greatest(_ coding: PGN.Coding) -> Int64 {
    let reserved: UInt64 = coding.bits >= 8 ? 3 : 1
    return Int64(clamping: coding.notAvailable - reserved)
  }

  private static func number(_ raw: UInt64, _ coding: PGN.Coding) -> Int64 {
    guard coding.isSigned, raw > coding.notAvailable else { return Int64(clamping: raw) }
    // The bits above the field's sign are set like it.
    return Int64(bitPattern: raw | ~(UInt64.max >> UInt64(64 - coding.bits)))
  }

  /// The bits from an offset on, the lowest first; nil beyond the end.
  private func read(_ bits: Int, at offset: Int) -> UInt64? {
    guard offset + bits <= 8 * bytes.count else { return nil }
    var value: UInt64 = 0
    for bit in 0..<bits {
      let place = offset + bit
      value |= UInt64(bytes[place / 8] >> UInt8(place % 8) & 1) << UInt64(bit)
    }
    return value
  }

  private mutating func write(_ value: UInt64, _ bits: Int, at offset: Int) {
    guard offset + bits <= 8 * bytes.count else { return }
    for bit in 0..<bits {
      let (place, mask) = ((offset + bit) / 8, UInt8(1) << UInt8((offset + bit) % 8))
      bytes[place] = value >> UInt64(bit) & 1 == 1 ? bytes[place] | mask : bytes[place] & ~mask
    }
  }
}
