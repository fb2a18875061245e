/// What stands behind the daemon's estimates.
public struct SourceDescription: Codable, Equatable, Sendable {
  /// True where a board is open, or a recording or simulation plays; false while sensors are waited for.
  public var isOpen: Bool
  /// True where a magnetometer stands behind the estimates.
  public var hasMagnetometer: Bool
  /// True where a receiver stands behind the estimates.
  public var hasReceiver: Bool
  /// True where no sensor stands behind the estimates.
  public var isSimulated: Bool
  /// True where sensors measure now: false for a simulation and for a recording.
  public var isLive: Bool
  /// What is missing and what to do, while nothing is open.
  public var fault: String?
  /// Why nothing is open at a host that opens the source for its clients; nil at a host that looks for sensors by
  /// itself, and while a source is open.
  public var failure: Failure?
  /// From the samples' axes to the body's, as a quaternion w, x, y, z; nil where it is unknown.
  public var mounting: [Double]?
  /// The origin of the positions; nil where it is unknown.
  public var position: Position?

  /// Kinds of failures to open a source.
  public enum Failure: String, Codable, Sendable {
    /// It may succeed later: a sensor is attached, a bus becomes free.
    case passing
    /// It cannot succeed: a recording that is no recording.
    case lasting
  }

  /// Origins of positions.
  public enum Position: Codable, Equatable, Sendable {
    /// A receiver, by its serial device or the address of the gpsd that has it.
    case receiver(String)
    /// A recording, by its path.
    case recording(String)
    /// A simulated receiver.
    case simulation
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
