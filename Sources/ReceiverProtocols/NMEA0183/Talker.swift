/// The talker identifier: the two letters before a sentence's type.
public struct Talker: Equatable, Hashable, Sendable {
  /// The first letter in the upper byte.
  public let letters: UInt16

  /// Makes a talker from its two letters.
  public init(_ first: UInt8, _ second: UInt8) { letters = UInt16(first) << 8 | UInt16(second) }

  /// The satellite system of this talker; nil for GN (several systems) and for other talkers.
  /// - Source: NMEA 0183 4.11, table of talker identifiers; BD, QZ and PQ are older forms.
  public var constellation: Constellation? {
    switch (UInt8(letters >> 8), UInt8(letters & 0xFF)) {
    case (UInt8(ascii: "G"), UInt8(ascii: "P")): .gps
    case (UInt8(ascii: "G"), UInt8(ascii: "L")): .glonass
    case (UInt8(ascii: "G"), UInt8(ascii: "A")): .galileo
    case (UInt8(ascii: "G"), UInt8(ascii: "B")), (UInt8(ascii: "B"), UInt8(ascii: "D")): .beidou
    case (UInt8(ascii: "G"), UInt8(ascii: "Q")), (UInt8(ascii: "Q"), UInt8(ascii: "Z")),
      (UInt8(ascii: "P"), UInt8(ascii: "Q")):
      .qzss
    case (UInt8(ascii: "G"), UInt8(ascii: "I")): .navic
    default: nil
    }
  }

  /// True for GN, a receiver of several systems.
  var joinsSystems: Bool { self == Talker(UInt8(ascii: "G"), UInt8(ascii: "N")) }

  /// True for the address of a proprietary sentence, which begins with P.
  var isProprietary: Bool { UInt8(letters >> 8) == UInt8(ascii: "P") }

  /// True for the address of a modem's line, `+CGPSINFO`.
  var isOfModem: Bool { self == Talker(UInt8(ascii: "C"), UInt8(ascii: "G")) }

  /// True for a talker of satellite systems and for proprietary sentences.
  var isOfReceiver: Bool { constellation != nil || joinsSystems || isProprietary }
}
