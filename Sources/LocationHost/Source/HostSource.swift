import Board
import Formats
import HostProtocol
import Monitoring
import Pipeline
import Quantities

/// The source of a host's estimates: always open, or open only while a client needs it. Safe from
/// any thread.
package protocol HostSource: AnyObject, Sendable {
  /// The current source.
  var source: SourceDescription { get }
  /// The calibrator of the open source; nil if it has none.
  var calibrator: (any FieldCalibrator)? { get }
  /// The newest estimate of the open source; nil before the first.
  var latest: Estimate? { get }
  /// The state in one line, for log messages.
  var status: String { get }
  /// The devices of the open board, or of the simulated one; nil for other sources.
  var boardStatus: BoardStatus? { get }
  /// Whether the engine works: it processes samples, or waits for a sensor.
  var isAlive: Bool { get }
  func start()
  /// Closes the source; its calibration is stored when this returns.
  func stop()
  /// Describes the source's sensors. A source that is not always open is opened for this.
  func describeSensors() -> SourceDescription
  /// Sets the combined demand of all clients.
  /// - Parameters:
  ///   - demand: The demand for fixes of the receiver.
  ///   - isNeeded: Whether any client needs the source.
  ///   - wantsSamples: Whether any client needs raw samples.
  ///   - wantsReceiver: Whether any client needs what the receiver sends beyond fixes.
  ///   - activity: The kind of motion that the clients have in common; `other` for none.
  func set(
    _ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool, wantsReceiver: Bool,
    activity: Activity)
}

extension HostSource {
  package var boardStatus: BoardStatus? { nil }
}

/// The receiver of a source's events. It is called on the source's threads and must return at once.
package struct SourceEvents: Sendable {
  var estimate: @Sendable (Estimate) -> Void
  var row: @Sendable (SensorSamples) -> Void
  var receiver: @Sendable (ReceiverOutput) -> Void
  var source: @Sendable (SourceDescription) -> Void
  var calibration: @Sendable () -> Void
  var notice: @Sendable (String) -> Void

  package init(
    estimate: @escaping @Sendable (Estimate) -> Void,
    row: @escaping @Sendable (SensorSamples) -> Void = { _ in },
    receiver: @escaping @Sendable (ReceiverOutput) -> Void = { _ in },
    source: @escaping @Sendable (SourceDescription) -> Void,
    calibration: @escaping @Sendable () -> Void, notice: @escaping @Sendable (String) -> Void
  ) {
    (self.estimate, self.row, self.receiver, self.source) = (estimate, row, receiver, source)
    (self.calibration, self.notice) = (calibration, notice)
  }
}

extension SourceDescription {
  /// The description of a publisher.
  init(_ publisher: any EstimatePublisher, isLive: Bool) {
    let mount = publisher.mounting
    self.init(
      isOpen: true, hasMagnetometer: publisher.hasMagnetometer,
      hasReceiver: publisher.hasReceiver, isSimulated: publisher.isSimulated,
      isLive: isLive && !publisher.isSimulated,
      mounting: [mount.w, mount.v.x, mount.v.y, mount.v.z],
      position: publisher.positionOrigin.map { Position($0) })
    if publisher.hasCompass { hasCompass = true }
    devices = publisher.devices
    sensors = publisher.sensors
  }
}

extension SourceDescription.Position {
  fileprivate init(_ source: PositionOrigin) {
    switch source {
    case .receiver(let place): self = .receiver(place)
    case .recording(let path): self = .recording(path)
    case .simulation: self = .simulation
    }
  }
}
