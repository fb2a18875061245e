import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221, as pyubx2 1.4.0
//   and SparkFun's u-blox GNSS library 3 quote it.

/// NAV-TIMEUTC (0x01 0x21): civil time.
public struct NavTimeUTC: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Civil time, as far as it is valid.
  public var time: UBXTime
  /// One sigma of the time.
  public var timeAccuracySeconds: Double?
  /// True where the time was checked against authenticated navigation data.
  public var isAuthenticated: Bool
  /// Whose UTC it is: 3 the US Naval Observatory's, 6 Russia's, 7 China's, …; 0 not known.
  public var standard: UInt8

  init(_ fields: UBXFields) {
    // The bits of time of week, week and leap seconds stand where NAV-PVT's stand of time of day, date
    // and full resolution, but for the order of the first two.
    let flags = fields.u1(19)
    let valid = (flags.bit(1) ? 1 : 0) | (flags.bit(0) ? 2 : 0) | flags & 4
    timeOfWeekMilliseconds = fields.u4(0)
    time = UBXTime(fields, at: 12, valid: valid, nanoseconds: fields.i4(8))
    timeAccuracySeconds = fields.accuracy4(4, per: 1e9)
    isAuthenticated = flags.bit(3)
    standard = flags.bits(4, count: 4)
  }
}

/// NAV-TIMEGPS (0x01 0x20): GPS time.
public struct NavTimeGPS: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// GPS time of week of the navigation epoch, rounded; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// What rounding to milliseconds took away; nil where the time of week is not known.
  public var timeOfWeekFractionNanoseconds: Int32?
  /// Weeks since 1980-01-06, not folded; nil where it is not known.
  public var week: Int?
  /// GPS time ahead of UTC; nil where it is not known.
  public var leapSeconds: Int?
  /// One sigma of the time.
  public var timeAccuracySeconds: Double?

  init(_ fields: UBXFields) {
    let flags = fields.u1(11)
    timeOfWeekMilliseconds = fields.u4(0)
    timeOfWeekFractionNanoseconds = flags.bit(0) ? fields.i4(4) : nil
    week = flags.bit(1) ? Int(fields.i2(8)) : nil
    leapSeconds = flags.bit(2) ? Int(fields.i1(10)) : nil
    timeAccuracySeconds = fields.accuracy4(12, per: 1e9)
  }

  /// The instant, where week, time of week and leap seconds are known.
  public var utc: UTCTime? {
    guard let timeOfWeekFractionNanoseconds, let week, let leapSeconds else { return nil }
    return UTCTime(
      gpsWeek: week,
      nanosecondsOfWeek: Int64(timeOfWeekMilliseconds) * 1_000_000
        + Int64(timeOfWeekFractionNanoseconds),
      leapSeconds: leapSeconds)
  }
}

/// NAV-TIMELS (0x01 0x26): leap seconds, those of now and the next change.
public struct NavTimeLS: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 24 }

  /// A change of the leap seconds that is to come, or the last one.
  public struct Event: Equatable, Sendable {
    /// What it adds: 1, -1, or 0 where none is announced.
    public var change: Int
    /// Until it happens; negative since it has happened.
    public var remainingSeconds: Int32
    /// GPS week of its day.
    public var week: UInt16
    /// The day within the week: 1 Sunday to 7 Saturday; where the source is BeiDou 0 to 6.
    public var dayOfWeek: UInt16
    /// Who announces it: 0 nobody, 2 GPS, 3 SBAS, 4 BeiDou, 5 Galileo, 6 GLONASS.
    public var source: UInt8
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// GPS time ahead of UTC; nil where it is not known.
  public var leapSeconds: Int?
  /// Who says so: 0 firmware, 1 GPS less GLONASS, 2 GPS, 3 SBAS, 4 BeiDou, 5 Galileo, 6 aiding,
  /// 7 configuration, 255 nobody.
  public var source: UInt8
  /// The change to come, or the last one; nil where neither is known.
  public var event: Event?

  init(_ fields: UBXFields) {
    let flags = fields.u1(23)
    timeOfWeekMilliseconds = fields.u4(0)
    leapSeconds = flags.bit(0) ? Int(fields.i1(9)) : nil
    source = fields.u1(8)
    guard flags.bit(1) else { return }
    event = Event(
      change: Int(fields.i1(11)), remainingSeconds: fields.i4(12), week: fields.u2(16),
      dayOfWeek: fields.u2(18), source: fields.u1(10))
  }
}

/// NAV-CLOCK (0x01 0x22): the receiver's clock against GPS time.
public struct NavClock: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// How far the clock is ahead.
  public var biasSeconds: Double
  /// How fast it runs ahead, seconds each second.
  public var driftSecondsPerSecond: Double
  /// One sigma of the bias.
  public var timeAccuracySeconds: Double?
  /// One sigma of the drift, seconds each second.
  public var driftAccuracySecondsPerSecond: Double?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    biasSeconds = fields.i4(4, per: 1e9)
    driftSecondsPerSecond = fields.i4(8, per: 1e9)
    timeAccuracySeconds = fields.accuracy4(12, per: 1e9)
    driftAccuracySecondsPerSecond = fields.accuracy4(16, per: 1e12)
  }
}

/// TIM-TP (0x0D 0x01): the time of the next pulse.
/// - Source: UBX-13003221; the bits `qErrInvalid` and `TpNotLocked` and the byte `refInfo` by pyubx2.
public struct TimTP: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// The pulse's time of week in the time base.
  public var timeOfWeekMilliseconds: UInt32
  /// What the whole milliseconds leave out.
  public var timeOfWeekFractionNanoseconds: Double
  /// The pulse's week in the time base.
  public var week: UInt16
  /// How much the pulse comes late for being bound to the receiver's clock edges; nil where not known.
  public var quantisationErrorPicoseconds: Int32?
  /// True where the time base is UTC, false where it is a satellite system's time.
  public var isUTC: Bool
  /// True where UTC is known to the receiver.
  public var isUTCAvailable: Bool
  /// True where the pulse is bound to the time base; receivers that do not tell say so too.
  public var isLocked: Bool
  /// True where autonomous integrity monitoring is at work; nil where that is not known.
  public var isIntegrityMonitored: Bool?
  /// Whose time it is where it is not UTC: 0 GPS, 1 GLONASS, 2 BeiDou, 3 Galileo, 4 NavIC, 15 unknown.
  public var referenceSystem: UInt8
  /// Whose UTC it is where it is: 3 the US Naval Observatory's, 6 Russia's, 7 China's, …; 0 not known.
  public var standard: UInt8

  init(_ fields: UBXFields) {
    let (flags, reference) = (fields.u1(14), fields.u1(15))
    timeOfWeekMilliseconds = fields.u4(0)
    // Counted in 2^-32 milliseconds.
    timeOfWeekFractionNanoseconds = Double(fields.u4(4)) * (1e6 / 4_294_967_296)
    week = fields.u2(12)
    quantisationErrorPicoseconds = flags.bit(4) ? nil : fields.i4(8)
    isUTC = flags.bit(0)
    isUTCAvailable = flags.bit(1)
    isLocked = !flags.bit(5)
    switch flags.bits(2, count: 2) {
    case 1: isIntegrityMonitored = false
    case 2: isIntegrityMonitored = true
    default: isIntegrityMonitored = nil
    }
    referenceSystem = reference.bits(0, count: 4)
    standard = reference.bits(4, count: 4)
  }
}
