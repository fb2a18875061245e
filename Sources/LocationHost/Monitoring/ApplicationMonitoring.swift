import HostProtocol
import Monitoring
import Quantities

/// The monitoring of one application. Events are stored before they are delivered.
package protocol ApplicationMonitoring: MonitoringHost {
  /// Changes the rules; earlier events and states remain.
  func use(_ configuration: MonitoringConfiguration)
  /// Processes a fix that arrived at a time of the machine's clock.
  func process(_ fix: PlaceFix, at arrival: UTCTime?)
  /// Processes a scanner's report of a beacon.
  func process(_ report: BeaconReport, at time: UTCTime)
  /// Advances the time.
  func advance(to time: UTCTime)
  /// Moves the deadlines by a step of the machine's clock, seconds.
  func clockWasSet(by seconds: Double)
  /// The next time at which `advance` has something to do; nil if there is none.
  var nextDeadline: UTCTime? { get }
  /// The events that are not acknowledged, including those of closed monitors.
  var pending: [MonitoringEvent] { get }
  /// The reason why the last change is not stored; nil if it is.
  var keepingFault: String? { get }
  /// Why a command exceeds the application's budget; nil where it does not.
  func excess(of command: MonitoringCommand) -> MonitoringBudget.Excess?
  /// The bytes of the stored state, as estimated.
  var storedBytes: Int { get }
  /// The fixes that monitoring needs.
  var demand: FixDemand { get }
  /// The beacons to watch.
  var beaconPatterns: Set<BeaconPattern> { get }
  /// Returns after all input is processed, stored and delivered.
  func waitUntilIdle()
  /// Stores everything and ends.
  func close()
}

/// Opens and removes the monitoring of applications.
package protocol MonitoringJournals: Sendable {
  /// The journal number of an application whose monitoring is open. It changes when event numbers
  /// begin anew.
  func journal(of key: ApplicationKey) -> UInt64
  /// The applications with a stored journal.
  func applications() -> [ApplicationKey]
  /// Removes the journal of an application whose monitoring is closed.
  func remove(_ key: ApplicationKey)
  /// Opens the monitoring of an application with its stored state.
  /// - Throws: `HostFault` if it cannot be opened.
  func monitoring(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(HostFault) -> any ApplicationMonitoring
}
