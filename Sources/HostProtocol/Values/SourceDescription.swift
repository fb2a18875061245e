package import Board
package import ReceiverProtocols

/// The source of a host's estimates.
public struct SourceDescription: Codable, Equatable, Sendable {
  /// True if a board is open, or a recording or simulation plays; false while the host waits for
  /// sensors.
  public var isOpen: Bool
  /// True if the source has a magnetometer.
  public var hasMagnetometer: Bool
  /// True if another compass gives headings; nil from a host that has none or does not report it.
  public var hasCompass: Bool?
  /// The source provides headings.
  package var hasHeading: Bool { hasMagnetometer || hasCompass == true }
  /// True if the source has a receiver.
  public var hasReceiver: Bool
  /// True if the estimates do not come from sensors.
  public var isSimulated: Bool
  /// True if sensors measure now: false for a simulation and for a recording.
  public var isLive: Bool
  /// What is missing and the remedy, while no source is open.
  public var fault: String?
  /// Why no source is open, at a host that opens the source for its clients; nil while a source is
  /// open, and at a host that searches for sensors itself.
  public var failure: Failure?
  /// The rotation from the samples' axes to the body's, a quaternion w, x, y, z; nil if unknown.
  public var mounting: [Double]?
  /// The origin of the positions; nil if unknown.
  public var position: Position?
  /// The devices of the open board that are not in service or unsteady; nil for none and from a
  /// host that does not report them.
  package var troubles: [DeviceTrouble]?
  /// What the receiver reports of trouble; nil without a receiver and from a host that does not
  /// report it.
  package var receiver: ReceiverCondition?
  /// Several sources of positions, compared; nil for one alone and from a host that does not report
  /// them.
  package var receivers: [Receiver]?

  /// Kinds of failures to open a source.
  public enum Failure: String, Codable, Sendable {
    /// Opening may succeed later: a sensor is attached, a bus becomes free.
    case passing
    /// Opening cannot succeed: the file is not a recording.
    case lasting
  }

  /// Why the host does not store its state, or a part of it, in one line with the remedy; nil where
  /// it does.
  public var storageFault: String?

  /// True where the host stores calibrations of the source, by `ProfileOrder`; nil from a host that
  /// does not report it.
  public var storesCalibrations: Bool?
  /// The devices that the source reads: buses and ports; nil where they are unknown.
  public var devices: [String]?
  /// The quantities that the sensors of the source measure: field, inertia, pressure; nil where
  /// they are not known, as those of a recording, and from a host that does not report them.
  public var sensors: [String]?

  /// Origins of positions.
  public enum Position: Codable, Equatable, Sendable {
    /// A receiver, by its serial device or its gpsd's address.
    case receiver(String)
    /// A recording, by its path.
    case recording(String)
    /// A simulated receiver.
    case simulation
  }

  /// The same source with all devices in service: troubles, comparisons and the receiver's condition
  /// change often, and the source stays the same.
  package var withoutTroubles: SourceDescription {
    var source = self
    (source.troubles, source.receiver, source.receivers) = (nil, nil, nil)
    return source
  }

  /// Makes a description of an unknown source.
  public init(
    isOpen: Bool = false, hasMagnetometer: Bool = false, hasReceiver: Bool = false,
    isSimulated: Bool = false, isLive: Bool = true, fault: String? = nil, failure: Failure? = nil,
    mounting: [Double]? = nil, position: Position? = nil
  ) {
    self.isOpen = isOpen
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
    self.isLive = isLive
    self.fault = fault
    self.failure = failure
    self.mounting = mounting
    self.position = position
  }
}
