import Quantities

/// Tells a receiver's pulses from bounce and noise: pulses come whole seconds apart.
///
/// Three edges in a chain of whole seconds begin a train. Whatever then comes at another time is refused,
/// until the train has fallen silent and three others make a new one (a receiver that moves its pulse to
/// the true second when it gets its first fix).
struct PulseTrain: Sendable {
  /// What an edge is.
  enum Verdict: Equatable, Sendable {
    /// Perhaps the beginning of a train, perhaps noise.
    case waiting
    /// Not a pulse.
    case refused
    /// The first pulse of a new train: nothing that was known of pulses before applies.
    case began
    /// The next pulse, so many seconds after the last.
    case went(seconds: Int64)
  }

  /// Edges in a row that make a train.
  private static let convincing = 3
  /// A chain that is to begin a train may lack this many pulses between two.
  private static let longestStep: Int64 = 3
  /// A train that has been silent for so long gives way to another, s.
  private static let silence = 3.5
  /// A train that has been silent for so long is over, s: the clock's error would be too much to carry.
  static let lifetime = 60.0
  /// The clock may run wrong by this share before its rate is known: crystals are within 100 ppm, the
  /// kernel's slewing adds at most 500 ppm (adjtimex(2)).
  private static let rateTolerance = 600e-6
  /// Strays that are remembered.
  private static let memory = 12

  /// How far from its due time a pulse may come, s.
  let tolerance: Double
  /// Seconds of the monotonic clock in one second, where it is known.
  var clockRate = 1.0
  /// The last pulse and its number in whole seconds since the train began.
  private(set) var last: (instant: Timestamp, number: Int64)?
  private var strays: [(instant: Timestamp, chain: Int)] = []
  private var nextStray = 0

  init(tolerance: Double) {
    self.tolerance = tolerance
    strays.reserveCapacity(Self.memory)
  }

  mutating func add(_ instant: Timestamp) -> Verdict {
    if let last {
      let elapsed = instant.seconds(since: last.instant)
      if elapsed <= 0 { return .refused }
      if elapsed < Self.lifetime {
        if let seconds = wholeSeconds(elapsed), seconds > 0 {
          self.last = (instant, last.number + seconds)
          return .went(seconds: seconds)
        }
        // A bounce of the pulse itself begins nothing.
        if elapsed <= tolerance { return .refused }
      }
      let length = chain(to: instant)
      guard elapsed > Self.silence else { return .refused }
      guard length >= Self.convincing else { return .waiting }
    } else {
      guard chain(to: instant) >= Self.convincing else { return .waiting }
    }
    last = (instant, 0)
    clockRate = 1
    strays.removeAll(keepingCapacity: true)
    nextStray = 0
    return .began
  }

  /// The whole seconds of an interval; nil where it is not of whole seconds.
  private func wholeSeconds(_ elapsed: Double) -> Int64? {
    let seconds = (elapsed / clockRate).rounded()
    guard abs(elapsed / clockRate - seconds) <= tolerance + Self.rateTolerance * seconds else {
      return nil
    }
    return Int64(seconds)
  }

  /// Remembers a stray; how many edges the longest chain has that it ends.
  private mutating func chain(to instant: Timestamp) -> Int {
    var longest = 1
    for stray in strays {
      let elapsed = instant.seconds(since: stray.instant)
      guard elapsed > 0, elapsed < Double(Self.longestStep) + 0.5,
        let seconds = wholeSeconds(elapsed), seconds > 0
      else { continue }
      longest = max(longest, stray.chain + 1)
    }
    if strays.count < Self.memory {
      strays.append((instant, longest))
    } else {
      strays[nextStray] = (instant, longest)
      nextStray = (nextStray + 1) % Self.memory
    }
    return longest
  }
}
