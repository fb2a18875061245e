import Quantities
import ReceiverProtocols

/// Simulates clocks, a pulse and a receiver with known errors, with which the pairing's results are
/// compared.
struct PulseWorld {
  /// UTC seconds since 1970 at the simulation's start.
  static let epoch: Int64 = 1_780_315_200  // 2026-06-01T12:00:00Z
  /// The monotonic clock at the simulation's start, s.
  static let monotonicStart = 1000.25

  /// Rate error of the monotonic clock, parts per million; positive where it is fast.
  var partsPerMillion = 0.0
  /// The system clock minus true UTC, s; nil where the edges lack it.
  var systemOffset: Double? = 0.0
  /// The system clock's estimate of its error, s.
  var systemError: Double?
  /// From the pulse to the epoch, s.
  var delay = 0.2
  /// One sigma of the edges, s.
  var jitter = 0.0
  /// One sigma of the delay, s.
  var delayJitter = 0.0
  /// The receiver's time minus true UTC, whole seconds.
  var receiverOffset: Int64 = 0
  var hasFix = true
  var sequence: UInt32 = 0
  private var random: SplitMix

  init(seed: UInt64 = 1) { random = SplitMix(state: seed) }

  /// The monotonic clock at a true second.
  func instant(_ t: Double) -> Timestamp {
    let whole = t.rounded(.down)
    let start = UInt64(nanosecondsIn: Self.monotonicStart)
    let nanoseconds =
      Int64(bounded: whole) * 1_000_000_000
      + Int64(bounded: ((t - whole) * 1e9 + t * partsPerMillion * 1e3).rounded())
    return Timestamp(nanoseconds: UInt64(Int64(start) + nanoseconds))
  }

  static func utc(_ t: Double) -> UTCTime {
    UTCTime(nanosecondsSince1970: epoch * 1_000_000_000 + Int64(bounded: (t * 1e9).rounded()))
  }

  /// An edge at a true instant, with jitter.
  mutating func edge(_ t: Double, isAssert: Bool = true) -> PulseEdge {
    let at = t + jitter * random.normal()
    sequence &+= 1
    return PulseEdge(
      instant: instant(at), isAssert: isAssert,
      systemUTC: systemOffset.map { Self.utc(at + $0) }, systemErrorSeconds: systemError,
      sequence: sequence)
  }

  /// The epoch of a true second.
  mutating func epoch(_ t: Double) -> PulseEpoch {
    PulseEpoch(
      utc: Self.utc(t + Double(receiverOffset)),
      arrival: instant(t + delay + delayJitter * random.normal()), hasFix: hasFix)
  }

  /// Adds the pulses and epochs of some seconds in the order of their instants.
  mutating func run(_ seconds: Range<Int>, into pairing: inout PulsePairing) {
    var events: [(at: Timestamp, edge: PulseEdge?, epoch: PulseEpoch?)] = []
    for second in seconds {
      let edge = edge(Double(second))
      events.append((edge.instant, edge, nil))
      let epoch = epoch(Double(second))
      events.append((epoch.arrival, nil, epoch))
    }
    for event in events.sorted(by: { $0.at < $1.at }) {
      if let edge = event.edge { _ = pairing.add(edge) }
      if let epoch = event.epoch { pairing.add(epoch) }
    }
  }

  /// The timing at a true instant.
  func timing(_ pairing: PulsePairing, at t: Double) -> PulseTiming {
    pairing.timing(at: instant(t))
  }

  /// The mapping's error at a true instant, s; nil where there is none.
  func error(of timing: PulseTiming, at t: Double) -> Double? {
    timing.mapping.map { $0.utc(at: instant(t)).seconds(since: Self.utc(t)) }
  }
}

/// S. Vigna's splitmix64.
struct SplitMix {
  var state: UInt64

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  /// Twelve uniform numbers minus six: approximately normal with one sigma of one.
  mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }
}
