import Quantities

/// One change of the line that a receiver's pulse comes in on.
public struct PulseEdge: Equatable, Sendable {
  /// When the line changed, on the clock that samples are stamped with.
  public var instant: Timestamp
  /// What the system's clock showed at that instant.
  public var systemUTC: UTCTime?
  /// How far the system's clock can be off by its own account, seconds; nil where nothing sets it.
  public var systemErrorSeconds: Double?
  /// True where the line went high, which LinuxPPS calls assert; false for clear.
  public var isAssert: Bool
  /// The kernel's count of such edges. The same number twice is the same edge.
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

/// What a receiver said about the time, and when it said so.
public struct PulseEpoch: Equatable, Sendable {
  /// The instant that the epoch is about. Second 60 is the next minute's 0.
  public var utc: UTCTime
  /// When the epoch's first byte came in.
  public var arrival: Timestamp
  /// False where the receiver has no position: its time is then that of its own oscillator.
  public var hasFix: Bool

  /// Makes an epoch.
  public init(utc: UTCTime, arrival: Timestamp, hasFix: Bool) {
    self.utc = utc
    self.arrival = arrival
    self.hasFix = hasFix
  }
}

/// A receiver's word about its next pulse: u-blox's TIM-TP.
///
/// - Source: u-blox 8 / M8 receiver description, UBX-13003221, UBX-TIM-TP, as implemented by SparkFun's
///   u-blox GNSS library and the `ublox` crate (the document itself could not be opened).
public struct PulseAnnouncement: Equatable, Sendable {
  /// The UTC second that the next pulse marks; nil where the message counts in the time of a satellite
  /// system and the leap seconds are not known.
  public var second: UTCTime?
  /// How far the pulse will come before the exact second, picoseconds: the receiver can only switch its
  /// output at a tick of its oscillator. Nil where the receiver says that it does not know.
  ///
  /// - Source: for the sign, A. Wallin, "uBlox F9T qErr correction" (2019): with an interval counter that the
  ///   reference starts and the pulse stops, qErr is added to the reading.
  public var quantisationErrorPicoseconds: Int32?
  /// When the message came in.
  public var arrival: Timestamp

  /// Makes an announcement of a second.
  public init(second: UTCTime?, quantisationErrorPicoseconds: Int32? = nil, arrival: Timestamp) {
    self.second = second
    self.quantisationErrorPicoseconds = quantisationErrorPicoseconds
    self.arrival = arrival
  }

  /// Makes an announcement of a week and a time of week as TIM-TP has them.
  ///
  /// - Parameters:
  ///   - week: weeks since 1980-01-06, not cut to ten bits.
  ///   - timeOfWeekMilliseconds: `towMS`.
  ///   - leapSeconds: GPS time minus UTC where the message counts in GPS time; 0 where its flags say that it
  ///     counts in UTC; nil where it is not known.
  ///   - quantisationErrorPicoseconds: `qErr`, nil where the flags say that it is not valid.
  ///   - arrival: When the message came in.
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
