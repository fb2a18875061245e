public import Board
public import Monitoring
public import Quantities

/// A message of the host.
public enum HostMessage: Equatable, Sendable {
  /// The response to `hello`.
  case welcome(HostWelcome)
  /// An estimate.
  case estimate(Estimate)
  /// The samples of one instant in sensor axes: inertial unit, magnetometer and barometer.
  case samples(SensorSamples)
  /// What the receiver sends beyond fixes.
  case receiver(ReceiverOutput)
  /// The source of the estimates has changed.
  case source(SourceDescription)
  /// The response to `look`.
  case looked(id: UInt64, SourceDescription)
  /// The last fix of this machine, reduced to the new access, after a change of the access.
  case lastFix(Estimate)
  /// The calibration has changed.
  case calibration(CalibrationReport)
  /// The application's access has changed.
  case access(GrantedAccess)
  /// An event of monitoring. It is sent again after a reconnection until it is acknowledged.
  case event(MonitoringEvent)
  /// The number of the journal from which events come from now on. A different number means that
  /// stored events are lost and that event numbers restart.
  case journal(UInt64)
  /// A notice for the user.
  case notice(String)
  /// A request is done, or was refused.
  case done(id: UInt64, HostFault?)
  /// The stored calibrations.
  case profiles(id: UInt64, ProfileReport)
  /// The application's registrations.
  case registrations(id: UInt64, MonitoringRegistrations)
  /// The host closes the connection because of the client's message.
  case refused(HostFault)
  /// The daemon ends.
  case goodbye(String)
  /// An unknown type; it is ignored.
  case unknown(type: String)
}

/// The host's response to `hello`.
public struct HostWelcome: Equatable, Sendable {
  /// The version that both sides use.
  public var version: Int
  /// The host's process.
  public var pid: Int32
  /// The source of the estimates.
  public var source: SourceDescription
  /// The application's access.
  public var access: GrantedAccess
  /// The calibration; nil without a magnetometer.
  public var calibration: CalibrationReport?
  /// The last fix of this machine, possibly of an earlier run; nil if there is none or the
  /// application has no access.
  public var lastFix: Estimate?

  /// Makes a welcome.
  public init(
    version: Int, pid: Int32, source: SourceDescription, access: GrantedAccess,
    calibration: CalibrationReport?, lastFix: Estimate?
  ) {
    self.version = version
    self.pid = pid
    self.source = source
    self.access = access
    self.calibration = calibration
    self.lastFix = lastFix
  }
}
