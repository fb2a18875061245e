import Quantities

/// Finds out which of a line's two edges is the on-time one: the pulse is shorter than the pause, and
/// begins on time.
///
/// Each edge has a train of its own, so that bounce does not look like a short pulse.
struct OnTimeEdge: Sendable {
  /// What an edge is.
  enum Verdict: Equatable, Sendable {
    /// Not on time, or not yet known to be.
    case other
    /// Noise.
    case refused
    /// The first pulse of a train.
    case began(number: Int64)
    /// A pulse, so many seconds after the last.
    case went(number: Int64, seconds: Int64)
  }

  /// A pulse of half a second, give or take this, has no shorter side, s.
  private static let undecided = 0.02
  /// Where one edge has come for so many seconds and the other never in a chain, the other was noise.
  private static let alone: Int64 = 10

  private let told: PulsePairing.Edge
  private var assert: PulseTrain
  private var clear: PulseTrain
  private var sawClear = false
  private var sawAssert = false
  /// True for assert; nil while it is not known.
  private(set) var isAssert: Bool?
  /// True where both edges come half a second apart and nobody has said which it is.
  private(set) var isUndecidable = false

  init(told: PulsePairing.Edge, tolerance: Double) {
    self.told = told
    assert = PulseTrain(tolerance: tolerance)
    clear = PulseTrain(tolerance: tolerance)
    switch told {
    case .assert: isAssert = true
    case .clear: isAssert = false
    case .automatic: isAssert = nil
    }
  }

  /// The clock's rate as the pulses have shown it.
  mutating func learn(clockRate: Double) {
    assert.clockRate = clockRate
    clear.clockRate = clockRate
  }

  mutating func add(_ edge: PulseEdge) -> Verdict {
    if told != .automatic, edge.isAssert != isAssert { return .other }
    let train: PulseTrain.Verdict
    if edge.isAssert {
      sawAssert = true
      train = assert.add(edge.instant)
    } else {
      sawClear = true
      train = clear.add(edge.instant)
    }
    let before = isAssert
    if told == .automatic { decide() }
    guard edge.isAssert == isAssert, let last = edge.isAssert ? assert.last : clear.last else {
      return train == .refused ? .refused : .other
    }
    switch train {
    case .waiting: return .other
    case .refused: return .refused
    case .began: return .began(number: last.number)
    case .went(let seconds):
      return before == isAssert
        ? .went(number: last.number, seconds: seconds) : .began(number: last.number)
    }
  }

  private mutating func decide() {
    guard sawAssert && sawClear else {
      // One edge alone is captured: it is the one.
      if assert.last != nil { isAssert = true }
      if clear.last != nil { isAssert = false }
      return
    }
    guard let rise = assert.last?.instant, let fall = clear.last?.instant else {
      // The other edge's train is still to be found, unless its edges were noise.
      if let last = assert.last, last.number >= Self.alone { isAssert = true }
      if let last = clear.last, last.number >= Self.alone { isAssert = false }
      return
    }
    let since = fall.seconds(since: rise)
    let width = since - since.rounded(.down)
    isUndecidable = abs(width - 0.5) < Self.undecided
    if isUndecidable {
      isAssert = nil
    } else {
      isAssert = width < 0.5
    }
  }
}
