import Quantities

/// A pulse and the second that it marked.
public struct MarkedPulse: Equatable, Sendable {
  /// The instant of the on-time edge, on the clock of the samples' timestamps.
  public var instant: Timestamp
  /// The UTC second that it marked; nil while that is not known.
  public var second: UTCTime?
  /// The time of the system clock at that instant.
  public var systemUTC: UTCTime?
  /// How much the pulse preceded the exact second by the receiver's announcement, picoseconds.
  public var quantisationErrorPicoseconds: Int32?

  /// Makes a pulse.
  public init(
    instant: Timestamp, second: UTCTime? = nil, systemUTC: UTCTime? = nil,
    quantisationErrorPicoseconds: Int32? = nil
  ) {
    self.instant = instant
    self.second = second
    self.systemUTC = systemUTC
    self.quantisationErrorPicoseconds = quantisationErrorPicoseconds
  }
}

/// The state of a receiver's pulses and the errors of the machine's clocks.
public struct PulseTiming: Equatable, Sendable {
  /// The state of the pairing of pulses and epochs.
  public enum State: String, CaseIterable, Sendable {
    /// No pulse for more than three seconds, or no edges whole seconds apart.
    case noPulse = "no pulse"
    /// Pulses come, but the second that they mark is not known.
    case unpaired
    /// The second of each pulse is known and confirmed by epochs.
    case paired
    /// The second of each pulse is counted on, but no epoch with a fix has confirmed it for more
    /// than five seconds.
    case freeWheeling = "free-wheeling"
  }

  /// The reason why pulses are not paired.
  public enum Obstacle: String, CaseIterable, Sendable {
    /// The two edges are half a second apart.
    case edge = "the on-time edge is ambiguous: set the pulse's edge in the board file"
    /// No epoch of a whole second with a fix was received.
    case noFix = "the receiver has sent no whole second with a fix"
    /// Fewer epochs than needed agree so far.
    case learning = "learning the delay of the sentences after the pulse"
    /// The sentences come so close to a pulse that they may belong to it or to the one before.
    case delay =
      "the sentences come too close to the pulse: set the pulse's delay in the board file"
    /// The system clock contradicts the receiver's seconds.
    case clock =
      "the system clock shows another second: set the pulse's delay, or set the clock"
  }

  /// The state of the pairing.
  public var state: State
  /// The reason why pulses are not paired; nil where they are paired, or without pulses.
  public var obstacle: Obstacle?
  /// The last pulse.
  public var lastPulse: MarkedPulse?
  /// The system clock minus UTC at the last pulse, seconds.
  public var systemOffsetSeconds: Double?
  /// Converts instants of the monotonic clock to UTC; valid for a minute without pulses.
  public var mapping: UTCMapping?
  /// One sigma of the edges about the straight line through the last pulses (at most 64), seconds:
  /// 1.4826 times their median absolute deviation, so that a single late interrupt has no effect.
  public var jitterSeconds: Double?
  /// Rate error of the monotonic clock over the last pulses (at most 64), parts per million;
  /// positive where it is fast. The kernel adjusts the rates of the system clock and the monotonic
  /// clock alike.
  public var frequencyErrorPartsPerMillion: Double?
  /// From a pulse to the first byte of its second's epoch, seconds: median of the last epochs (at
  /// most 16).
  public var messageDelaySeconds: Double?
  /// Pulses at their due time.
  public var used = 0
  /// Seconds without a pulse between two pulses.
  public var missed = 0
  /// Edges on the line at other times.
  public var refused = 0
  /// Steps of the system clock by more than a millisecond between two pulses.
  public var systemSteps = 0

  /// Makes the timing of a line without pulses.
  public init() { state = .noPulse }
}
