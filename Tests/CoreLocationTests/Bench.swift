import Beacons
import CoreLocation
import Engine
import Monitoring
import MonitoringStore
import Quantities
import ScriptedSource

/// A scripted source with services over it, and managers that belong to them.
struct Bench: Sendable {
  let publisher: ScriptedPublisher
  let clock = ScriptedClock()
  let services: LocationServices
  let openings = Locked(0)

  init(
    publisher: ScriptedPublisher = ScriptedPublisher(), isLive: Bool = true,
    store: LastFixStore? = nil, failure: SourceError? = nil,
    authority: any AccessAuthority = PolicyAuthority.permissive,
    beacons: BeaconService = BeaconService(),
    monitoring: (@Sendable () -> any MonitoringHost)? = nil
  ) {
    self.publisher = publisher
    let clock = self.clock
    let openings = self.openings
    services = LocationServices(
      opening: SourceOpening(isLive: isLive) { () throws(SourceError) in
        openings.withLock { $0 += 1 }
        if let failure { throw failure }
        return publisher
      }, store: store, clock: clock, authority: authority, beacons: beacons,
      monitoring: monitoring ?? { Self.monitoring(clock) })
  }

  /// Monitoring in memory by the bench's time.
  private static func monitoring(_ clock: ScriptedClock) -> any MonitoringHost {
    var options = MonitoringDesk.Options()
    options.clock = { UTCTime(clock.now()) ?? UTCTime(nanosecondsSince1970: 0) }
    do {
      return try MonitoringDesk(journal: nil, options: options)
    } catch {
      return MonitoringOpening.inMemory()
    }
  }

  /// Runs `body` with every manager that it makes belonging to this bench.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try LocationServices.$current.withValue(services, operation: body)
  }

  /// Makes a manager with a recorder as its delegate.
  func manager() -> (CLLocationManager, Recorder) {
    let manager = use { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager.withLock { $0 = manager }
    return (manager, recorder)
  }

  /// Waits until everything that was started or stopped so far has taken effect.
  func settle() { _ = services.isOpen }
}

/// Keeps what a delegate was told.
final class Recorder: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let kept = Locked<[String]>([])
  private let keptLocations = Locked<[[CLLocation]]>([])
  private let keptHeadings = Locked<[CLHeading]>([])
  let displaysCalibration = Locked(false)
  /// Kept alive as long as somebody looks at the record; a manager does not keep its delegate.
  let manager = Locked<CLLocationManager?>(nil)
  let onLocations = Locked<(@Sendable (CLLocationManager) -> Void)?>(nil)

  var events: [String] { kept.withLock { $0 } }
  var locations: [[CLLocation]] { keptLocations.withLock { $0 } }
  var headings: [CLHeading] { keptHeadings.withLock { $0 } }
  var errors: [String] { events.filter { $0.hasPrefix("error") } }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    kept.withLock { $0.append("location") }
    keptLocations.withLock { $0.append(locations) }
    onLocations.withLock { $0 }?(manager)
  }
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    kept.withLock { $0.append("heading") }
    keptHeadings.withLock { $0.append(newHeading) }
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    let code = (error as? CLError)?.code.rawValue ?? -1
    kept.withLock { $0.append("error \(code)") }
  }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    kept.withLock { $0.append("authorization \(manager.authorizationStatus.rawValue)") }
  }
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {
    note("finish \((error as? CLError).map { "\($0.code.rawValue)" } ?? "nil")")
  }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { note("pause") }
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { note("resume") }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("started \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note("entered \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note("exited \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { note("state \(state.rawValue) \(region.identifier)") }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    note("failed \(region?.identifier ?? "-") \((error as? CLError)?.code.rawValue ?? -1)")
  }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    note(visit.departureDate == .distantFuture ? "arrived" : "departed")
  }
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) { note("ranged \(beacons.map { "\($0.minor) \($0.proximity.rawValue)" })") }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) { note("ranging failed \((error as? CLError)?.code.rawValue ?? -1)") }
  private func note(_ event: String) { kept.withLock { $0.append(event) } }
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    kept.withLock { $0.append("calibration?") }
    return displaysCalibration.withLock { $0 }
  }
}

/// Waits until the condition holds.
/// - Returns: False where it has not come to hold after five seconds.
func eventually(_ condition: @Sendable () -> Bool) async throws -> Bool {
  for _ in 0..<1000 {
    if condition() { return true }
    try await Task.sleep(nanoseconds: 5_000_000)
  }
  return condition()
}

/// Waits until the main queue has done what it has been given so far.
func drainMainQueue() async {
  for _ in 0..<3 {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
