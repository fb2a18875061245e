import Quantities

/// Distinguishes a receiver's pulses from bounce and noise: pulses are whole seconds apart.
///
/// Three edges in a chain of whole seconds begin a train. Edges at other times are refused until
/// the train has stopped and three other edges begin a new one, for example where a receiver moves
/// its pulse to the true second at its first fix.
struct PulseTrain: Sendable {
  /// The classification of an edge.
  enum Verdict: Equatable, Sendable {
    /// Not yet known: the beginning of a train, or noise.
    case waiting
    /// Not a pulse.
    case refused
    /// The first pulse of a new train; knowledge about earlier pulses no longer applies.
    case began
    /// The next pulse, this number of seconds after the last.
    case went(seconds: Int64)
  }

  /// Edges of a chain that begin a train.
  private static let convincing = 3
  /// Longest step between two edges of such a chain, s.
  private static let longestStep: Int64 = 3
  /// Time without a pulse after which another train may begin, s.
  private static let silence = 3.5
  /// Time without a pulse after which a train is over, s: the clock's error becomes too large.
  static let lifetime = 60.0
  /// Largest relative error of the clock before its rate is known: crystals are within 100 ppm, the
  /// kernel's slewing adds at most 500 ppm (adjtimex(2)).
  private static let rateTolerance = 600e-6
  /// Most edges outside a train that are stored.
  private static let memory = 12

  /// Largest difference of a pulse from its due time, s.
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
        // A bounce of the pulse itself does not begin a chain.
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

  /// The seconds of an interval; nil where it is not close to whole seconds.
  private func wholeSeconds(_ elapsed: Double) -> Int64? {
    let seconds = (elapsed / clockRate).rounded()
    guard abs(elapsed / clockRate - seconds) <= tolerance + Self.rateTolerance * seconds else {
      return nil
    }
    return Int64(bounded: seconds)
  }

  /// Stores an edge outside a train; returns the number of edges of the longest chain that it ends.
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
