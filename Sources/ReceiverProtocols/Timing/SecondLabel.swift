import Quantities

/// Learns the label, the UTC second minus the pulse's number, from the arrival of epochs between
/// pulses.
struct SecondLabel: Sendable {
  /// An epoch of a whole second and its place among the pulses.
  struct Vote {
    /// The second of the epoch, since 1970.
    var second: Int64
    /// The last pulse's number.
    var pulse: Int64
    /// True seconds from that pulse to the epoch's arrival.
    var since: Double
    /// The configured delay, s.
    var configuredDelay: Double?
    /// The system clock at that pulse, s since 1970, and its largest error, s.
    var system: (seconds: Double, error: Double?)?
    /// When the epoch was received.
    var arrival: Timestamp
  }

  /// The ground of a label, the weakest first.
  private enum Ground: Int, Sendable {
    case typicalDelay, systemClock, configuredDelay, announced
  }

  /// Consecutive votes that decide a label.
  private static let convincing = 4
  /// Consecutive announcements that decide a label.
  private static let convincingAnnouncements = 2
  /// Consecutive contradictions that put a label in doubt: a single one may be a corrupted time.
  private static let doubtful = 2
  /// Typical delays of the sentences after their pulse, s. Closer to the pulse, the next epoch may
  /// come on the other side of it.
  private static let typicalDelays = 0.02...0.95
  /// Limits of a receiver's delay, s.
  private static let possible = -1.0...2.5
  /// Largest variation of a receiver's delay, s.
  private static let wander = 0.6
  /// Largest error of a configured delay, s.
  private static let configuredDelayTolerance = 0.45
  /// Largest error of a clock that can distinguish seconds, s.
  private static let clockError = 0.4
  /// A clock that is this close to another second is unlikely to be wrong by chance, s.
  private static let coincidence = 0.1
  /// The GPS week number has ten bits: after a rollover a receiver is wrong by a multiple of this,
  /// s.
  /// - Source: IS-GPS-200, 20.3.3.3.1.1.
  private static let rollover: Int64 = 1024 * 7 * 86_400
  private static let memory = 16

  private var label: Int64?
  private var ground = Ground.typicalDelay
  private var candidate: (label: Int64, ground: Ground, votes: Int)?
  private var contradictions = 0
  /// Correction of the receiver's date, s: whole rollovers of the week number.
  private var weeks: Int64 = 0
  private var delays: [Double] = []
  private var nextDelay = 0
  /// When the last epoch that agreed with the label was received.
  private(set) var confirmed: Timestamp?
  private(set) var obstacle: PulseTiming.Obstacle? = .noFix

  /// UTC second minus pulse number; nil while it is not known or in doubt.
  var trusted: Int64? { contradictions < Self.doubtful ? label : nil }

  /// Median of the last delays, s.
  var delay: Double? {
    delays.isEmpty ? nil : delays.sorted()[delays.count / 2]
  }

  /// Adds the label of a pulse that the receiver has announced.
  mutating func announced(_ value: Int64) {
    if value == label {
      ground = .announced
      contradictions = 0
      return
    }
    elect(value, .announced, needing: Self.convincingAnnouncements)
  }

  mutating func add(_ raw: Vote) {
    var vote = raw
    vote.second += weeks
    if let label {
      let delay = Self.delay(vote, label)
      let usual = self.delay
      // A label by typical delay is replaced once a synchronised system clock contradicts it.
      let isDenied = ground == .typicalDelay && Self.byClock(raw).map { $0 != label } ?? false
      if Self.possible.contains(delay), abs(delay - (usual ?? delay)) <= Self.wander, !isDenied {
        agree(delay, vote.arrival)
        return
      }
      if let usual, let leap = Self.leap(vote, delay: delay, usual: usual) {
        self.label = label + leap
        agree(delay + Double(leap), vote.arrival)
        return
      }
    }
    contradictions += label == nil ? 0 : 1
    guard let (value, ground) = propose(raw) else {
      candidate = nil
      return
    }
    vote.second = raw.second + weeks
    if value == label {
      agree(Self.delay(vote, value), vote.arrival)
      return
    }
    // Weaker grounds do not override an announcement.
    if self.ground == .announced, label != nil, contradictions < Self.doubtful { return }
    if elect(value, ground, needing: Self.convincing) {
      agree(Self.delay(vote, value), vote.arrival)
    } else if label == nil || contradictions >= Self.doubtful {
      obstacle = .learning
    }
  }

