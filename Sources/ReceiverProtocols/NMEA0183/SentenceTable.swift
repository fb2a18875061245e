/// Finds a sentence's type by its address.
struct SentenceTable: Sendable {
  /// The three letters and the number of each standard type in one integer, sorted by the letters.
  private let standard: [UInt32]
  private let proprietary: [SentenceType.Row]

  init() {
    proprietary = SentenceType.rows.filter { $0.address.utf8CodeUnitCount > 3 }
    standard = SentenceType.rows.filter { $0.address.utf8CodeUnitCount == 3 }.map { row in
      let name = row.address.utf8Start
      let letters = UInt32(name[0]) << 16 | UInt32(name[1]) << 8 | UInt32(name[2])
      return letters << 8 | UInt32(row.type.rawValue)
    }.sorted()
  }

  /// The type of a sentence; nil where it is not registered. Where a manufacturer uses the first
  /// field as an identifier, it is consumed.
  func type(of fields: inout SentenceFields) -> SentenceType? {
    let address = fields.address
    guard let first = address.first else { return nil }
    let isProprietary = first == UInt8(ascii: "P")
    if isProprietary || address.count != 5 {
      if let type = proprietaryType(of: &fields) { return type }
      // PQ is Quectel's talker for QZSS, not a proprietary address.
      guard address.count == 5, address[1] == UInt8(ascii: "Q") else { return nil }
    }
    let letters = UInt32(address[2]) << 16 | UInt32(address[3]) << 8 | UInt32(address[4])
    return standard.withUnsafeBufferPointer { standard in
      var (low, high) = (0, standard.count)
      while low < high {
        let middle = (low + high) / 2
        if standard[middle] >> 8 < letters { low = middle + 1 } else { high = middle }
      }
      guard low < standard.count, standard[low] >> 8 == letters else { return nil }
      return SentenceType(rawValue: UInt8(standard[low] & 0xFF))
    }
  }

  /// The name of a sentence that is not registered: its address, with the identifier after it where
  /// the manufacturer uses one.
  func name(of fields: SentenceFields) -> ShortText {
    let address = fields.address
    var name = ShortText(address)
    for row in proprietary where row.id != nil && Self.matches(address, row.address) {
      name.append(UInt8(ascii: ","))
      for byte in fields.first { name.append(byte) }
      break
    }
    return name
  }

  private func proprietaryType(of fields: inout SentenceFields) -> SentenceType? {
    for row in proprietary where Self.matches(fields.address, row.address) {
      let first = fields.first
      if let id = row.id {
        guard Self.matches(first, id) else { continue }
        fields.skip()
      } else if row.type == .pashr, let letter = first.first, Self.isLetter(letter) {
        // PASHR,POS is another sentence than PASHR, whose first field is a time.
        continue
      }
      return row.type
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<bytes.count where bytes[offset] != text.utf8Start[offset] { return false }
    return true
  }
}

/// A set of types.
package struct SentenceTypes: Sendable {
  private var bits = SIMD4<UInt64>()

  package init() {}

  package mutating func insert(_ type: SentenceType) {
    bits[Int(type.rawValue / 64)] |= 1 << UInt64(type.rawValue % 64)
  }

  package func contains(_ type: SentenceType) -> Bool {
    bits[Int(type.rawValue / 64)] & 1 << UInt64(type.rawValue % 64) != 0
  }
}
