import Monitoring
import Quantities
import ServiceProtocol

/// Monitoring of one application as the daemon runs it: kept on the disk before anybody hears of it.
package protocol ApplicationDesk: MonitoringHost {
  /// Goes on by other rules: what was decided stays decided.
  func use(_ configuration: MonitoringConfiguration)
  /// Takes a fix.
  func process(_ fix: PlaceFix)
  /// Takes what a scanner says of a beacon.
  func process(_ report: BeaconReport, at time: UTCTime)
  /// Lets time pass.
  func advance(to time: UTCTime)
  /// The events that were not acknowledged, those of closed monitors included.
  var pending: [MonitoringEvent] { get }
  /// Why what was done last is not on the disk; nil where it is.
  var keepingFault: String? { get }
  /// How often a fix is needed.
  var demand: FixDemand { get }
  /// The beacons that have to be listened for.
  var beaconPatterns: Set<BeaconPattern> { get }
  /// Returns once all that was put in is kept and handed over.
  func settle()
  /// Keeps everything now and ends.
  func close()
}

/// Where desks come from.
package protocol DeskSource: Sendable {
  /// The number of the journal of an application whose desk is open: another one wherever events may be
  /// numbered anew.
  func journal(of key: ApplicationKey) -> UInt64
  /// The applications of which something is kept.
  func applications() -> [ApplicationKey]
  /// Forgets an application whose desk was closed.
  func remove(_ key: ApplicationKey)
  /// The desk of an application; what was kept of it is taken up.
  /// - Throws: `ServiceFault` where it cannot be opened.
  func desk(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(ServiceFault) -> any ApplicationDesk
}
