public import Board
import HostProtocol
public import Observers
public import Pipeline
public import Quantities
import Synchronization

/// The host's estimates. They are requested only while at least one observer is registered.
public final class HostPublisher: EstimatePublisher {
  private let client: HostClient
  private let remote: HostCalibrator

  init(client: HostClient) {
    self.client = client
    remote = HostCalibrator(client: client)
  }

  /// Sets the demand while at least one observer is registered; the default is all estimates. It
  /// holds for the whole connection.
  public func setDemand(_ demand: EstimateDemand) {
    let core = client.core
    core.request.set(demand: demand)
    core.send { core.request.change(&$0) }
  }

  /// Sets how often a fix is needed.
  public func setReceiverDemand(_ demand: ReceiverDemand) {
    var wanted = EstimateDemand.all
    switch demand {
    case .continuous: break
    case .every(let seconds): wanted.fixInterval = seconds
    case .none: wanted.fixes = false
    }
    setDemand(wanted)
  }

  /// True if the source has a magnetometer.
  public var hasMagnetometer: Bool { client.source.hasMagnetometer }
  /// True if another compass gives headings.
  public var hasCompass: Bool { client.source.hasCompass == true }
  /// True if the source has a receiver.
  public var hasReceiver: Bool { client.source.hasReceiver }
  /// True if the estimates do not come from sensors.
  public var isSimulated: Bool { client.source.isSimulated }
  /// True if sensors measure now: false for a simulation and for a recording.
  public var isLive: Bool { client.source.isLive }
  /// The newest received estimate; nil before the first.
  public var latest: Estimate? { client.core.withState { $0.latest } }
  /// The calibration of the host's magnetometer; nil without one.
  public var calibrator: (any FieldCalibrator)? { hasMagnetometer ? remote : nil }

  /// Calls `body` for every estimate from now on, on the connection's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    // A strong reference, so that the connection stays open.
    let observation = client.core.estimates.add(body)
    return Observation { [self] in
      withExtendedLifetime(self) { observation.cancel() }
    }
  }

  /// Calls `body` at each change of the calibration, on the connection's thread.
  public func observeCalibration(_ body: @escaping @Sendable () -> Void) -> Observation {
    client.core.calibrations.add { _ in body() }
  }

  /// The rotation from the axes of the host's samples to the body's.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    let parts = client.source.mounting ?? []
    guard parts.count == 4,
      let rotation = Rotation<SensorFrame, BodyFrame>(
        w: parts[0], x: parts[1], y: parts[2], z: parts[3])
    else { return AxisMount.standard.rotation }
    return rotation
  }

  /// The origin of the host's positions.
  public var positionOrigin: PositionOrigin? {
    switch client.source.position {
    case .receiver(let place): .receiver(place)
    case .recording(let path): .recording(path)
    case .simulation: .simulation
    case nil: nil
    }
  }

  /// Calls `body` for every instant's samples from now on, on the connection's thread.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    // A strong reference, so that the connection stays open.
    let observation = client.core.rows.add(body)
    return Observation { [self] in
      withExtendedLifetime(self) { observation.cancel() }
    }
  }

  /// Calls `body` with what the receiver sends beyond fixes from now on, on the connection's
  /// thread. It is delivered at full accuracy only; while it is requested, the receiver does not
  /// rest.
  public func observeReceiver(
    _ body: @escaping @Sendable (ReceiverOutput) -> Void
  ) -> Observation {
    // A strong reference, so that the connection stays open.
    let observation = client.core.receiver.add(body)
    return Observation { [self] in
      withExtendedLifetime(self) { observation.cancel() }
    }
  }
}

/// The demand of a publisher; `none` without observers.
final class EstimateRequest: Sendable {
  private struct State {
    var demand = EstimateDemand.all
    var isObserved = false
  }
  private let state = Mutex(State())

  func set(demand new: EstimateDemand) { state.withLock { $0.demand = new } }

  func set(isObserved new: Bool) { state.withLock { $0.isObserved = new } }

  /// Updates the demand in the state.
  /// - Returns: The message to send; nil if the demand is unchanged.
  func change(_ client: inout ClientState) -> ClientMessage? {
    let wanted = state.withLock { $0.isObserved ? $0.demand : .none }
    guard client.demand != wanted else { return nil }
    client.demand = wanted
    // The next demand begins with a new estimate.
    if wanted.isEmpty { client.latest = nil }
    return .demand(wanted)
  }
}
