import Board
import Formats
import Observers
import Quantities

/// A publisher of estimates: a simulated board, a recording, the attached board or the daemon.
///
/// A slow observer misses estimates and never delays them.
public protocol EstimatePublisher: AnyObject, Sendable {
  /// True if the source has a magnetometer.
  var hasMagnetometer: Bool { get }
  /// True if the board file has another compass, whose headings are used without a magnetometer.
  var hasCompass: Bool { get }
  /// True if the source has a receiver.
  var hasReceiver: Bool { get }
  /// True if the samples are simulated.
  var isSimulated: Bool { get }
  /// The newest estimate; nil before the first.
  var latest: Estimate? { get }
  /// The calibration of the magnetometer; nil if there is nothing to calibrate.
  var calibrator: (any FieldCalibrator)? { get }
  /// Sets how many fixes are needed from the receiver.
  func setReceiverDemand(_ demand: ReceiverDemand)
  /// Calls `body` with every estimate from now on, on the publisher's own thread; `body` must not
  /// block.
  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation
  /// The source of positions; nil if unknown.
  var positionOrigin: PositionOrigin? { get }
  /// The devices of this machine that it reads: buses and ports.
  var devices: [String] { get }
  /// The quantities that its sensors measure (`ChipModel.Quantity`); nil if they are not known
  /// before the first sample, as those of a recording.
  var sensors: [String]? { get }
  /// From the axes of the samples to the body's, as far as known.
  var mounting: Rotation<SensorFrame, BodyFrame> { get }
  /// Calls `body` with every row of raw samples from now on, on the publisher's own thread; `body`
  /// must not block. A publisher without samples never calls it.
  func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation
  /// Calls `body` with what the receiver sends beyond fixes from now on, on threads of the
  /// publisher; `body` must not block. It is collected only while there is an observer. A publisher
  /// without a receiver never calls it.
  func observeReceiver(_ body: @escaping @Sendable (ReceiverOutput) -> Void) -> Observation
}

/// The source of a publisher's positions.
public enum PositionOrigin: Hashable, Sendable {
  /// A receiver: its serial device, or the address of its gpsd daemon.
  case receiver(String)
  /// A recording, by its path.
  case recording(String)
  /// A simulated receiver.
  case simulation
}

extension EstimatePublisher {
  /// No compass.
  public var hasCompass: Bool { false }
  /// Nothing to calibrate.
  public var calibrator: (any FieldCalibrator)? { nil }
  /// Does nothing: there is no receiver.
  public func setReceiverDemand(_ demand: ReceiverDemand) {}
  /// None.
  public var devices: [String] { [] }
  /// Not known.
  public var sensors: [String]? { nil }
  /// Unknown.
  public var positionOrigin: PositionOrigin? { nil }
  /// x forward, y left, z up.
  public var mounting: Rotation<SensorFrame, BodyFrame> { AxisMount.standard.rotation }
  /// No samples.
  public func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    Observation {}
  }
  /// No output.
  public func observeReceiver(
    _ body: @escaping @Sendable (ReceiverOutput) -> Void
  ) -> Observation { Observation {} }
}
