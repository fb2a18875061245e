/// The type of a navigation solution.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-PVT, `fixType`.
public enum UBXFixType: UInt8, Sendable {
  /// No fix.
  case none = 0
  /// Position by motion sensors alone.
  case deadReckoning
  /// Position.
  case twoDimensional
  /// Position and altitude.
  case threeDimensional
  /// Position and altitude by satellites and motion sensors.
  case combined
  /// Time only, at a configured position.
  case timeOnly
}

/// The state of the carrier phase solution.
/// - Source: u-blox ZED-F9P interface description UBX-18010854, NAV-PVT, `carrSoln`.
public enum UBXCarrierSolution: UInt8, Sendable {
  /// Not used.
  case none = 0
  /// Used, its ambiguities not yet fixed.
  case float
  /// Used, its ambiguities fixed.
  case fixed
}

/// The state of the power saving mode.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-PVT, `psmState`.
public enum UBXPowerSaving: UInt8, Sendable {
  /// No power saving.
  case off = 0
  /// Enabled, not yet begun.
  case enabled
  /// Acquisition of satellites.
  case acquisition
  /// Tracking at full power.
  case tracking
  /// Tracking at reduced power.
  case optimisedTracking
  /// Sleep.
  case inactive
}

/// An earth-centred, earth-fixed position in metres: x to 0 N 0 E, y to 0 N 90 E, z to the north
/// pole.
public struct EarthCentredPosition: Equatable, Sendable {
  /// Towards 0 N 0 E.
  public var xMetres: Double
  /// Towards 0 N 90 E.
  public var yMetres: Double
  /// Towards the north pole.
  public var zMetres: Double

  /// Makes a position.
  public init(xMetres: Double, yMetres: Double, zMetres: Double) {
    (self.xMetres, self.yMetres, self.zMetres) = (xMetres, yMetres, zMetres)
  }

  /// Reads three signed four-byte numbers of centimetres.
  init(_ fields: UBXFields, at offset: Int) {
    xMetres = fields.i4(offset, per: 1e2)
    yMetres = fields.i4(offset + 4, per: 1e2)
    zMetres = fields.i4(offset + 8, per: 1e2)
  }

  /// Reads the same with the separate tenths of millimetres, one signed byte each.
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
