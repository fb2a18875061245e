import Quantities

/// Whether any beacon that a constraint means is around: inside at the first sighting, outside after a silence.
///
/// A silence counts only while somebody listens: `pause` when the adapter goes, and the count begins again
/// with the next instant. Its coded form keeps the constraint and the state, not the instants, as the monotonic
/// clock begins again with each boot: who was inside has the whole silence again after a restart.
public struct BeaconPresence: Equatable, Sendable {
  /// Where the device is.
  public enum State: String, Codable, Sendable {
    /// Not known yet: no sighting, and no silence long enough.
    case unknown
    /// A beacon was heard.
    case inside
    /// None was for long enough.
    case outside
  }

  /// A change of state.
  public struct Transition: Equatable, Sendable {
    /// Before.
    public var from: State
    /// From now on.
    public var to: State
    /// When.
    public var instant: Timestamp
    /// The beacon that was heard; nil where none was.
    public var identity: BeaconIdentity?

    /// Makes a change.
    package init(
      from: State, to: State, instant: Timestamp, identity: BeaconIdentity? = nil
    ) {
      (self.from, self.to, self.instant, self.identity) = (from, to, instant, identity)
    }
  }

  /// How long without a sighting means outside. Core Location's documents name no time; iPhones are seen to
  /// wait for about 30 s.
  public static let usualSilenceSeconds = 30.0

  /// Which beacons are meant.
  public let constraint: BeaconConstraint
  /// How long without a sighting means outside, seconds. Smaller: leaves sooner, and flaps at the edge.
  public let silenceSeconds: Double
  /// Where the device is.
  public private(set) var state = State.unknown
  /// The last sighting, or the begin of listening where that is later.
  private var since: Timestamp?

  /// Begins unknown.
  public init(_ constraint: BeaconConstraint, silenceSeconds: Double = usualSilenceSeconds) {
    self.constraint = constraint
    self.silenceSeconds = silenceSeconds
  }

  /// Takes a sighting; those of other beacons are passed over.
  /// - Returns: The change that it makes.
  public mutating func hear(_ sighting: BeaconSighting) -> Transition? {
    guard constraint.contains(sighting.identity) else { return nil }
    since = max(since ?? sighting.instant, sighting.instant)
    return enter(.inside, at: sighting.instant, hearing: sighting.identity)
  }

  /// Lets time pass while somebody listens.
  /// - Returns: The change that it makes.
  public mutating func advance(to now: Timestamp) -> Transition? {
    guard let since else {
      since = now
      return nil
    }
    return now.seconds(since: since) >= silenceSeconds ? enter(.outside, at: now) : nil
  }

  /// Nobody listens from now on: what is not heard says nothing.
  public mutating func pause() { since = nil }

  private mutating func enter(
    _ state: State, at instant: Timestamp, hearing identity: BeaconIdentity? = nil
  ) -> Transition? {
    guard state != self.state else { return nil }
    defer { self.state = state }
    return Transition(from: self.state, to: state, instant: instant, identity: identity)
  }
}

extension BeaconPresence: Codable {
  private enum CodingKeys: String, CodingKey { case constraint, silenceSeconds, state }
}
