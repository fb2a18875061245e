import Quantities

/// One edge on the line of a receiver's pulse.
public struct PulseEdge: Equatable, Sendable {
  /// When the line changed, on the clock of the samples' timestamps.
  public var instant: Timestamp
  /// The time of the system clock at that instant.
  public var systemUTC: UTCTime?
  /// The system clock's estimate of its own error, seconds; nil where nothing synchronises it.
  public var systemErrorSeconds: Double?
  /// True for a rising edge, which LinuxPPS calls assert; false for clear.
  public var isAssert: Bool
  /// The kernel's count of such edges. A repeated number is the same edge.
  public var sequence: UInt32?

  /// Makes an edge.
  public init(
    instant: Timestamp, isAssert: Bool = true, systemUTC: UTCTime? = nil,
    systemErrorSeconds: Double? = nil, sequence: UInt32? = nil
  ) {
    self.instant = instant
    self.isAssert = isAssert
    self.systemUTC = systemUTC
    self.systemErrorSeconds = systemErrorSeconds
    self.sequence = sequence
  }
}

/// The time of a receiver's epoch and when it was received.
public struct PulseEpoch: Equatable, Sendable {
  /// The instant of the epoch. Second 60 is the next minute's 0.
  public var utc: UTCTime
  /// When the epoch's first byte was received.
  public var arrival: Timestamp
  /// False where the receiver has no position: its time then comes from its own oscillator.
  public var hasFix: Bool

  /// Makes an epoch.
  public init(utc: UTCTime, arrival: Timestamp, hasFix: Bool) {
    self.utc = utc
    self.arrival = arrival
    self.hasFix = hasFix
  }
}

/// A receiver's announcement of its next pulse: u-blox's TIM-TP.
///
/// - Source: u-blox 8 / M8 receiver description, UBX-13003221, UBX-TIM-TP, as implemented by
///   SparkFun's u-blox GNSS library and the `ublox` crate (the document itself could not be
///   opened).
public struct PulseAnnouncement: Equatable, Sendable {
  /// The UTC second that the next pulse marks; nil where the message is in the time of a satellite
  /// system and the leap seconds are not known.
  public var second: UTCTime?
  /// How much the pulse will precede the exact second, picoseconds: the receiver can switch its
  /// output only at a tick of its oscillator. Nil where the receiver marks it as invalid.
  ///
  /// - Source: for the sign, A. Wallin, "uBlox F9T qErr correction" (2019): with an interval
  ///   counter that the reference starts and the pulse stops, qErr is added to the reading.
  public var quantisationErrorPicoseconds: Int32?
  /// When the message was received.
  public var arrival: Timestamp

  /// Makes an announcement of a second.
  public init(second: UTCTime?, quantisationErrorPicoseconds: Int32? = nil, arrival: Timestamp) {
    self.second = second
    self.quantisationErrorPicoseconds = quantisationErrorPicoseconds
    self.arrival = arrival
  }

  /// Makes an announcement from TIM-TP's week and time of week.
  ///
  /// - Parameters:
  ///   - week: weeks since 1980-01-06, not modulo 1024.
  ///   - timeOfWeekMilliseconds: `towMS`.
  ///   - leapSeconds: GPS time minus UTC where the message is in GPS time; 0 where its flags
  ///     indicate UTC; nil where it is not known.
  ///   - quantisationErrorPicoseconds: `qErr`, nil where the flags mark it as invalid.
  ///   - arrival: When the message was received.
  public init(
    week: Int, timeOfWeekMilliseconds: UInt32, leapSeconds: Int?,
    quantisationErrorPicoseconds: Int32?, arrival: Timestamp
  ) {
    self.init(
      second: leapSeconds.flatMap {
        UTCTime(
          gpsWeek: week, nanosecondsOfWeek: Int64(timeOfWeekMilliseconds) * 1_000_000,
          leapSeconds: $0)
      },
      quantisationErrorPicoseconds: quantisationErrorPicoseconds, arrival: arrival)
  }
}
