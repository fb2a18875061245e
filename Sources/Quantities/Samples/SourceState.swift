/// What a source of headings or positions gives at the time of an estimate.
public enum SourceState: String, CaseIterable, Sendable {
  /// Its values are current.
  case live
  /// It has given nothing since the start; a receiver searches for satellites.
  case awaited
  /// Its newest sample is older than usual; values are carried on from it with a growing
  /// uncertainty.
  case late
  /// It gives nothing, for longer than its values can be carried on or a receiver may be without a
  /// fix.
  case lost
  /// Its values contradict physics or another source.
  case contradicted
  /// It is closed: the recording is over.
  case ended

  /// True where a source has sent values and sends no more: every output then reports this and
  /// repeats no old value.
  public var isGone: Bool { self == .lost || self == .ended }
}

#if !hasFeature(Embedded)
  extension SourceState: Codable {}
#endif

/// Keeps the instants at which the states of an estimate's sources began.
public struct SourceStateClock: Sendable {
  private var heading: (state: SourceState, since: Timestamp)?
  private var position: (state: SourceState, since: Timestamp)?

  /// Makes a clock without states.
  public init() {}

  /// Completes an estimate that has its states by the times at which they began.
  public mutating func complete(_ estimate: inout Estimate) {
    estimate.headingStateSince = Self.begin(
      of: estimate.headingState, &heading, at: estimate.timestamp)
    estimate.positionStateSince = Self.begin(
      of: estimate.positionState, &position, at: estimate.timestamp)
  }

  private static func begin(
    of state: SourceState?, _ last: inout (state: SourceState, since: Timestamp)?,
    at time: Timestamp
  ) -> Timestamp? {
    guard let state else {
      last = nil
      return nil
    }
    if let last, last.state == state { return last.since }
    last = (state, time)
    return time
  }
}

extension Estimate {
  /// The estimate of a source that is closed: nothing is known but the states.
  public func ended(at time: Timestamp) -> Estimate {
    var end = Estimate(timestamp: time)
    end.isSimulated = isSimulated
    end.utc = utc?.advanced(bySeconds: time.seconds(since: timestamp))
    end.headingState = headingState == nil ? nil : .ended
    end.positionState = positionState == nil ? nil : .ended
    return end
  }
}
