/// What a navigation solution determines.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-PVT, `fixType`.
public enum UBXFixType: UInt8, Sendable {
  /// Nothing.
  case none = 0
  /// The place by motion sensors alone.
  case deadReckoning
  /// The place.
  case twoDimensional
  /// The place and the altitude.
  case threeDimensional
  /// The place and the altitude by satellites and motion sensors together.
  case combined
  /// The time, at a place that is given.
  case timeOnly
}

/// How far the carrier phase is solved.
/// - Source: u-blox ZED-F9P interface description UBX-18010854, NAV-PVT, `carrSoln`.
public enum UBXCarrierSolution: UInt8, Sendable {
  /// Not used.
  case none = 0
  /// Used, its ambiguities not yet fixed.
  case float
  /// Used, its ambiguities fixed.
  case fixed
}

/// What the receiver saves power by.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-PVT, `psmState`.
public enum UBXPowerSaving: UInt8, Sendable {
  /// It does not.
  case off = 0
  /// It is allowed to, and is about to begin.
  case enabled
  /// It looks for satellites.
  case acquisition
  /// It tracks at full power.
  case tracking
  /// It tracks at reduced power.
  case optimisedTracking
  /// It sleeps.
  case inactive
}

/// A place in metres from the earth's centre: x to 0 N 0 E, y to 0 N 90 E, z to the north pole.
public struct EarthCentredPosition: Equatable, Sendable {
  /// Towards 0 N 0 E.
  public var xMetres: Double
  /// Towards 0 N 90 E.
  public var yMetres: Double
  /// Towards the north pole.
  public var zMetres: Double

  /// Reads three signed four-byte numbers of centimetres.
  init(_ fields: UBXFields, at offset: Int) {
    xMetres = fields.i4(offset, per: 1e2)
    yMetres = fields.i4(offset + 4, per: 1e2)
    zMetres = fields.i4(offset + 8, per: 1e2)
  }

  /// Reads the same with the tenths of millimetres that are told apart, one signed byte each.
  init(_ fields: UBXFields, at offset: Int, fineAt fine: Int) {
    func metres(_ n: Int) -> Double { fields.metres(centimetres: offset + 4 * n, fine: fine + n) }
    (xMetres, yMetres, zMetres) = (metres(0), metres(1), metres(2))
  }
}

/// A velocity along the axes of `EarthCentredPosition`.
public struct EarthCentredVelocity: Equatable, Sendable {
  /// Towards 0 N 0 E.
  public var xMetresPerSecond: Double
  /// Towards 0 N 90 E.
  public var yMetresPerSecond: Double
  /// Towards the north pole.
  public var zMetresPerSecond: Double

  /// Reads three signed four-byte numbers of centimetres per second.
  init(_ fields: UBXFields, at offset: Int) {
    xMetresPerSecond = fields.i4(offset, per: 1e2)
    yMetresPerSecond = fields.i4(offset + 4, per: 1e2)
    zMetresPerSecond = fields.i4(offset + 8, per: 1e2)
  }
}

extension UBXFields {
  /// Centimetres of four bytes with tenths of millimetres of one byte; both are signed.
  func metres(centimetres: Int, fine: Int) -> Double {
    Double(Int64(i4(centimetres)) * 100 + Int64(i1(fine))) / 1e4
  }
}
