import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221, as pyubx2
//   1.4.0 and SparkFun's u-blox GNSS library 3 quote it.

/// NAV-TIMEUTC (0x01 0x21): UTC.
public struct NavTimeUTC: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// UTC, as far as it is valid.
  public var time: UBXTime
  /// One sigma of the time.
  public var timeAccuracySeconds: Double?
  /// True where the time was checked against authenticated navigation data.
  public var isAuthenticated: Bool
  /// Source of UTC: 3 US Naval Observatory, 6 Russia, 7 China, …; 0 not known.
  public var standard: UInt8

  init(_ fields: UBXFields) {
    // The bits of time of week, week and leap seconds correspond to NAV-PVT's bits of time of day,
    // date and full resolution, with the first two exchanged.
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
  /// Remainder of the rounding to milliseconds; nil where the time of week is not known.
  public var timeOfWeekFractionNanoseconds: Int32?
  /// Weeks since 1980-01-06, not modulo 1024; nil where it is not known.
  public var week: Int?
  /// GPS time minus UTC; nil where it is not known.
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

/// NAV-TIMELS (0x01 0x26): present leap seconds and their next change.
public struct NavTimeLS: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 24 }

  /// The next change of the leap seconds, or the last one.
  public struct Event: Equatable, Sendable {
    /// Added leap seconds: 1, -1, or 0 where no change is announced.
    public var change: Int
    /// Time until the change; negative after it.
    public var remainingSeconds: Int32
    /// GPS week of the change.
    public var week: UInt16
    /// The day within the week: 1 Sunday to 7 Saturday; 0 to 6 where the source is BeiDou.
    public var dayOfWeek: UInt16
    /// Source of the announcement: 0 none, 2 GPS, 3 SBAS, 4 BeiDou, 5 Galileo, 6 GLONASS.
    public var source: UInt8
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// GPS time minus UTC; nil where it is not known.
  public var leapSeconds: Int?
  /// Source of the leap seconds: 0 firmware, 1 GPS minus GLONASS, 2 GPS, 3 SBAS, 4 BeiDou, 5
  /// Galileo, 6 aiding, 7 configuration, 255 none.
  public var source: UInt8
  /// The next or the last change; nil where neither is known.
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
  /// Offset of the clock; positive where it is ahead.
  public var biasSeconds: Double
  /// Drift of the clock, seconds per second; positive where it is fast.
  public var driftSecondsPerSecond: Double
  /// One sigma of the bias.
  public var timeAccuracySeconds: Double?
  /// One sigma of the drift, seconds per second.
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
/// - Source: UBX-13003221; the bits `qErrInvalid` and `TpNotLocked` and the byte `refInfo` by
///   pyubx2.
public struct TimTP: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// The pulse's time of week in the time base.
  public var timeOfWeekMilliseconds: UInt32
  /// Remainder below a millisecond.
  public var timeOfWeekFractionNanoseconds: Double
  /// The pulse's week in the time base.
  public var week: UInt16
  /// Quantisation error of the pulse, which the receiver can output only at a tick of its
  /// oscillator; nil where it is not known. `PulseAnnouncement` documents the sign.
  public var quantisationErrorPicoseconds: Int32?
  /// True where the time base is UTC, false where it is a satellite system's time.
  public var isUTC: Bool
  /// True where UTC is known to the receiver.
  public var isUTCAvailable: Bool
  /// True where the pulse is locked to the time base, and from receivers that do not report it.
  public var isLocked: Bool
  /// True where autonomous integrity monitoring is active; nil where that is not known.
  public var isIntegrityMonitored: Bool?
  /// Time base other than UTC: 0 GPS, 1 GLONASS, 2 BeiDou, 3 Galileo, 4 NavIC, 15 unknown.
  public var referenceSystem: UInt8
  /// Source of UTC where the time base is UTC: 3 US Naval Observatory, 6 Russia, 7 China, …; 0 not
  /// known.
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
