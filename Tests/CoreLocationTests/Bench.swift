import Board
import Configuration
import CoreLocation
import LinuxIO
import LocationHost
import Quantities
import Radio
import Recording
import ScriptedSource

/// A scripted source with a host, services and managers.
struct Bench: Sendable {
  let publisher: ScriptedPublisher
  let clock = ScriptedClock()
  let host: LocationHost
  let services: LocationServices
  let openings = Locked(0)

  init(
    publisher: ScriptedPublisher = ScriptedPublisher(), isLive: Bool = true,
    stateFolder: String? = nil, failure: SourceError? = nil, policy: Policy = Policy(),
    isInBackground: Bool = false, beacons: BeaconService = BeaconService()
  ) {
    self.publisher = publisher
    let openings = self.openings
    host = ScriptedHost.make(
      SourceOpening(isLive: isLive) { () throws(SourceError) in
        openings.withLock { $0 += 1 }
        if let failure { throw failure }
        return OpenedSource(publisher: publisher)
      }, clock: clock, access: ScriptedHost.access(policy), stateFolder: stateFolder,
      beacons: beacons)
    services = LocationServices(
      over: host, clock: clock, isInBackground: isInBackground, beacons: beacons)
  }

  /// Runs `body` so that managers made in it use this bench's services.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try LocationServices.$current.withValue(services, operation: body)
  }

  /// Makes a manager with a recorder as its delegate.
  func manager() -> (CLLocationManager, Recorder) {
    let manager = use { CLLocationManager() }
    let recorder = Recorder()
    manager.delegate = recorder
    recorder.manager = manager
    return (manager, recorder)
  }

  /// Waits until all starts and stops so far have taken effect.
  func waitUntilIdle() {
    _ = services.isOpen
    host.waitUntilIdle()
    _ = services.isOpen
  }
}

/// A delegate that records its events.
final class Recorder: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  private let kept = Locked<[String]>([])
  private let keptLocations = Locked<[[CLLocation]]>([])
  private let keptHeadings = Locked<[CLHeading]>([])
  let displaysCalibration = Locked(false)
  /// A strong reference to the delegate, because that of a manager is weak.
  var manager: CLLocationManager?
  let onLocations = Locked<(@Sendable (CLLocationManager) -> Void)?>(nil)

  var events: [String] { kept.withLock { $0 } }
  var locations: [[CLLocation]] { keptLocations.withLock { $0 } }
  var headings: [CLHeading] { keptHeadings.withLock { $0 } }
  var errors: [String] { events.filter { $0.hasPrefix("error") } }

  /// Called after each event was recorded, inside the delegate's call.
  let onEvent = Locked<(@Sendable (String, CLLocationManager) -> Void)?>(nil)

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    keptLocations.withLock { $0.append(locations) }
    record("location", manager)
    onLocations.withLock { $0 }?(manager)
  }
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    keptHeadings.withLock { $0.append(newHeading) }
    record("heading", manager)
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    record("error \((error as? CLError)?.code.rawValue ?? -1)", manager)
  }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    record("authorization \(manager.authorizationStatus.rawValue)", manager)
  }
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {
    record("finish \((error as? CLError).map { "\($0.code.rawValue)" } ?? "nil")", manager)
  }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    record("pause", manager)
  }
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    record("resume", manager)
  }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    record("started \(region.identifier)", manager)
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    record("entered \(region.identifier)", manager)
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    record("exited \(region.identifier)", manager)
  }
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { record("state \(state.rawValue) \(region.identifier)", manager) }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    let code = (error as? CLError)?.code.rawValue ?? -1
    record("failed \(region?.identifier ?? "-") \(code)", manager)
  }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    record(visit.departureDate == .distantFuture ? "arrived" : "departed", manager)
  }
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) { record("ranged \(beacons.map { "\($0.minor) \($0.proximity.rawValue)" })", manager) }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) { record("ranging failed \((error as? CLError)?.code.rawValue ?? -1)", manager) }
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    record("calibration?", manager)
    return displaysCalibration.withLock { $0 }
  }
  private func record(_ event: String, _ manager: CLLocationManager) {
    kept.withLock { $0.append(event) }
    onEvent.withLock { $0 }?(event, manager)
  }
}

/// Waits until the condition is true.
/// - Returns: False after a timeout of 30 s.
func eventually(_ condition: @Sendable () -> Bool) async throws -> Bool {
  for _ in 0..<6000 {
    if condition() { return true }
    try await Task.sleep(nanoseconds: 5_000_000)
  }
  return condition()
}

/// Waits until the main queue has run all work submitted so far.
func drainMainQueue() async {
  for _ in 0..<3 {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
