import Quantities

/// NAV-DAHEADING (0x01 0x45): vector from the primary to the secondary antenna of a receiver with
/// two.
///
/// - Source: pyubx2 1.4.0, NAV-DAHEADING (version 2; version 1 was that of a pre-production
///   receiver).
public struct NavDAHeading: Equatable, Sendable, UBXPayload {
  static let shortestPayload = 60

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The vector's components; nil where the receiver marks it as invalid.
  public var offset: NavRelPosNED.Offset?
  /// One sigma of each component; nil where the offset is.
  public var offsetAccuracy: NavRelPosNED.Offset?
  /// The vector's length; nil where the offset is.
  public var lengthMetres: Double?
  /// One sigma of the length.
  public var lengthAccuracyMetres: Double?
  /// The vector's direction clockwise from true north; nil where the receiver marks it as invalid.
  public var heading: Angle?
  /// One sigma of the heading.
  public var headingAccuracy: Angle?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// State of the carrier phase solution.
  public var carrierSolution: UBXCarrierSolution?

  init(_ fields: UBXFields) throws(UBXRejection) {
    guard fields.u1(0) == 2 else { throw .unregistered }
    let flags = fields.u4(56)
    timeOfWeekMilliseconds = fields.u4(4)
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    carrierSolution = UBXCarrierSolution(rawValue: flags.bits(3, count: 2))
    if flags.bit(2) {
      offset = NavRelPosNED.Offset(
        northMetres: fields.i4(8, per: 1e3), eastMetres: fields.i4(12, per: 1e3),
        downMetres: fields.i4(16, per: 1e3))
      offsetAccuracy = NavRelPosNED.Offset(
        northMetres: Double(fields.u4(32)) / 1e3, eastMetres: Double(fields.u4(36)) / 1e3,
        downMetres: Double(fields.u4(40)) / 1e3)
      lengthMetres = fields.i4(20, per: 1e3)
      lengthAccuracyMetres = Double(fields.u4(44)) / 1e3
    }
    if flags.bit(6) {
      heading = fields.angle4(24, per: 1e5)
      headingAccuracy = fields.angleAccuracy4(48, per: 1e5)
    }
  }
}
