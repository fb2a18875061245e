import Quantities

/// A pulse and the second that it marked.
public struct MarkedPulse: Equatable, Sendable {
  /// When the on-time edge came, on the clock that samples are stamped with.
  public var instant: Timestamp
  /// The UTC second that it marked; nil while that is not known.
  public var second: UTCTime?
  /// What the system's clock showed.
  public var systemUTC: UTCTime?
  /// How far the pulse came before the exact second by the receiver's own word, picoseconds.
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

/// What a receiver's pulses tell about the machine's clocks.
public struct PulseTiming: Equatable, Sendable {
  /// How pulses and epochs stand to each other.
  public enum State: String, CaseIterable, Sendable {
    /// None has come for more than three seconds, or none that is followed by others in whole seconds.
    case noPulse = "no pulse"
    /// Pulses come, and which second they mark is not known.
    case unpaired
    /// Each pulse's second is known and the receiver goes on confirming it.
    case paired
    /// Pulses go on from known ones, but for more than five seconds no epoch with a fix has confirmed them.
    case freeWheeling = "free-wheeling"
  }

  /// What stands in the way of a pairing.
  public enum Obstacle: String, CaseIterable, Sendable {
    /// Both edges come, half a second apart.
    case edge = "either edge may be the on-time one: say which in the board file"
    /// No epoch of a whole second with a fix has come.
    case noFix = "the receiver has told no whole second with a fix"
    /// A few epochs have to agree first.
    case learning = "learning how long after the pulse the sentences come"
    /// The sentences come so near to the pulse that they may belong to it or to the one before.
    case delay = "the sentences come too close to the pulse to tell whose they are: give the delay"
    /// The system's clock says that the receiver's seconds are others.
    case clock = "the system's clock says another second: give the delay, or set the clock"
  }

  /// How pulses and epochs stand to each other.
  public var state: State
  /// Why there is no pairing; nil where there is one, or no pulse.
  public var obstacle: Obstacle?
  /// The last pulse.
  public var lastPulse: MarkedPulse?
  /// The system's clock minus UTC at the last pulse, seconds.
  public var systemOffsetSeconds: Double?
  /// Takes instants of the monotonic clock to UTC; kept for a minute without pulses.
  public var mapping: UTCMapping?
  /// One sigma of the edges about the straight line through the last pulses (at most 64), seconds: 1.4826
  /// times their median absolute deviation, so that a single late interrupt does not count.
  public var jitterSeconds: Double?
  /// How much too fast the monotonic clock runs, parts per million, over the last pulses (at most 64). The
  /// kernel steers the system's clock and the monotonic one alike.
  public var frequencyErrorPartsPerMillion: Double?
  /// From a pulse to the first byte of its second's epoch, seconds: median of the last epochs (at most 16).
  public var messageDelaySeconds: Double?
  /// Pulses that came when they were due.
  public var used = 0
  /// Seconds without a pulse between two that came.
  public var missed = 0
  /// Edges that came when none was due.
  public var refused = 0
  /// How often the system's clock was set by more than a millisecond between two pulses.
  public var systemSteps = 0

  /// Makes the timing of a line on which nothing has happened yet.
  public init() { state = .noPulse }
}
