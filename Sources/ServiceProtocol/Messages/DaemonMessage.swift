public import Monitoring
public import Quantities

/// What the daemon says.
public enum DaemonMessage: Equatable, Sendable {
  /// The answer to `hello`.
  case welcome(DaemonWelcome)
  /// An estimate.
  case estimate(Estimate)
  /// What the sensors tell of one instant, along their own axes: inertial unit, magnetometer and barometer.
  case samples(ServedSamples)
  /// Another source stands behind the estimates, or none.
  case source(ServedSource)
  /// The calibration stands otherwise.
  case calibration(CalibrationReport)
  /// The application may something else than before.
  case access(ServedAccess)
  /// An event of monitoring; it comes again after a reconnection until it is acknowledged.
  case event(MonitoringEvent)
  /// The number of the journal from which events come from now on. Another one than before: what was kept is
  /// lost, and events' numbers begin anew.
  case journal(UInt64)
  /// Something that people are to be told.
  case notice(String)
  /// A request is done, or refused.
  case done(id: UInt64, ServiceFault?)
  /// What the application has asked of monitoring.
  case registrations(id: UInt64, MonitoringRegistrations)
  /// The connection ends because of something that the client did.
  case refused(ServiceFault)
  /// The daemon ends.
  case goodbye(String)
  /// A type that this version does not know; it is left aside.
  case unknown(type: String)
}

/// The daemon's answer to `hello`.
public struct DaemonWelcome: Equatable, Sendable {
  /// The version that both speak.
  public var version: Int
  /// The daemon's process.
  public var pid: Int32
  /// What stands behind the estimates.
  public var source: ServedSource
  /// What the application may.
  public var access: ServedAccess
  /// How the calibration stands; nil where there is nothing to calibrate.
  public var calibration: CalibrationReport?
  /// The last fix of this machine, maybe of an earlier run; nil for none, and where the application may not.
  public var lastFix: Estimate?

  /// Makes a welcome.
  public init(
    version: Int, pid: Int32, source: ServedSource, access: ServedAccess,
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
