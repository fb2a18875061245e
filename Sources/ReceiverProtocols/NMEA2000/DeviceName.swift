/// The NAME of a device, 64 bits, which identifies it and decides between two devices that claim
/// one address: the lower NAME wins.
/// - Source: ISO 11783-5; the fields as in canboat 9.0.0, PGN 60928.
public struct DeviceName: Hashable, Sendable {
  /// The 64 bits.
  public let bits: UInt64

  /// Makes a name of its bits.
  public init(bits: UInt64) { self.bits = bits }

  /// Reads a name of an address claim; nil for a shorter message.
  init?(_ frame: CANFrame) {
    guard frame.count == 8 else { return nil }
    bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(frame[$1]) << UInt64(8 * $1) }
  }

  /// The name of Lodestar on a machine.
  ///
  /// The manufacturer code 2046 is not assigned to a maker; self-made devices of the libraries for
  /// NMEA 2000 use it. The device is "Ownship position (GNSS)" of the class "Navigation".
  /// - Parameter machine: A text that no other machine on the bus has.
  public init(machine: some Sequence<UInt8>) {
    let manufacturer: UInt64 = 2046
    let (function, deviceClass, marine, isMovable): (UInt64, UInt64, UInt64, UInt64) =
      (145, 60, 4, 1)
    // FNV-1a, folded to 21 bits.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in machine { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let unique = (hash ^ hash >> 21 ^ hash >> 42) & 0x1F_FFFF
    bits =
      unique | manufacturer << 21 | function << 40 | deviceClass << 49 | marine << 60
      | isMovable << 63
  }

  /// The number that the maker gave the device, 21 bits.
  public var uniqueNumber: UInt32 { UInt32(bits & 0x1F_FFFF) }
  /// The code of the maker, 11 bits.
  public var manufacturer: UInt16 { UInt16(bits >> 21 & 0x7FF) }

  /// The bytes of an address claim.
  var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) } }
}
