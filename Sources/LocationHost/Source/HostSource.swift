import Engine
import Formats
import HostProtocol
import Monitoring
import Quantities

/// Where a host's estimates come from: a board that is looked for all the time, or a source that is opened while a
/// client needs it. Safe from any thread.
package protocol HostSource: AnyObject, Sendable {
  /// What stands behind the estimates now.
  var source: SourceDescription { get }
  /// The calibrator of what is open; nil where there is nothing to calibrate.
  var calibrator: (any FieldCalibrator)? { get }
  /// The newest estimate of what is open; nil before the first.
  var latest: Estimate? { get }
  /// One line for people.
  var status: String { get }
  /// Whether the engine works: it takes samples in, or waits for a sensor as it should.
  var isAlive: Bool { get }
  /// Begins.
  func start()
  /// Ends the source; what was found of a calibration is stored when it returns.
  func stop()
  /// Opens the source where it is opened for clients, to learn what it has.
  func look() -> SourceDescription
  /// What all clients together need.
  /// - Parameters:
  ///   - demand: How often the receiver has to report a fix.
  ///   - isNeeded: Whether any client needs the source.
  ///   - wantsSamples: Whether any client wants raw samples.
  func set(_ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool)
}

/// What a source reports, on threads of its own: hand over and return.
package struct SourceEvents: Sendable {
  var estimate: @Sendable (Estimate) -> Void
  var row: @Sendable (SensorSamples) -> Void
  var source: @Sendable (SourceDescription) -> Void
  var calibration: @Sendable () -> Void
  var notice: @Sendable (String) -> Void

  /// Makes the receiver of a source's events.
  package init(
    estimate: @escaping @Sendable (Estimate) -> Void,
    row: @escaping @Sendable (SensorSamples) -> Void = { _ in },
    source: @escaping @Sendable (SourceDescription) -> Void,
    calibration: @escaping @Sendable () -> Void, notice: @escaping @Sendable (String) -> Void
  ) {
    (self.estimate, self.row, self.source) = (estimate, row, source)
    (self.calibration, self.notice) = (calibration, notice)
  }
}

extension SourceDescription {
  /// What a publisher has.
  init(_ publisher: any EstimatePublisher, isLive: Bool) {
    let mount = publisher.mounting
    self.init(
      isOpen: true, hasMagnetometer: publisher.hasMagnetometer,
      hasReceiver: publisher.hasReceiver, isSimulated: publisher.isSimulated,
      isLive: isLive && !publisher.isSimulated,
      mounting: [mount.w, mount.v.x, mount.v.y, mount.v.z],
      position: publisher.positionSource.map { Position($0) })
  }
}

extension SourceDescription.Position {
  fileprivate init(_ source: PositionSource) {
    switch source {
    case .receiver(let place): self = .receiver(place)
    case .recording(let path): self = .recording(path)
    case .simulation: self = .simulation
    }
  }
}
