import Quantities

/// Determines which of a line's two edges is on time: the edge that begins the shorter part of the
/// second.
///
/// Each edge has its own train, so that bounce is not mistaken for a short pulse.
struct OnTimeEdge: Sendable {
  /// The classification of an edge.
  enum Verdict: Equatable, Sendable {
    /// Not the on-time edge, or not yet known to be.
    case other
    /// Noise.
    case refused
    /// The first pulse of a train.
    case began(number: Int64)
    /// A pulse, this number of seconds after the last.
    case went(number: Int64, seconds: Int64)
  }

  /// Largest difference of the width from half a second at which neither part counts as shorter, s.
  private static let undecided = 0.02
  /// After this number of seconds with a train of one edge only, edges of the other were noise.
  private static let alone: Int64 = 10

  private let configured: PulsePairing.Edge
  private var assert: PulseTrain
  private var clear: PulseTrain
  private var sawClear = false
  private var sawAssert = false
  /// True for assert; nil while it is not known.
  private(set) var isAssert: Bool?
  /// True where the edges are half a second apart and none is configured.
  private(set) var isUndecidable = false

  init(configured: PulsePairing.Edge, tolerance: Double) {
    self.configured = configured
    assert = PulseTrain(tolerance: tolerance)
    clear = PulseTrain(tolerance: tolerance)
    switch configured {
    case .assert: isAssert = true
    case .clear: isAssert = false
    case .automatic: isAssert = nil
    }
  }

  /// Stores the clock's rate that the pulses have shown.
  mutating func learn(clockRate: Double) {
    assert.clockRate = clockRate
    clear.clockRate = clockRate
  }

  mutating func add(_ edge: PulseEdge) -> Verdict {
    if configured != .automatic, edge.isAssert != isAssert { return .other }
    let train: PulseTrain.Verdict
    if edge.isAssert {
      sawAssert = true
      train = assert.add(edge.instant)
    } else {
      sawClear = true
      train = clear.add(edge.instant)
    }
    let before = isAssert
    if configured == .automatic { decide() }
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
      // Where only one edge is captured, it is the on-time one.
      if assert.last != nil { isAssert = true }
      if clear.last != nil { isAssert = false }
      return
    }
    guard let rise = assert.last?.instant, let fall = clear.last?.instant else {
      // The other edge has no train yet; after some time its edges count as noise.
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
