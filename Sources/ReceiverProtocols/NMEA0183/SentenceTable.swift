/// Finds a sentence's type by its address.
struct SentenceTable: Sendable {
  /// The three letters and the number of each type in one integer, sorted by the letters.
  private let standard: [UInt32]

  init() { standard = SentenceType.allCases.map { $0.letters << 8 | UInt32($0.rawValue) }.sorted() }

  /// The type of a sentence; nil where it is not registered. Where a manufacturer uses the first
  /// field as an identifier, it is consumed.
  func kind(of fields: inout SentenceFields) -> SentenceKind? {
    let address = fields.address
    guard let first = address.first else { return nil }
    if first == UInt8(ascii: "P") {
      if let type = ProprietaryType(&fields) { return .proprietary(type) }
      // PQ is Quectel's talker for QZSS, not a proprietary address.
      guard address.count == 5, address[1] == UInt8(ascii: "Q") else { return nil }
    }
    guard address.count == 5 else { return nil }
    let letters = UInt32(address[2]) << 16 | UInt32(address[3]) << 8 | UInt32(address[4])
    return standard.withUnsafeBufferPointer { standard in
      var (low, high) = (0, standard.count)
      while low < high {
        let middle = (low + high) / 2
        if standard[middle] >> 8 < letters { low = middle + 1 } else { high = middle }
      }
      guard low < standard.count, standard[low] >> 8 == letters else { return nil }
      return SentenceType(rawValue: UInt8(standard[low] & 0xFF)).map { .standard($0) }
    }
  }
}
