/// Starts and stops location services and tells a delegate what they find.
///
/// The delegate is called where the manager was made: on the main queue for a manager made on the main
/// thread or in a task, else on the run loop of the thread that made it, which has to run. It is
/// never called from inside a call of the program.
open class CLLocationManager: NSObject {
  package internal(set) var session: ManagerSession

  /// Makes a manager that has started nothing.
  public override init() {
    session = ManagerSession(services: .current, context: .current())
    super.init()
    session.belong(to: self)
  }

  deinit { session.close() }

  // MARK: Delegate

  /// Hears what happens; not kept alive. Its authorization is the first thing that it hears.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { session.delegate = delegate }
  }

  // MARK: Standard location service

  /// Starts a stream of locations. The last known one comes first, with the time when it was taken.
  open func startUpdatingLocation() { session.startUpdatingLocation() }

  /// Ends the stream of locations; no location is delivered after this but those that were deferred.
  open func stopUpdatingLocation() { session.stopUpdatingLocation() }

  /// Asks for one location: one `didUpdateLocations`, or one `didFailWithError` after about ten
  /// seconds without any. While the stream runs it does nothing;
  /// starting or stopping the stream ends the request.
  open func requestLocation() { session.requestLocation() }

  /// The newest location of this program, else the last one of this machine; nil where there is none.
  open var location: CLLocation? { session.services.lastKnownLocation() }

  /// Metres to move from the last delivered location until the next is delivered.
  open var distanceFilter: CLLocationDistance {
    get { session.location.distanceFilter }
    set { session.setDistanceFilter(newValue) }
  }

  /// What accuracy is wanted: a hint, and what `requestLocation` waits for.
  open var desiredAccuracy: CLLocationAccuracy {
    get { session.location.desiredAccuracy }
    set { session.setDesiredAccuracy(newValue) }
  }

  /// What moves: a cue for when updates may pause.
  open var activityType: CLActivityType {
    get { session.activity }
    set { session.setActivity(newValue) }
  }

  /// Whether updates may pause while nothing moves. After `locationManagerDidPauseLocationUpdates` it is
  /// the program that starts them again, unless the policy says `resumesAutomatically`.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { session.pausesAutomatically }
    set { session.setPausesAutomatically(newValue) }
  }

  /// Whether fixes are kept for the program while it is stopped (`SIGSTOP`, `SIGTSTP`): the daemon queues
  /// them under a lease and hands them over when the program goes on. Without the daemon it has no effect.
  open var allowsBackgroundLocationUpdates: Bool {
    get { session.allowsBackground }
    set { session.setAllowsBackground(newValue) }
  }

  /// Whether a status bar shows background use; kept: there is none.
  open var showsBackgroundLocationIndicator = false

  /// Keeps fixes back until the board has moved so far or so long has passed, then hands them over at
  /// once. Needs running updates, the best accuracy and no distance filter; `didFinishDeferredUpdates` comes
  /// exactly once for each call. A second call ends the first with `deferredCanceled`.
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) { session.allowDeferral(untilTraveled: distance, timeout: timeout) }

  /// Ends deferral with `deferredCanceled` and hands over what was kept back.
  open func disallowDeferredLocationUpdates() { session.disallowDeferral() }

  // MARK: Significant changes and visits

  /// Starts to tell of changes of 500 m and more, at most every five minutes; the last known place comes
  /// first. Outlives the program where the daemon serves it.
  open func startMonitoringSignificantLocationChanges() { session.startSignificantChanges() }

  /// Ends that.
  open func stopMonitoringSignificantLocationChanges() { session.stopSignificantChanges() }

  /// Starts to tell every manager of the program of visits. Outlives the program where the daemon serves it.
  open func startMonitoringVisits() { session.startVisits() }

  /// Ends that, for every manager of the program.
  open func stopMonitoringVisits() { session.stopVisits() }

  // MARK: Regions

  /// Monitors a region for every manager of the program, over restarts; one of the same identifier is
  /// replaced. At most 20 regions and conditions a program.
  open func startMonitoring(for region: CLRegion) { session.startMonitoring(region) }

  /// The form before iOS 6.
  @available(*, deprecated, message: "Use startMonitoring(for:)")
  open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
    session.startMonitoring(region)
  }

  /// Forgets the region of this identifier.
  open func stopMonitoring(for region: CLRegion) { session.stopMonitoring(region) }

  /// Asks how a region stands; `didDetermineState` answers.
  open func requestState(for region: CLRegion) { session.requestState(region) }

  /// Every region that the program monitors, also those of an earlier run.
  open var monitoredRegions: Set<CLRegion> { session.services.monitoredRegions }

  /// The longest radius, metres; -1 where regions cannot be monitored.
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    session.services.maximumRegionRadius
  }

  // MARK: Beacons

  /// Starts to tell, about once a second, which beacons are how near.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    session.startRanging(constraint, region: nil)
  }

  /// Ends that.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    session.stopRanging(constraint)
  }

  /// The constraints that this manager ranges for.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { session.rangedConstraints }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    session.startRanging(region.beaconIdentityConstraint, region: region)
  }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) {
    session.stopRanging(region.beaconIdentityConstraint)
  }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { session.rangedRegions }

  // MARK: Heading service

  /// Starts a stream of headings; without a magnetometer it does nothing.
  open func startUpdatingHeading() { session.startUpdatingHeading() }

  /// Ends the stream of headings; no heading is delivered after this.
  open func stopUpdatingHeading() { session.stopUpdatingHeading() }

  /// The heading that was delivered last; nil before the first.
  open var heading: CLHeading? { session.reportedHeading }

  /// Degrees to turn from the last delivered heading until the next is delivered, the short way
  /// round.
  open var headingFilter: CLLocationDegrees {
    get { session.heading.filterDegrees }
    set { session.setHeadingFilter(newValue) }
  }

  /// Which edge headings are given for; holds for later headings.
  open var headingOrientation: CLDeviceOrientation {
    get { session.heading.orientation }
    set { session.setOrientation(newValue) }
  }

  /// The body that headings are given for: a `CLMountedBody`. Any other is kept and stands for the device.
  open var headingBody: (any CLBodyIdentifiable)? {
    didSet { session.setMount((headingBody as? CLMountedBody)?.mount) }
  }

  /// Ends the calibration display; calibration goes on silently.
  open func dismissHeadingCalibrationDisplay() { session.dismissCalibration() }

  // MARK: Authorization

  /// Whether this program may use location services: what the policy says, and denied where no source of
  /// estimates can be opened.
  open var authorizationStatus: CLAuthorizationStatus { session.services.status }

  /// How precise a location this program may have, by the policy.
  open var accuracyAuthorization: CLAccuracyAuthorization { session.services.authority.accuracy }

  /// False: there are no widgets.
  open var isAuthorizedForWidgetUpdates: Bool { false }

  /// Asks to use services while the program is in use. It changes something only where the policy's rule
  /// is `ask` and nothing is decided yet; the policy answers, nobody is prompted.
  open func requestWhenInUseAuthorization() {
    session.requestAuthorization(.authorizedWhenInUse)
  }

  /// Asks to use services at any time, likewise; also once after `authorizedWhenInUse`.
  open func requestAlwaysAuthorization() { session.requestAuthorization(.authorizedAlways) }

  /// Asks for full accuracy while the program runs.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Asks for full accuracy while the program runs. The completion is always called, where the delegate
  /// is: with nil where the policy grants the purpose, with `promptDeclined` where it does not know it or
  /// the accuracy is full already.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
  ) {
    session.requestFullAccuracy(purposeKey, completion)
  }

  // MARK: What there is

  /// Whether location services are on: the policy has not switched them off and there is a source.
  open class func locationServicesEnabled() -> Bool { LocationServices.current.isEnabled }

  /// Whether there is a magnetometer.
  open class func headingAvailable() -> Bool { LocationServices.current.has(\.hasMagnetometer) }

  /// Whether there is anything that tells a place.
  open class func significantLocationChangeMonitoringAvailable() -> Bool {
    LocationServices.current.canTellPlace
  }

  /// Whether there is what regions of a class need: something that tells a place for `CLCircularRegion`,
  /// a Bluetooth adapter for `CLBeaconRegion`. Authorization plays no part.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    LocationServices.current.canMonitor(regionClass)
  }

  /// Whether there is a Bluetooth adapter that can hear beacons.
  open class func isRangingAvailable() -> Bool { LocationServices.current.canRange }

  // MARK: Older names

  /// The status of a manager that is not there.
  @available(*, deprecated, message: "Use the manager's property authorizationStatus")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    LocationServices.current.status
  }

  /// Whether there is a source of estimates.
  @available(*, deprecated, message: "Use the class method locationServicesEnabled()")
  open var locationServicesEnabled: Bool { Self.locationServicesEnabled() }

  /// Whether there is a magnetometer.
  @available(*, deprecated, message: "Use the class method headingAvailable()")
  open var headingAvailable: Bool { Self.headingAvailable() }

  /// True: fixes can be kept back.
  @available(*, deprecated, message: "Deferring always works here")
  open class func deferredLocationUpdatesAvailable() -> Bool { true }

  /// Whether circular regions can be monitored.
  @available(*, deprecated, message: "Use isMonitoringAvailable(for:)")
  open class func regionMonitoringAvailable() -> Bool {
    LocationServices.current.canMonitor(CLCircularRegion.self)
  }

  /// Whether circular regions can be monitored.
  @available(*, deprecated, message: "Use isMonitoringAvailable(for:)")
  open class func regionMonitoringEnabled() -> Bool {
    LocationServices.current.canMonitor(CLCircularRegion.self)
  }

  /// Why the program wants to know the place; kept and shown nowhere.
  @available(*, deprecated, message: "Nobody is asked")
  open var purpose: String? {
    get { storedPurpose }
    set { storedPurpose = newValue }
  }
  private var storedPurpose: String?
}

extension CLLocationManager {
  /// Asks for full accuracy while the program runs.
  /// - Throws: `CLError.promptDeclined` where the policy does not grant the purpose or the accuracy is full
  ///   already.
  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    if let refusal = session.services.authority.requestFullAccuracy(purposeKey: purposeKey) {
      throw refusal
    }
  }
}
