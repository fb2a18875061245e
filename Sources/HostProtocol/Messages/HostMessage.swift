public import Monitoring
public import Quantities

/// What the daemon says.
public enum HostMessage: Equatable, Sendable {
  /// The answer to `hello`.
  case welcome(HostWelcome)
  /// An estimate.
  case estimate(Estimate)
  /// What the sensors tell of one instant, along their own axes: inertial unit, magnetometer and barometer.
  case samples(SensorSamples)
  /// Another source stands behind the estimates, or none.
  case source(SourceDescription)
  /// The answer to `look`.
  case looked(id: UInt64, SourceDescription)
  /// The last fix of this machine by the access of now, after a change of the access.
  case lastFix(Estimate)
  /// The calibration stands otherwise.
  case calibration(CalibrationReport)
  /// The application may something else than before.
  case access(GrantedAccess)
  /// An event of monitoring; it comes again after a reconnection until it is acknowledged.
  case event(MonitoringEvent)
  /// The number of the journal from which events come from now on. Another one than before: what was kept is
  /// lost, and events' numbers begin anew.
  case journal(UInt64)
  /// Something that people are to be told.
  case notice(String)
  /// A request is done, or refused.
  case done(id: UInt64, HostFault?)
  /// What the application has asked of monitoring.
  case registrations(id: UInt64, MonitoringRegistrations)
  /// The connection ends because of something that the client did.
  case refused(HostFault)
  /// The daemon ends.
  case goodbye(String)
  /// A type that this version does not know; it is left aside.
  case unknown(type: String)
}

/// The daemon's answer to `hello`.
public struct HostWelcome: Equatable, Sendable {
  /// The version that both speak.
  public var version: Int
  /// The daemon's process.
  public var pid: Int32
  /// What stands behind the estimates.
  public var source: SourceDescription
  /// What the application may.
  public var access: GrantedAccess
  /// How the calibration stands; nil where there is nothing to calibrate.
  public var calibration: CalibrationReport?
  /// The last fix of this machine, maybe of an earlier run; nil for none, and where the application may not.
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
