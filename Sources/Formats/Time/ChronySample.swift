import Quantities

/// A sample of a reference clock as a datagram for the socket of chronyd's driver SOCK.
///
/// The layout where time_t has 64 bits: on all 64-bit systems, and on 32-bit ones whose chronyd is
/// built with 64-bit time.
/// - Source: chrony.conf(5), `refclock SOCK`, and the structure of chrony 4; ntpsec's description
///   of its own driver of this protocol ("sock") has the same fields, and 40 bytes for a 64-bit
///   time_t.
public enum ChronySample {
  /// "SOCK".
  private static let magic: Int32 = 0x534f_434b
  private static let size = 40

  /// A sample as a datagram.
  /// - Parameters:
  ///   - reference: The reference's time with its second: not a pulse whose second chronyd has to
  ///     find.
  ///   - system: The system clock at the same instant.
  /// - Returns: The bytes, in the machine's order.
  public static func bytes(reference: UTCTime, system: UTCTime) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    func add(_ value: some BitwiseCopyable) { withUnsafeBytes(of: value) { bytes += $0 } }
    let parts = system.parts
    add(parts.seconds)
    add(parts.nanoseconds / 1000)
    // The offset of the unrounded system time: chronyd adds it to the rounded one.
    add(reference.seconds(since: system))
    // No pulse, no leap second announced, padding.
    add((Int32(0), Int32(0), Int32(0)))
    add(magic)
    return bytes
  }
}
