/// NAV-SIG (0x01 0x43): signals in view.
/// - Source: u-blox ZED-F9P interface description UBX-18010854, version 0; pyubx2 1.4.0 and
///   ubloxcfg.
public struct NavSig: UBXPayload {
  static var shortestPayload: Int { 8 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public let timeOfWeekMilliseconds: UInt32
  /// The signals in view; a satellite with two frequencies has two.
  public let signals: UBXBlocks<Signal>

  init(_ fields: UBXFields) throws(UBXRejection) {
    timeOfWeekMilliseconds = fields.u4(0)
    signals = try UBXBlocks(fields, from: 8, count: Int(fields.u1(5)))
  }

  /// One signal of one satellite.
  public struct Signal: Equatable, Sendable, UBXBlock {
    /// A block's length.
    public static var size: Int { 16 }
    /// Offset of the GLONASS frequency number, which begins at -7, in the message.
    private static var frequencyOffset: Int { 7 }

    /// The satellite; nil for a GLONASS satellite of unknown slot and for an unknown system.
    public var id: SatelliteID?
    /// The system's number as sent.
    public var gnssID: UInt8
    /// The satellite's number as sent.
    public var svID: UInt8
    /// The signal within its system; GPS: 0 L1 C/A, 3 L2 CL, 4 L2 CM, 6 L5 I, 7 L5 Q.
    public var signalID: UInt8
    /// GLONASS frequency number, -7 to 6; nil for other systems.
    public var glonassFrequencyNumber: Int?
    /// Measured minus computed range.
    public var residualMetres: Double
    /// Carrier to noise density, dB-Hz; nil where the signal is not received.
    public var signalDecibelHertz: Int?
    /// Quality of the signal.
    public var quality: UBXSignalQuality
    /// Source of the corrections: 0 none, 1 SBAS, 2 BeiDou, 3 RTCM 2, 4 RTCM 3 observations, 5 RTCM
    /// 3 states, 6 QZSS SLAS, 7 SPARTN, 8 CLAS.
    public var correctionSource: UInt8
    /// Ionosphere model: 0 none, 1 Klobuchar (GPS), 2 SBAS, 3 Klobuchar (BeiDou), 8 two
    /// frequencies.
    public var ionosphereModel: UInt8
    /// True where the navigation message declares it healthy; nil where that is not known.
    public var isHealthy: Bool?
    /// True where the range is smoothed by the carrier.
    public var isSmoothed: Bool
    /// True where the solution uses the range.
    public var isUsed: Bool
    /// True where the solution uses the carrier phase.
    public var isCarrierUsed: Bool
    /// True where the solution uses the Doppler shift.
    public var isDopplerUsed: Bool
    /// True where the range is corrected.
    public var isCorrected: Bool
    /// True where the carrier phase is corrected.
    public var isCarrierCorrected: Bool
    /// True where the Doppler shift is corrected.
    public var isDopplerCorrected: Bool
    /// True where its navigation data are authenticated.
    public var isAuthenticated: Bool

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      let flags = fields.u2(offset + 10)
      gnssID = fields.u1(offset)
      svID = fields.u1(offset + 1)
      id = SatelliteID(gnssID: gnssID, svID: svID)
      signalID = fields.u1(offset + 2)
      glonassFrequencyNumber =
        gnssID == Constellation.glonass.rawValue
        ? Int(fields.u1(offset + 3)) - Self.frequencyOffset : nil
      residualMetres = Double(fields.i2(offset + 4)) / 1e1
      let signal = fields.u1(offset + 6)
      signalDecibelHertz = signal == 0 ? nil : Int(signal)
      quality = UBXSignalQuality(bits: fields.u1(offset + 7))
      correctionSource = fields.u1(offset + 8)
      ionosphereModel = fields.u1(offset + 9)
      isHealthy = fields.health(flags.bits(0, count: 2))
      isSmoothed = flags.bit(2)
      isUsed = flags.bit(3)
      isCarrierUsed = flags.bit(4)
      isDopplerUsed = flags.bit(5)
      isCorrected = flags.bit(6)
      isCarrierCorrected = flags.bit(7)
      isDopplerCorrected = flags.bit(8)
      isAuthenticated = flags.bit(9)
    }
  }
}