  /// Counts a vote; true where it decides the label.
  @discardableResult
  private mutating func elect(_ value: Int64, _ ground: Ground, needing votes: Int) -> Bool {
    if let candidate, candidate.ground.rawValue > ground.rawValue { return false }
    let isSame = candidate?.label == value && candidate?.ground == ground
    let count = isSame ? (candidate?.votes ?? 0) + 1 : 1
    guard count >= votes else {
      candidate = (value, ground, count)
      return false
    }
    label = value
    self.ground = ground
    candidate = nil
    contradictions = 0
    obstacle = nil
    delays.removeAll(keepingCapacity: true)
    nextDelay = 0
    return true
  }

  private mutating func agree(_ delay: Double, _ arrival: Timestamp) {
    contradictions = 0
    candidate = nil
    obstacle = nil
    confirmed = arrival
    if delays.count < Self.memory {
      delays.append(delay)
    } else {
      delays[nextDelay] = delay
      nextDelay = (nextDelay + 1) % Self.memory
    }
  }

  /// The label by an epoch and its ground; nil, with the reason in `obstacle`, where the epoch is
  /// ambiguous.
  private mutating func propose(_ vote: Vote) -> (Int64, Ground)? {
    if let delay = vote.configuredDelay {
      let exact = vote.since - delay
      guard abs(exact - exact.rounded()) <= Self.configuredDelayTolerance else {
        obstacle = .delay
        return nil
      }
      return (vote.second - vote.pulse - Int64(bounded: exact.rounded()), .configuredDelay)
    }
    weeks = 0
    if let value = Self.byClock(vote) {
      var repaired = vote
      let off = Double(vote.pulse + value - vote.second) / Double(Self.rollover)
      weeks = Int64(bounded: off.rounded()) * Self.rollover
      repaired.second += weeks
      guard Self.possible.contains(Self.delay(repaired, value)) else {
        obstacle = .clock
        return nil
      }
      return (value, .systemClock)
    }
    let whole = vote.since.rounded(.down)
    guard Self.typicalDelays.contains(vote.since - whole) else {
      obstacle = .delay
      return nil
    }
    let value = vote.second - vote.pulse - Int64(bounded: whole)
    if let system = vote.system {
      let off = system.seconds - Double(vote.pulse + value)
      let seconds = off.rounded()
      if seconds != 0, seconds >= -1, seconds <= 2, abs(off - seconds) < Self.coincidence {
        obstacle = .clock
        return nil
      }
    }
    return (value, .typicalDelay)
  }

  /// The label by a system clock of known error: the second nearest to its time at the pulse.
  private static func byClock(_ vote: Vote) -> Int64? {
    guard let system = vote.system, let error = system.error, error <= clockError else {
      return nil
    }
    return Int64(bounded: system.seconds.rounded()) - vote.pulse
  }

  /// Time from the pulse of an epoch's second to the epoch's arrival, s.
  private static func delay(_ vote: Vote, _ label: Int64) -> Double {
    vote.since + Double(vote.pulse + label - vote.second)
  }

  /// The change of the label at a leap second: -1 where both second 60 and second 0 came, which are
  /// the same in POSIX time; 1 where second 59 was left out.
  private static func leap(_ vote: Vote, delay: Double, usual: Double) -> Int64? {
    let midnight = UTCTime(second: vote.second)
    guard midnight.nanosecondsOfDay == 0, midnight.date.day == 1 else { return nil }
    let nearly = 0.4
    if abs(delay - usual - 1) < nearly { return -1 }
    if abs(delay - usual + 1) < nearly { return 1 }
    return nil
  }
}
