public import Engine
public import Quantities
import Synchronization

/// The daemon's estimates. While nobody observes, none are asked for.
public final class HostPublisher: EstimatePublisher {
  private let client: HostClient
  private let remote: HostCalibrator

  init(client: HostClient) {
    self.client = client
    remote = HostCalibrator(client: client)
  }

  /// What is wanted of the estimates while somebody observes: all of them unless told otherwise. It is the whole
  /// connection's.
  public func setDemand(_ demand: EstimateDemand) {
    let core = client.core
    core.request.set(demand: demand)
    core.send { core.request.change(&$0) }
  }

  /// Tells the daemon how often a fix is needed.
  public func setReceiverDemand(_ demand: ReceiverDemand) {
    var wanted = EstimateDemand.all
    switch demand {
    case .continuous: break
    case .every(let seconds): wanted.fixInterval = seconds
    case .none: wanted.fixes = false
    }
    setDemand(wanted)
  }

  /// True where a magnetometer stands behind the estimates now.
  public var hasMagnetometer: Bool { client.source.hasMagnetometer }
  /// True where a receiver stands behind the estimates now.
  public var hasReceiver: Bool { client.source.hasReceiver }
  /// True where no sensor stands behind the estimates.
  public var isSimulated: Bool { client.source.isSimulated }
  /// True where sensors measure now: false for a simulation and for a recording.
  public var isLive: Bool { client.source.isLive }
  /// The newest estimate that was asked for; nil before the first.
  public var latest: Estimate? { client.core.withState { $0.latest } }
  /// The calibration of the daemon's magnetometer; nil where there is none.
  public var calibrator: (any FieldCalibrator)? { hasMagnetometer ? remote : nil }

  /// Calls `body` for every estimate from now on, on the connection's thread.
  public func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    // The observation keeps the connection.
    let observation = client.core.estimates.add(body)
    return Observation { [self] in
      _ = self
      observation.cancel()
    }
  }

  /// Calls `body` whenever the calibration stands otherwise, on the connection's thread.
  public func observeCalibration(_ body: @escaping @Sendable () -> Void) -> Observation {
    client.core.calibrations.add { _ in body() }
  }

  /// From the axes of the daemon's samples to the body's.
  public var mounting: Rotation<SensorFrame, BodyFrame> {
    let parts = client.source.mounting ?? []
    guard parts.count == 4,
      let rotation = Rotation<SensorFrame, BodyFrame>(
        w: parts[0], x: parts[1], y: parts[2], z: parts[3])
    else { return AxisMount.standard.rotation }
    return rotation
  }

  /// Where the daemon's positions come from.
  public var positionSource: PositionSource? {
    switch client.source.position {
    case .receiver(let place): .receiver(place)
    case .recording(let path): .recording(path)
    case .simulation: .simulation
    case nil: nil
    }
  }

  /// Calls `body` for every instant's samples from now on, on the connection's thread.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    // The observation keeps the connection.
    let observation = client.core.rows.add(body)
    return Observation { [self] in
      _ = self
      observation.cancel()
    }
  }
}

/// The demand of a publisher while somebody observes it.
final class EstimateRequest: Sendable {
  private struct State {
    var demand = EstimateDemand.all
    var isObserved = false
  }
  private let state = Mutex(State())

  func set(demand new: EstimateDemand) { state.withLock { $0.demand = new } }

  func set(isObserved new: Bool) { state.withLock { $0.isObserved = new } }

  /// Puts the demand into the state.
  /// - Returns: The message to send; nil where the demand is the same.
  func change(_ client: inout ClientState) -> ClientMessage? {
    let wanted = state.withLock { $0.isObserved ? $0.demand : .none }
    guard client.demand != wanted else { return nil }
    client.demand = wanted
    return .demand(wanted)
  }
}
