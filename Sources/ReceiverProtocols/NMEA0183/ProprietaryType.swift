/// The table of proprietary sentences, whose address begins with P and the manufacturer's three
/// letters.
enum ProprietaryType: UInt8, CaseIterable {
  case pashr, ptnthpr, ptnthtm, pubx00, pubx04, pgrme, pgrmz, pgrmf, pgrmm, pgrmv
  case pashrpos, pashrsat, pubx03, psrfepe, psxn20, psxn23, phtro, phinf, pfecgpatt, pfecgphve,
    prdid, psathpr

  /// The address, and the first field where the manufacturer uses it as an identifier.
  private var name: (address: StaticString, id: StaticString?) {
    switch self {
    case .pashr: ("PASHR", nil)
    case .ptnthpr: ("PTNTHPR", nil)
    case .ptnthtm: ("PTNTHTM", nil)
    case .pubx00: ("PUBX", "00")
    case .pubx04: ("PUBX", "04")
    case .pgrme: ("PGRME", nil)
    case .pgrmz: ("PGRMZ", nil)
    case .pgrmf: ("PGRMF", nil)
    case .pgrmm: ("PGRMM", nil)
    case .pgrmv: ("PGRMV", nil)
    case .pashrpos: ("PASHR", "POS")
    case .pashrsat: ("PASHR", "SAT")
    case .pubx03: ("PUBX", "03")
    case .psrfepe: ("PSRFEPE", nil)
    case .psxn20: ("PSXN", "20")
    case .psxn23: ("PSXN", "23")
    case .phtro: ("PHTRO", nil)
    case .phinf: ("PHINF", nil)
    case .pfecgpatt: ("PFEC", "GPatt")
    case .pfecgphve: ("PFEC", "GPhve")
    case .prdid: ("PRDID", nil)
    case .psathpr: ("PSAT", "HPR")
    }
  }

  /// Numbers of fields after the address and the identifier. With fewer than `least` the sentence
  /// is malformed. Without a checksum and with fewer than `whole` it may be truncated and is
  /// rejected.
  private var fieldCounts: (least: Int, whole: Int) {
    switch self {
    case .pashr: (5, 11)
    case .ptnthpr: (5, 6)
    case .ptnthtm: (5, 8)
    case .pubx00: (7, 18)
    case .pubx04: (2, 8)
    case .pgrme: (1, 6)
    case .pgrmz: (1, 3)
    case .pgrmf: (9, 15)
    case .pgrmm: (1, 1)
    case .pgrmv: (3, 3)
    case .pashrpos: (7, 17)
    case .pashrsat: (1, 6)
    case .pubx03: (1, 7)
    case .psrfepe: (4, 7)
    case .psxn20: (1, 4)
    case .psxn23: (2, 4)
    case .phtro: (4, 4)
    case .phinf: (1, 1)
    case .pfecgpatt: (1, 3)
    case .pfecgphve: (1, 2)
    case .prdid: (2, 3)
    case .psathpr: (3, 5)
    }
  }

  /// True where the first field must not be a letter: PASHR,POS is another sentence than PASHR.
  private var hasTimeFirst: Bool { self == .pashr }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }

  /// Finds a sentence's type by its address and, where the manufacturer uses one, by its
  /// identifier, which is then consumed.
  init?(_ fields: inout SentenceFields) {
    for type in Self.allCases {
      let (address, id) = type.name
      guard Self.matches(fields.address, address) else { continue }
      let first = fields.first
      if let id {
        guard Self.matches(first, id) else { continue }
        fields.skip()
      } else if type.hasTimeFirst, let letter = first.first, Self.isLetter(letter) {
        continue
      }
      self = type
      return
    }
    return nil
  }

  private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<bytes.count where bytes[offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Reads the fields.
  func decode(
    _ fields: inout SentenceFields, isChecked: Bool
  ) throws(SentenceRejection) -> NMEASentence {
    let count = fields.remaining
    guard count >= fieldCounts.least else { throw .malformed }
    guard isChecked || count >= fieldCounts.whole else { throw .missingChecksum }
    return switch self {
    case .pashr: .pashr(PASHR(&fields))
    case .ptnthpr: .ptnthpr(PTNTHPR(&fields))
    case .ptnthtm: .ptnthtm(PTNTHTM(&fields))
    case .pubx00: .pubx00(PUBX00(&fields))
    case .pubx04: .pubx04(PUBX04(&fields))
    case .pgrme: .pgrme(PGRME(&fields))
    case .pgrmz: .pgrmz(PGRMZ(&fields))
    case .pgrmf: .pgrmf(PGRMF(&fields))
    case .pgrmm: .pgrmm(PGRMM(&fields))
    case .pgrmv: .pgrmv(PGRMV(&fields))
    case .pashrpos: .pashrpos(PASHRPOS(&fields))
    case .pashrsat: .pashrsat(PASHRSAT(&fields))
    case .pubx03: .pubx03(PUBX03(&fields))
    case .psrfepe: .psrfepe(PSRFEPE(&fields))
    case .psxn20: .psxn20(PSXN20(&fields))
    case .psxn23: .psxn23(PSXN23(&fields))
    case .phtro: .phtro(PHTRO(&fields))
    case .phinf: .phinf(PHINF(&fields))
    case .pfecgpatt: .pfecgpatt(PFECGPATT(&fields))
    case .pfecgphve: .pfecgphve(PFECGPHVE(&fields))
    case .prdid: .prdid(PRDID(&fields))
    case .psathpr: .psathpr(PSATHPR(&fields))
    }
  }
}
