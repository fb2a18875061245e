import Quantities

/// Learns by how much pulses' numbers and UTC seconds differ, from where epochs come between the pulses.
struct SecondLabel: Sendable {
  /// An epoch of a whole second among the pulses.
  struct Vote {
    /// The second that it tells, since 1970.
    var second: Int64
    /// The last pulse's number.
    var pulse: Int64
    /// True seconds from that pulse to the epoch's arrival.
    var since: Double
    /// The delay that a person has told, s.
    var told: Double?
    /// What the system's clock showed at that pulse, s since 1970, and how wrong it can be.
    var system: (seconds: Double, error: Double?)?
    /// When it came in.
    var arrival: Timestamp
  }

  /// What a label rests on, the weakest first.
  private enum Ground: Int, Sendable {
    case custom, systemClock, told, announced
  }

  /// Votes in a row that make a label; announcements need no more than be repeated.
  private static let convincing = 4
  private static let convincingAnnouncements = 2
  /// Contradictions in a row that put a label in doubt: one may be a garbled time.
  private static let doubtful = 2
  /// By custom the sentences of a second come in this part of it, s. Nearer to the pulse the next epoch may
  /// fall on the other side of it.
  private static let customary = 0.02...0.95
  /// No receiver's delay is beyond these, s.
  private static let possible = -1.0...2.5
  /// Delays jump by a few hundred milliseconds, s.
  private static let wander = 0.6
  /// A told delay is this near to the real one, s.
  private static let toldTolerance = 0.45
  /// A clock that can be off by more does not tell seconds apart, s.
  private static let clockError = 0.4
  /// A clock that shows another second so exactly is not likely to be wrong by chance, s.
  private static let coincidence = 0.1
  /// The GPS week number has ten bits: a receiver past its time is wrong by a multiple of this, s.
  /// - Source: IS-GPS-200, 20.3.3.3.1.1.
  private static let rollover: Int64 = 1024 * 7 * 86_400
  private static let memory = 16

  private var label: Int64?
  private var ground = Ground.custom
  private var candidate: (label: Int64, ground: Ground, votes: Int)?
  private var contradictions = 0
  /// What the receiver's date is to be moved by, s: whole rollovers of the week number.
  private var weeks: Int64 = 0
  private var delays: [Double] = []
  private var nextDelay = 0
  /// When the last epoch came that agreed.
  private(set) var confirmed: Timestamp?
  private(set) var obstacle: PulseTiming.Obstacle? = .noFix

  /// UTC second less pulse number; nil while it is not known or in doubt.
  var trusted: Int64? { contradictions < Self.doubtful ? label : nil }

  /// Median of the last delays, s.
  var delay: Double? {
    delays.isEmpty ? nil : delays.sorted()[delays.count / 2]
  }

  /// The receiver has announced a pulse that came.
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
      // What was only custom gives way when something starts to set the clock.
      let isDenied = ground == .custom && Self.byClock(raw).map { $0 != label } ?? false
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
    // An announcement is not outvoted by what is only likely.
    if self.ground == .announced, label != nil, contradictions < Self.doubtful { return }
    if elect(value, ground, needing: Self.convincing) {
      agree(Self.delay(vote, value), vote.arrival)
    } else if label == nil || contradictions >= Self.doubtful {
      obstacle = .learning
    }
  }

  /// Counts a vote; true where it settles the label.
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

  /// The label that an epoch speaks for; nil where it leaves that open, and the obstacle says why.
  private mutating func propose(_ vote: Vote) -> (Int64, Ground)? {
    if let told = vote.told {
      let exact = vote.since - told
      guard abs(exact - exact.rounded()) <= Self.toldTolerance else {
        obstacle = .delay
        return nil
      }
      return (vote.second - vote.pulse - Int64(exact.rounded()), .told)
    }
    weeks = 0
    if let value = Self.byClock(vote) {
      var repaired = vote
      let off = Double(vote.pulse + value - vote.second) / Double(Self.rollover)
      weeks = Int64(off.rounded()) * Self.rollover
      repaired.second += weeks
      guard Self.possible.contains(Self.delay(repaired, value)) else {
        obstacle = .clock
        return nil
      }
      return (value, .systemClock)
    }
    let whole = vote.since.rounded(.down)
    guard Self.customary.contains(vote.since - whole) else {
      obstacle = .delay
      return nil
    }
    let value = vote.second - vote.pulse - Int64(whole)
    if let system = vote.system {
      let off = system.seconds - Double(vote.pulse + value)
      let seconds = off.rounded()
      if seconds != 0, seconds >= -1, seconds <= 2, abs(off - seconds) < Self.coincidence {
        obstacle = .clock
        return nil
      }
    }
    return (value, .custom)
  }

  /// The label by a clock that knows how right it is: what it showed at a pulse is nearest to the second that
  /// the pulse marked.
  private static func byClock(_ vote: Vote) -> Int64? {
    guard let system = vote.system, let error = system.error, error <= clockError else {
      return nil
    }
    return Int64(system.seconds.rounded()) - vote.pulse
  }

  /// From the pulse of an epoch's second to its arrival, s.
  private static func delay(_ vote: Vote, _ label: Int64) -> Double {
    vote.since + Double(vote.pulse + label - vote.second)
  }

  /// A leap second moves the label: back where second 60 and second 0, which are the same to POSIX, both
  /// came; on where second 59 was left out.
  private static func leap(_ vote: Vote, delay: Double, usual: Double) -> Int64? {
    let midnight = UTCTime(second: vote.second)
    guard midnight.nanosecondsOfDay == 0, midnight.date.day == 1 else { return nil }
    let nearly = 0.4
    if abs(delay - usual - 1) < nearly { return -1 }
    if abs(delay - usual + 1) < nearly { return 1 }
    return nil
  }
}
