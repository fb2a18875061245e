import Quantities
import Recording

/// Something that publishes estimates: a simulated board, a recording played at its own pace, later
/// the attached board or the daemon.
///
/// A slow observer misses estimates and never delays them: it is handed the newest.
public protocol EstimatePublisher: AnyObject, Sendable {
  /// True where a magnetometer stands behind the estimates.
  var hasMagnetometer: Bool { get }
  /// True where a receiver stands behind the estimates.
  var hasReceiver: Bool { get }
  /// True where no sensor stands behind the estimates.
  var isSimulated: Bool { get }
  /// The newest estimate; nil before the first.
  var latest: Estimate? { get }
  /// The calibration of the magnetometer; nil where there is nothing to calibrate.
  var calibrator: (any FieldCalibrator)? { get }
  /// Wants less of the receiver, or all of it again.
  func setReceiverDemand(_ demand: ReceiverDemand)
  /// Calls `body` for every estimate from now on, on the publisher's own thread: hand over and return.
  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation
  /// Where positions come from; nil where nobody says.
  var positionSource: PositionSource? { get }
  /// From the axes that samples are told along to the body's, as far as it is known.
  var mounting: Rotation<SensorFrame, BodyFrame> { get }
  /// Calls `body` for every instant's samples from now on, as the sensors told them, on the publisher's own
  /// thread: hand over and return. A publisher without samples never calls.
  func observeRows(_ body: @escaping @Sendable (SensorRow) -> Void) -> Observation
}

/// Where a publisher's positions come from.
public enum PositionSource: Hashable, Sendable {
  /// A receiver: its serial device, or the address of the gpsd daemon that has it.
  case receiver(String)
  /// A recording, by its path.
  case recording(String)
  /// A simulated receiver.
  case simulation
}

extension EstimatePublisher {
  /// Nothing to calibrate.
  public var calibrator: (any FieldCalibrator)? { nil }
  /// There is no receiver that could rest.
  public func setReceiverDemand(_ demand: ReceiverDemand) {}
  /// Nobody says.
  public var positionSource: PositionSource? { nil }
  /// x forward, y left, z up.
  public var mounting: Rotation<SensorFrame, BodyFrame> { AxisMount.standard.rotation }
  /// No samples.
  public func observeRows(_ body: @escaping @Sendable (SensorRow) -> Void) -> Observation {
    Observation {}
  }
}

/// Keeps an observer registered until it is cancelled or released.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation that runs `end` once it is over.
  public init(onEnd end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the observation; a second call does nothing that matters.
  public func cancel() { end() }

  deinit { end() }
}
