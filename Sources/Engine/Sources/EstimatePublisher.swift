import Quantities

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
  /// Calls `body` for every estimate from now on, on the publisher's own thread: hand over and return.
  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation
}

extension EstimatePublisher {
  /// Nothing to calibrate.
  public var calibrator: (any FieldCalibrator)? { nil }
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
