/// What stands behind the daemon's estimates.
public struct ServedSource: Codable, Equatable, Sendable {
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

  /// Makes a source of which nothing is known yet.
  public init(
    isOpen: Bool = false, hasMagnetometer: Bool = false, hasReceiver: Bool = false,
    isSimulated: Bool = false, isLive: Bool = true, fault: String? = nil
  ) {
    self.isOpen = isOpen
    self.hasMagnetometer = hasMagnetometer
    self.hasReceiver = hasReceiver
    self.isSimulated = isSimulated
    self.isLive = isLive
    self.fault = fault
  }
}
