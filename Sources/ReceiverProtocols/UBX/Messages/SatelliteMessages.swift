import Quantities

/// Quality of a received signal.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-SAT, `qualityInd`.
public enum UBXSignalQuality: UInt8, Sendable {
  /// No signal.
  case none = 0
  /// Search in progress.
  case searching
  /// Acquired.
  case acquired
  /// Acquired, but unusable.
  case unusable
  /// Code locked, time synchronised.
  case codeLocked
  /// Code and carrier locked, time synchronised (5, 6 and 7).
  case carrierLocked

  init(bits: UInt8) {
    self = UBXSignalQuality(rawValue: bits & 7) ?? .carrierLocked
  }
}

/// NAV-SAT (0x01 0x35): satellites in view.
/// - Source: UBX-13003221, version 1; pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3.
public struct NavSat: UBXPayload {
  static var shortestPayload: Int { 8 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public let timeOfWeekMilliseconds: UInt32
  /// The satellites in view.
  public let satellites: UBXBlocks<Satellite>

  init(_ fields: UBXFields) throws(UBXRejection) {
    timeOfWeekMilliseconds = fields.u4(0)
    satellites = try UBXBlocks(fields, from: 8, count: Int(fields.u1(5)))
  }

  /// One satellite.
  public struct Satellite: Equatable, Sendable, UBXBlock {
    /// Source of a satellite's orbit.
    public enum OrbitSource: UInt8, Sendable {
      /// No orbit.
      case none = 0
      /// Ephemeris.
      case ephemeris
      /// Almanac.
      case almanac
      /// Stored assistance data.
      case assistNowOffline
      /// The receiver's own prediction.
      case assistNowAutonomous
      /// Another source (5, 6 and 7).
      case other
    }

    /// A block's length.
    public static var size: Int { 12 }

    /// The satellite; nil for a GLONASS satellite of unknown slot and for an unknown system.
    public var id: SatelliteID?
    /// The system's number as sent.
    public var gnssID: UInt8
    /// The satellite's number as sent.
    public var svID: UInt8
    /// Carrier to noise density, dB-Hz; nil where the satellite is not received.
    public var signalDecibelHertz: Int?
    /// Elevation above the horizon, degrees; nil where it is not known.
    public var elevationDegrees: Int?
    /// Azimuth clockwise from true north, degrees; nil where it is not known.
    public var azimuthDegrees: Int?
    /// Measured minus computed range.
    public var residualMetres: Double
    /// Quality of its signal.
    public var quality: UBXSignalQuality
    /// True where the solution uses it.
    public var isUsed: Bool
    /// True where its navigation message declares it healthy; nil where that is not known.
    public var isHealthy: Bool?
    /// True where differential corrections for it are available.
    public var hasCorrections: Bool
    /// True where the range is smoothed by the carrier.
    public var isSmoothed: Bool
    /// Source of its orbit.
    public var orbitSource: OrbitSource
    /// Available orbit data and corrections in use, as sent: bits 11 to 14 ephemeris, almanac,
    /// AssistNow Offline, AssistNow Autonomous; 16 to 19 SBAS, RTCM, SLAS, SPARTN; 20 to 22 range,
    /// carrier, Doppler.
    public var flags: UInt32

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      flags = fields.u4(offset + 8)
      gnssID = fields.u1(offset)
      svID = fields.u1(offset + 1)
      id = SatelliteID(gnssID: gnssID, svID: svID)
      let signal = fields.u1(offset + 2)
      signalDecibelHertz = signal == 0 ? nil : Int(signal)
      (elevationDegrees, azimuthDegrees) = fields.direction(offset + 3)
      residualMetres = Double(fields.i2(offset + 6)) / 1e1
      quality = UBXSignalQuality(bits: flags.bits(0, count: 3))
      isUsed = flags.bit(3)
      isHealthy = fields.health(flags.bits(4, count: 2))
      hasCorrections = flags.bit(6)
      isSmoothed = flags.bit(7)
      orbitSource = OrbitSource(rawValue: flags.bits(8, count: 3)) ?? .other
    }
  }
}

