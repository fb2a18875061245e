/// What a receiver reports of trouble, in one value that is published: antenna, interference,
/// spoofing, why there is no fix, and how long the first fix took.
public struct ReceiverCondition: Equatable, Sendable {
  /// The antenna of the worst radio path; nil where the receiver does not report it.
  public var antenna: SignalState.Antenna?
  /// Interference; nil where the receiver does not report it.
  public var interference: SignalState.Interference?
  /// Continuous-wave interference, 0 none to 255 strong.
  public var interferenceLevel: UInt8?
  /// Spoofing; nil where the receiver does not report it.
  public var spoofing: SignalState.Spoofing?
  /// How good the receiver estimates its own state to be; nil where it does not report it.
  public var quality: ReceiverQuality?
  /// Why there is no fix; nil while there is one, and before the receiver has sent anything.
  public var fixLoss: FixLoss?
  /// True while there is a fix; nil before the receiver has sent anything.
  public var hasFix: Bool?
  /// The first fix; nil before it.
  public var firstFix: FirstFix?
  /// The corrections that arrive for the receiver; nil where none are configured.
  public var corrections: Corrections?

  /// Corrections that have arrived, RTCM 3.
  public struct Corrections: Equatable, Sendable {
    /// Bytes of whole frames.
    public var bytes = 0
    /// Frames by message type.
    public var messages: [Int: Int] = [:]
    /// Time since the newest frame, seconds; nil before the first.
    public var ageSeconds: Double?
    /// How often their source was lost.
    public var interruptions = 0

    /// Makes counts of nothing.
    public init() {}
  }

  /// Makes a condition of which nothing is known.
  public init() {}

  /// Reads a receiver's state of signals.
  public init(_ signals: SignalState) {
    (antenna, interference) = (signals.antenna, signals.interference)
    (interferenceLevel, spoofing) = (signals.interferenceLevel, signals.spoofing)
    quality = signals.quality
  }

  /// True where nothing is known.
  public var isEmpty: Bool { self == ReceiverCondition() }

  /// The same without what changes each second.
  package var withoutFigures: ReceiverCondition {
    var condition = self
    (condition.interferenceLevel, condition.corrections, condition.quality) = (nil, nil, nil)
    condition.fixLoss?.satellites = nil
    return condition
  }
}

extension SignalState.Antenna {
  /// One word: `good`, `open`, `short`.
  public var word: String {
    switch self {
    case .good: "good"
    case .open: "open"
    case .short: "short"
    }
  }
}

extension SignalState.Interference {
  /// One word: `none`, `warning`, `critical`.
  public var word: String {
    switch self {
    case .none: "none"
    case .warning: "warning"
    case .critical: "critical"
    }
  }
}

extension SignalState.Spoofing {
  /// One word: `none`, `indicated`, `multiple`.
  public var word: String {
    switch self {
    case .none: "none"
    case .indicated: "indicated"
    case .multiple: "multiple"
    }
  }
}

#if !hasFeature(Embedded)
  // Embedded Swift has no Codable.
  extension ReceiverCondition: Codable {}
  extension ReceiverCondition.Corrections: Codable {}
  extension SignalState.Antenna: Codable {}
  extension SignalState.Interference: Codable {}
  extension SignalState.Spoofing: Codable {}
#endif
