import Quantities

/// Pairs a receiver's pulses with the times that it tells: which UTC second did each pulse mark?
///
/// Model. Pulses come at whole seconds of UTC; a receiver tells the time of a fix some hundred milliseconds
/// after the pulse of the same second. So a pulse's number in its train and the UTC second differ by a
/// constant, the label, and every epoch of a whole second with a fix votes for one. Four votes in a row
/// make it. What a vote rests on, the stronger first:
/// - the receiver announces the second of its next pulse (TIM-TP);
/// - the delay of the sentences was told by a person;
/// - the system's clock says to be right within 0.4 s: this also finds receivers whose sentences come more
///   than a second late or ahead of the pulse;
/// - custom: sentences come within the second after their pulse, between 0.02 and 0.95 s of it. Where the
///   system's clock, though nothing is known to set it, shows just another second, custom does not decide.
///
/// A label stands until two epochs in a row contradict it, and is replaced by four that agree on another:
/// a receiver whose date jumps is paired anew. It moves by one at once where midnight of a month's first day
/// comes twice or a second early: a leap second. Without epochs it stays for as long as pulses come.
///
/// - Source: for the order of pulse and sentences and for delays of up to several hundred milliseconds that
///   wander by 200 ms, "GPSD Time Service HOWTO" (2021), "1PPS quality issues" and "Running GPSD"; for the
///   months of leap seconds, ITU-R TF.460-6, annex 1, 2.1.
public struct PulsePairing: Sendable {
  /// Which edge of the pulse is on time.
  public enum Edge: String, CaseIterable, Sendable {
    /// The one that begins the shorter half; the only one where one alone is captured.
    case automatic = "auto"
    /// To high.
    case assert = "rising"
    /// To low.
    case clear = "falling"
  }

  /// What a line is like.
  public struct Parameters: Equatable, Sendable {
    /// Which edge is on time.
    public var edge = Edge.automatic
    /// From the pulse to the first byte of its second's epoch, s; negative where the epoch comes first. Nil
    /// where it is to be learnt. To within a third of a second.
    public var messageDelaySeconds: Double?
    /// How far from its due time a pulse may come, s. Small: late interrupts are refused; large: noise passes.
    /// The default is above the millisecond of a USB poll.
    public var toleranceSeconds = 0.003

    /// Makes the usual line.
    public init() {}
  }

  /// No pulse for longer than this is none, s.
  private static let pulsePatience = 3.0
  /// No confirmation for longer than this is free-wheeling, s.
  private static let fixPatience = 5.0
  /// A change of the system's clock against the monotonic one by more than this in a second is a step: the
  /// kernel slews both alike, s.
  private static let step = 1e-3
  /// The pulse that an announcement is about comes within this, s.
  private static let announcementPatience = 1.5

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

  /// Makes a pairing that has seen nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    onTime = OnTimeEdge(told: parameters.edge, tolerance: parameters.toleranceSeconds)
  }

  /// Takes in an edge, in the order in which they came.
  /// - Returns: The pulse, where the edge is one; nil for noise, for the other edge, and for the first three.
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
      take(edge, number: number)
    case .went(let number, let seconds):
      counts.missed += Int(seconds - 1)
      take(edge, number: number)
    }
    return pulse
  }

  private mutating func take(_ edge: PulseEdge, number: Int64) {
    counts.used += 1
    var told: PulseAnnouncement?
    if let announcement {
      let waited = edge.instant.seconds(since: announcement.arrival)
      if waited > 0, waited <= Self.announcementPatience { told = announcement }
    }
    announcement = nil
    let early = told?.quantisationErrorPicoseconds
    line.add(
      number: number, instant: edge.instant, correction: early.map { Double($0) * 1e-12 } ?? 0)
    if line.hasRate { onTime.learn(clockRate: line.clockRate) }
    noteSystem(edge)
    if let second = told?.second?.wholeSecond {
      labels.announced(second - number)
    }
    pulse = MarkedPulse(
      instant: edge.instant, second: labels.trusted.map { UTCTime(second: number + $0) },
      systemUTC: edge.systemUTC, quantisationErrorPicoseconds: early)
  }

  private mutating func noteSystem(_ edge: PulseEdge) {
    defer { system = edge.systemUTC.map { ($0, edge.systemErrorSeconds) } }
    guard let now = edge.systemUTC, let system, let pulse else { return }
    let change =
      now.seconds(since: system.utc) - edge.instant.seconds(since: pulse.instant)
    if abs(change) > Self.step { counts.systemSteps += 1 }
  }

  /// Takes in what the receiver says about its next pulse.
  public mutating func add(_ announcement: PulseAnnouncement) { self.announcement = announcement }

  /// Takes in an epoch; its pulse may still be to come.
  public mutating func add(_ epoch: PulseEpoch) {
    guard epoch.hasFix, !line.isEmpty, let second = epoch.utc.wholeSecond else { return }
    // The same instant again: another talker, or a revision. A leap second comes a second later.
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
        told: parameters.messageDelaySeconds,
        system: system.map { (Double($0.utc.nanosecondsSince1970) * 1e-9, $0.errorSeconds) },
        arrival: epoch.arrival))
  }

  /// The instant that a UTC was at, by the last pulses; nil where they are not paired, and where they say
  /// that the instant is not within three seconds before `arrival`.
  public func instant(of utc: UTCTime, arrivedAt arrival: Timestamp) -> Timestamp? {
    guard labels.trusted != nil, let instant = mapping(at: arrival)?.timestamp(of: utc),
      instant <= arrival, arrival.seconds(since: instant) < 3
    else { return nil }
    return instant
  }

  private func mapping(at now: Timestamp) -> UTCMapping? {
    guard let label = labels.trusted, !line.isEmpty, line.seconds(to: now) < PulseTrain.lifetime
    else { return nil }
    let nanoseconds = Int64((line.offset * 1e9).rounded())
    let anchor = UInt64(Int64(bitPattern: line.instant.nanoseconds) + nanoseconds)
    return UTCMapping(
      anchor: Timestamp(nanoseconds: anchor), utc: UTCTime(second: line.number + label),
      clockRate: line.clockRate)
  }

  /// How things stand at an instant, no earlier than what was last taken in.
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
    guard now.seconds(since: pulse.instant) <= Self.pulsePatience else { return timing }
    guard labels.trusted != nil else {
      timing.state = .unpaired
      timing.obstacle = onTime.isUndecidable ? .edge : labels.obstacle
      return timing
    }
    let confirmed = labels.confirmed.map { now.seconds(since: $0) <= Self.fixPatience } ?? false
    timing.state = confirmed ? .paired : .freeWheeling
    return timing
  }
}

extension UTCTime {
  /// Seconds since 1970 of an instant within a millisecond of a whole one, which a receiver's own clock may
  /// be off by; nil for others.
  var wholeSecond: Int64? {
    let (second, millisecond): (Int64, Int64) = (1_000_000_000, 1_000_000)
    let (sum, isBeyond) = nanosecondsSince1970.addingReportingOverflow(millisecond)
    guard !isBeyond else { return nil }
    let rest = ((sum % second) + second) % second
    return rest <= 2 * millisecond ? (sum - rest) / second : nil
  }

  init(second: Int64) { self.init(nanosecondsSince1970: second &* 1_000_000_000) }
}
