import Quantities

/// Determines the UTC second of each of a receiver's pulses from the times of its epochs.
///
/// Model. Pulses mark whole seconds of UTC. A receiver sends the time of a fix some hundred
/// milliseconds after the pulse of the same second. So the UTC second minus the pulse's number in
/// its train is a constant, the label. Every epoch of a whole second with a fix votes for a label.
/// Four consecutive votes decide. The grounds of a vote, the strongest first:
/// - announcement: the receiver announces the second of its next pulse (TIM-TP);
/// - configured delay: the user has set the delay of the sentences;
/// - system clock: the system clock reports an error of at most 0.4 s. This also works for
///   receivers whose sentences come more than a second late or before the pulse;
/// - typical delay: sentences come 0.02 to 0.95 s after their pulse. Where nothing is known to
///   synchronise the system clock, but it clearly shows another second, the typical delay does not
///   decide.
///
/// Two consecutive epochs that contradict a label put it in doubt. Four that agree on another one
/// replace it, for example after a jump of the receiver's date. A leap second moves the label by
/// one at once: midnight of a month's first day then comes twice or a second early. Without epochs
/// the label remains valid as long as pulses come.
///
/// - Source: for the order of pulse and sentences and for delays of up to several hundred
///   milliseconds that wander by 200 ms, "GPSD Time Service HOWTO" (2021), "1PPS quality issues"
///   and "Running GPSD"; for the months of leap seconds, ITU-R TF.460-6, annex 1, 2.1.
public struct PulsePairing: Sendable {
  /// Which edge of the pulse is on time.
  public enum Edge: String, CaseIterable, Sendable {
    /// The one that begins the shorter part of the second, or the only one that is captured.
    case automatic = "auto"
    /// The rising edge.
    case assert = "rising"
    /// The falling edge.
    case clear = "falling"
  }

  /// The properties of a line.
  public struct Parameters: Equatable, Sendable {
    /// Which edge is on time.
    public var edge = Edge.automatic
    /// From the pulse to the first byte of its second's epoch, s; negative where the epoch comes
    /// first. An accuracy of a third of a second suffices. Nil: the delay is learnt.
    public var messageDelaySeconds: Double?
    /// Largest difference of a pulse from its due time, s. Small: late interrupts are refused;
    /// large: noise is accepted. The default is above the 1 ms interval of a USB poll.
    public var toleranceSeconds = 0.003

    /// Makes the default parameters.
    public init() {}
  }

  /// Time without a pulse after which the state is `noPulse`, s.
  private static let pulseTimeout = 3.0
  /// Time without a confirmation after which the state is `freeWheeling`, s.
  private static let fixTimeout = 5.0
  /// Smallest step of the system clock against the monotonic clock within a second, s. Slewing is
  /// no step: the kernel slews both clocks alike.
  private static let step = 1e-3
  /// Longest time from an announcement to its pulse, s.
  private static let announcementTimeout = 1.5

  let parameters: Parameters
  private var onTime: OnTimeEdge
  private(set) var line = PulseLine()
  var labels = SecondLabel()
  private var announcement: PulseAnnouncement?
  private(set) var pulse: MarkedPulse?
  private var system: (utc: UTCTime, errorSeconds: Double?)?
  private var lastSequence: [UInt32?] = [nil, nil]
  private var lastEpoch: (utc: UTCTime, arrival: Timestamp)?
  private var counts = PulseTiming()

