import HostProtocol
import Monitoring
import Quantities

/// Monitoring of one application as a host runs it: events are on the disk before they are delivered.
package protocol ApplicationMonitoring: MonitoringHost {
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

/// Where the monitoring of applications comes from.
package protocol MonitoringJournals: Sendable {
  /// The number of the journal of an application whose monitoring is open: another one wherever events may be
  /// numbered anew.
  func journal(of key: ApplicationKey) -> UInt64
  /// The applications of which something is stored.
  func applications() -> [ApplicationKey]
  /// Removes an application whose monitoring was closed.
  func remove(_ key: ApplicationKey)
  /// The monitoring of an application, with what was stored of it.
  /// - Throws: `HostFault` where it cannot be opened.
  func monitoring(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(HostFault) -> any ApplicationMonitoring
}