/// NAV-SVINFO (0x01 0x30): satellites in view from receivers before M8.
/// - Source: UBX-13003221; pyubx2 1.4.0 and the cc.ublox library.
public struct NavSVInfo: UBXPayload {
  static var shortestPayload: Int { 8 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public let timeOfWeekMilliseconds: UInt32
  /// Generation of the chip: 0 Antaris 4, 1 u-blox 5, 2 u-blox 6, 3 u-blox 7, 4 u-blox 8 and M8.
  public let chipGeneration: UInt8
  /// The receiver's channels, including those in search.
  public let channels: UBXBlocks<Channel>

  init(_ fields: UBXFields) throws(UBXRejection) {
    timeOfWeekMilliseconds = fields.u4(0)
    chipGeneration = fields.u1(5).bits(0, count: 3)
    channels = try UBXBlocks(fields, from: 8, count: Int(fields.u1(4)))
  }

  /// One channel and its satellite.
  public struct Channel: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 12 }

    /// Number of the channel; 255 for a satellite without a channel.
    public var number: UInt8
    /// The satellite; nil for a GLONASS satellite of unknown slot and for an unknown system.
    public var id: SatelliteID?
    /// The satellite's number as sent.
    public var svID: UInt8
    /// Carrier to noise density, dB-Hz; nil where the satellite is not received.
    public var signalDecibelHertz: Int?
    /// Elevation above the horizon, degrees; nil where it is not known.
    public var elevationDegrees: Int?
    /// Azimuth clockwise from true north, degrees; nil where it is not known.
    public var azimuthDegrees: Int?
    /// Measured minus computed range.
    public var residualMetres: Double
    /// Quality of its signal.
    public var quality: UBXSignalQuality
    /// True where the solution uses it.
    public var isUsed: Bool
    /// True where differential corrections for it are available.
    public var hasCorrections: Bool
    /// True where its orbit is known from any source.
    public var hasOrbit: Bool
    /// True where its orbit is known from its ephemeris.
    public var hasEphemeris: Bool
    /// True where it must not be used.
    public var isUnhealthy: Bool
    /// True where its orbit is known from the almanac.
    public var hasAlmanac: Bool
    /// True where its orbit is known from AssistNow Autonomous.
    public var hasPrediction: Bool
    /// True where the range is smoothed by the carrier.
    public var isSmoothed: Bool

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      let flags = fields.u1(offset + 2)
      number = fields.u1(offset)
      svID = fields.u1(offset + 1)
      id = SatelliteID(ubxSingleNumber: svID)
      let signal = fields.u1(offset + 4)
      signalDecibelHertz = signal == 0 ? nil : Int(signal)
      (elevationDegrees, azimuthDegrees) = fields.direction(offset + 5)
      residualMetres = fields.i4(offset + 8, per: 1e2)
      quality = UBXSignalQuality(bits: fields.u1(offset + 3).bits(0, count: 4))
      isUsed = flags.bit(0)
      hasCorrections = flags.bit(1)
      hasOrbit = flags.bit(2)
      hasEphemeris = flags.bit(3)
      isUnhealthy = flags.bit(4)
      hasAlmanac = flags.bit(5)
      hasPrediction = flags.bit(6)
      isSmoothed = flags.bit(7)
    }
  }
}

extension UBXFields {
  /// One signed byte of elevation and two of azimuth. An elevation beyond 90 degrees means that the
  /// direction is not known.
  func direction(_ offset: Int) -> (elevation: Int?, azimuth: Int?) {
    let (elevation, azimuth) = (Int(i1(offset)), Int(i2(offset + 1)))
    guard abs(elevation) <= 90 else { return (nil, nil) }
    return (elevation, (0...360).contains(azimuth) ? azimuth : nil)
  }

  /// True for 1 (healthy), false for 2 (unhealthy), else nil.
  func health(_ bits: UInt8) -> Bool? { bits == 1 ? true : bits == 2 ? false : nil }
}
