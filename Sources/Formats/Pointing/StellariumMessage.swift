import EarthModel
import Quantities

/// The two messages of Stellarium's telescope protocol 1.0, low byte first; the equinox is J2000.
/// - Source: J. Gerdes, "Stellarium telescope protocol", 2008-05-20.
package enum StellariumMessage {
  private static let headerSize = 4
  private static let gotoSize = 20
  /// No message of the protocol is longer.
  private static let mostBytes = 160
  private static let (turn, isGoto) = (4_294_967_296.0, UInt16(0))

  /// The direction that a telescope has.
  /// - Parameters:
  ///   - direction: The direction.
  ///   - utc: Its time.
  ///   - isFaulty: True for a direction that is not measured: the status is then negative.
  /// - Returns: The message.
  package static func position(
    _ direction: EquatorialDirection, at utc: UTCTime, isFaulty: Bool
  ) -> [UInt8] {
    let microseconds = UInt64(bitPattern: utc.nanosecondsSince1970 / 1000)
    return bytes(UInt16(24)) + bytes(UInt16(0)) + bytes(microseconds)
      + bytes(code(direction.rightAscension)) + bytes(code(direction.declination))
      + bytes(UInt32(bitPattern: isFaulty ? -1 : 0))
  }

  /// What a client has sent.
  package enum Request: Equatable {
    case goto(EquatorialDirection)
    /// A message of another type.
    case other
  }

  /// Removes the first message of the input.
  /// - Returns: nil while it is incomplete.
  /// - Throws: `StellariumFault` where the bytes are no message.
  package static func request(
    _ input: inout [UInt8]
  ) throws(StellariumFault) -> Request? {
    guard input.count >= 2 else { return nil }
    let size = Int(number(input, at: 0, count: 2))
    guard (headerSize...mostBytes).contains(size) else { throw StellariumFault() }
    guard input.count >= size else { return nil }
    defer { input.removeFirst(size) }
    guard number(input, at: 2, count: 2) == isGoto, size == gotoSize else { return .other }
    let declination = Int32(bitPattern: number(input, at: 16, count: 4))
    return .goto(
      EquatorialDirection(
        rightAscension: angle(Double(number(input, at: 12, count: 4))),
        declination: angle(Double(declination))))
  }

  private static func angle(_ code: Double) -> Angle { Angle(radians: code / turn * 2 * .pi) }

  /// A turn is 2^32.
  private static func code(_ angle: Angle) -> UInt32 {
    UInt32(truncatingIfNeeded: Int64(bounded: (angle.radians / (2 * .pi) * turn).rounded()))
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func number(_ input: [UInt8], at start: Int, count: Int) -> UInt32 {
    (0..<count).reduce(0) { $0 | UInt32(input[start + $1]) << ($1 * 8) }
  }
}

/// Bytes that are no message of Stellarium.
package struct StellariumFault: Error {}
