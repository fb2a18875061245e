import Quantities

/// Whether any beacon of a constraint is in range: inside at the first sighting, outside after a
/// silence.
///
/// Silence counts only during a scan: call `reset` when the adapter is lost.
public struct BeaconPresence: Equatable, Sendable {
  /// The state of the device.
  public enum State: Sendable {
    /// Unknown: no sighting yet, and the silence has not been long enough.
    case unknown
    /// A beacon was received.
    case inside
    /// No beacon was received during the silence.
    case outside
  }

  /// A change of state.
  public struct Transition: Equatable, Sendable {
    /// The state before.
    public var from: State
    /// The state after.
    public var to: State
    /// The instant of the change.
    public var instant: Timestamp
    /// The received beacon; nil for a change to outside.
    public var identity: BeaconIdentity?

    /// Makes a change.
    package init(
      from: State, to: State, instant: Timestamp, identity: BeaconIdentity? = nil
    ) {
      (self.from, self.to, self.instant, self.identity) = (from, to, instant, identity)
    }
  }

  /// Time without a sighting that means outside. Core Location's documents name none; iPhones wait
  /// about 30 s.
  public static let usualSilenceSeconds = 30.0

  /// The beacons of the region.
  public let constraint: BeaconConstraint
  /// Time without a sighting that means outside, seconds. Smaller: leaves sooner, flaps at the
  /// edge.
  public let silenceSeconds: Double
  /// The state of the device.
  public private(set) var state = State.unknown
  /// The last sighting, or the start of the scan if later.
  private var since: Timestamp?

  /// Starts as unknown.
  public init(_ constraint: BeaconConstraint, silenceSeconds: Double = usualSilenceSeconds) {
    self.constraint = constraint
    self.silenceSeconds = silenceSeconds
  }

  /// Adds a sighting; other beacons are ignored.
  /// - Returns: The change of state, if any.
  public mutating func add(_ sighting: BeaconSighting) -> Transition? {
    guard constraint.contains(sighting.identity) else { return nil }
    since = max(since ?? sighting.instant, sighting.instant)
    return enter(.inside, at: sighting.instant, identity: sighting.identity)
  }

  /// Advances the time during a scan.
  /// - Returns: The change of state, if any.
  public mutating func advance(to now: Timestamp) -> Transition? {
    guard let since else {
      since = now
      return nil
    }
    return now.seconds(since: since) >= silenceSeconds ? enter(.outside, at: now) : nil
  }

  /// Forgets the state, which a lost scan can no longer confirm; the silence is counted from the
  /// next instant.
  public mutating func reset() { (state, since) = (.unknown, nil) }

  private mutating func enter(
    _ state: State, at instant: Timestamp, identity: BeaconIdentity? = nil
  ) -> Transition? {
    guard state != self.state else { return nil }
    defer { self.state = state }
    return Transition(from: self.state, to: state, instant: instant, identity: identity)
  }
}