  /// Makes a pairing without pulses and epochs.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    onTime = OnTimeEdge(configured: parameters.edge, tolerance: parameters.toleranceSeconds)
  }

  /// Adds an edge; edges must be added in the order of their instants.
  /// - Returns: The pulse of an on-time edge; nil for noise, for the other edge, and before the
  ///   train begins.
  public mutating func add(_ edge: PulseEdge) -> MarkedPulse? {
    let side = edge.isAssert ? 1 : 0
    if let sequence = edge.sequence, lastSequence[side] == sequence { return nil }
    lastSequence[side] = edge.sequence
    switch onTime.add(edge) {
    case .other: return nil
    case .refused:
      counts.refused += 1
      return nil
    case .began(let number):
      line.clear()
      labels = SecondLabel()
      lastEpoch = nil
      addPulse(edge, number: number)
    case .went(let number, let seconds):
      counts.missed += Int(seconds - 1)
      addPulse(edge, number: number)
    }
    return pulse
  }

  private mutating func addPulse(_ edge: PulseEdge, number: Int64) {
    counts.used += 1
    var own: PulseAnnouncement?
    if let announcement {
      let waited = edge.instant.seconds(since: announcement.arrival)
      if waited > 0, waited <= Self.announcementTimeout { own = announcement }
    }
    announcement = nil
    let early = own?.quantisationErrorPicoseconds
    line.add(
      number: number, instant: edge.instant, correction: early.map { Double($0) * 1e-12 } ?? 0)
    if line.hasRate { onTime.learn(clockRate: line.clockRate) }
    countSystemStep(edge)
    if let second = own?.second?.wholeSecond {
      labels.announced(second - number)
    }
    pulse = MarkedPulse(
      instant: edge.instant, second: labels.trusted.map { UTCTime(second: number + $0) },
      systemUTC: edge.systemUTC, quantisationErrorPicoseconds: early)
  }

  private mutating func countSystemStep(_ edge: PulseEdge) {
    defer { system = edge.systemUTC.map { ($0, edge.systemErrorSeconds) } }
    guard let now = edge.systemUTC, let system, let pulse else { return }
    let change =
      now.seconds(since: system.utc) - edge.instant.seconds(since: pulse.instant)
    if abs(change) > Self.step { counts.systemSteps += 1 }
  }

  /// Adds the receiver's announcement of its next pulse.
  public mutating func add(_ announcement: PulseAnnouncement) { self.announcement = announcement }

  /// Adds an epoch, which may precede its pulse.
  public mutating func add(_ epoch: PulseEpoch) {
    guard epoch.hasFix, !line.isEmpty, let second = epoch.utc.wholeSecond else { return }
    // The same instant again comes from another talker or is a revision; a repeated second at a
    // leap second comes a second later.
    if let last = lastEpoch, last.utc == epoch.utc,
      abs(epoch.arrival.seconds(since: last.arrival)) < 0.5
    {
      return
    }
    lastEpoch = (epoch.utc, epoch.arrival)
    let since = line.seconds(to: epoch.arrival)
    guard since < PulseTrain.lifetime else { return }
    labels.add(
      SecondLabel.Vote(
        second: second, pulse: line.number, since: since,
        configuredDelay: parameters.messageDelaySeconds,
        system: system.map { (Double($0.utc.nanosecondsSince1970) * 1e-9, $0.errorSeconds) },
        arrival: epoch.arrival))
  }

  /// The instant of a UTC time by the last pulses; nil where they are not paired, and where the
  /// instant is not within three seconds before `arrival`.
  public func instant(of utc: UTCTime, arrivedAt arrival: Timestamp) -> Timestamp? {
    guard labels.trusted != nil, let instant = mapping(at: arrival)?.timestamp(of: utc),
      instant <= arrival, arrival.seconds(since: instant) < 3
    else { return nil }
    return instant
  }

  private func mapping(at now: Timestamp) -> UTCMapping? {
    guard let label = labels.trusted, !line.isEmpty, line.seconds(to: now) < PulseTrain.lifetime
    else { return nil }
    let nanoseconds = Int64(bounded: (line.offset * 1e9).rounded())
    let anchor = UInt64(Int64(bitPattern: line.instant.nanoseconds) + nanoseconds)
    return UTCMapping(
      anchor: Timestamp(nanoseconds: anchor), utc: UTCTime(second: line.number + label),
      clockRate: line.clockRate)
  }

  /// The state at an instant, which must not precede the last edge or epoch.
  public func timing(at now: Timestamp) -> PulseTiming {
    var timing = counts
    timing.state = .noPulse
    timing.lastPulse = pulse
    guard let pulse, !line.isEmpty else {
      if onTime.isUndecidable { (timing.state, timing.obstacle) = (.unpaired, .edge) }
      return timing
    }
    timing.jitterSeconds = line.sigma
    if line.hasRate { timing.frequencyErrorPartsPerMillion = (line.clockRate - 1) * 1e6 }
    timing.mapping = mapping(at: now)
    if let mapping = timing.mapping {
      timing.messageDelaySeconds = labels.delay
      timing.systemOffsetSeconds = pulse.systemUTC?.seconds(since: mapping.utc(at: pulse.instant))
    }
    guard now.seconds(since: pulse.instant) <= Self.pulseTimeout else { return timing }
    guard labels.trusted != nil else {
      timing.state = .unpaired
      timing.obstacle = onTime.isUndecidable ? .edge : labels.obstacle
      return timing
    }
    let confirmed = labels.confirmed.map { now.seconds(since: $0) <= Self.fixTimeout } ?? false
    timing.state = confirmed ? .paired : .freeWheeling
    return timing
  }
}

extension UTCTime {
  /// Seconds since 1970 of an instant within a millisecond of a whole second, which is the largest
  /// error of a receiver's clock; nil for others.
  var wholeSecond: Int64? {
    let (second, millisecond): (Int64, Int64) = (1_000_000_000, 1_000_000)
    let (sum, isBeyond) = nanosecondsSince1970.addingReportingOverflow(millisecond)
    guard !isBeyond else { return nil }
    let rest = ((sum % second) + second) % second
    return rest <= 2 * millisecond ? (sum - rest) / second : nil
  }

  init(second: Int64) { self.init(nanosecondsSince1970: second &* 1_000_000_000) }
}
