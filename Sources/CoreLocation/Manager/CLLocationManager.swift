/// Starts and stops location services and reports their results to a delegate.
///
/// Where the delegate is called depends on where the manager was created: on the main queue for a
/// manager created on the main thread or in a task, else on the run loop of the creating thread.
/// The program has to run that loop, or the main queue. The delegate is never called inside a call
/// of the program, except where a delegate's call runs a run loop. Events from before a delegate is
/// set wait for it.
open class CLLocationManager: NSObject {
  package internal(set) var session: ManagerSession

  /// Makes a manager without running services.
  public override init() {
    session = ManagerSession(services: .current, context: .current())
    super.init()
    session.setManager(self)
  }

  deinit { session.close() }

  // MARK: Delegate

  /// Receives the events, through a weak reference. The first event is the authorization.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { session.delegate = delegate }
  }

  // MARK: Standard location service

  /// Starts a stream of locations. The last known location is delivered first, with its own time.
  open func startUpdatingLocation() { session.startUpdatingLocation() }

  /// Ends the stream of locations. After this only deferred locations are delivered.
  open func stopUpdatingLocation() { session.stopUpdatingLocation() }

  /// Requests one location. The answer is one `didUpdateLocations`, or one `didFailWithError` after
  /// about ten seconds without a location. While the stream runs the call does nothing. Starting or
  /// stopping the stream ends the request.
  open func requestLocation() { session.requestLocation() }

  /// The newest location of this program, else the last one of this machine; nil without any
  /// location.
  open var location: CLLocation? { session.knownLocation }

  /// The distance in metres from the last delivered location at which the next is delivered.
  open var distanceFilter: CLLocationDistance {
    get { session.read(\.location.distanceFilter) }
    set { session.setDistanceFilter(newValue) }
  }

  /// The wanted accuracy in metres: a hint for the receiver, and the accuracy that
  /// `requestLocation` waits for. With `kCLLocationAccuracyReduced` the locations are those of a
  /// program with reduced accuracy.
  open var desiredAccuracy: CLLocationAccuracy {
    get { session.read(\.location.desiredAccuracy) }
    set { session.setDesiredAccuracy(newValue) }
  }

  /// The kind of motion, which decides when updates may pause.
  open var activityType: CLActivityType {
    get { session.read(\.activity) }
    set { session.setActivity(newValue) }
  }

  /// Whether updates may pause while the device is at rest. After
  /// `locationManagerDidPauseLocationUpdates` the program starts them again, unless the policy sets
  /// `resumesAutomatically`.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { session.read(\.pausesAutomatically) }
    set { session.post { $0.pausesAutomatically = newValue } }
  }

  /// Whether fixes are stored for the program while it is stopped (`SIGSTOP`, `SIGTSTP`). The
  /// daemon queues them under a lease and delivers them when the program continues. Without the
  /// daemon the property has no effect.
  open var allowsBackgroundLocationUpdates: Bool {
    get { session.read(\.allowsBackground) }
    set { session.setAllowsBackground(newValue) }
  }

  /// Whether a status bar shows background use. Stored without effect: there is no status bar.
  open var showsBackgroundLocationIndicator = false

  /// Defers fixes until the board has moved by the distance or the timeout has passed, then
  /// delivers them in one batch. It needs running updates, a `desiredAccuracy` of best or best for
  /// navigation, and no distance filter. `didFinishDeferredUpdates` is called exactly once for each
  /// call. A second call ends the first with `deferredCanceled`.
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) { session.allowDeferral(untilTraveled: distance, timeout: timeout) }

  /// Ends deferral with `deferredCanceled` and delivers the deferred fixes.
  open func disallowDeferredLocationUpdates() { session.disallowDeferral() }

  // MARK: Significant changes and visits

  /// Starts reporting changes of 500 m and more, at most every five minutes. The last known place
  /// is reported first. With the daemon the service outlives the program.
  open func startMonitoringSignificantLocationChanges() { session.startSignificantChanges() }

  /// Stops reporting significant changes to this manager.
  open func stopMonitoringSignificantLocationChanges() { session.stopSignificantChanges() }

  /// Starts reporting visits to every manager of the program. With the daemon the service outlives
  /// the program.
  open func startMonitoringVisits() { session.startVisits() }

  /// Stops reporting visits to every manager of the program.
  open func stopMonitoringVisits() { session.stopVisits() }

  // MARK: Regions

  /// Monitors a region for every manager of the program, across restarts. It replaces a region of
  /// the same identifier. A program has at most 20 regions and conditions.
  open func startMonitoring(for region: CLRegion) { session.startMonitoring(region) }

  /// The form before iOS 6.
  @available(*, deprecated, message: "Use startMonitoring(for:)")
  open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
    session.startMonitoring(region)
  }

  /// Removes the region of this identifier.
  open func stopMonitoring(for region: CLRegion) { session.stopMonitoring(region) }

  /// Requests the state of a region, which `didDetermineState` reports.
  open func requestState(for region: CLRegion) { session.requestState(region) }

  /// The regions that the program monitors, those of earlier runs included.
  open var monitoredRegions: Set<CLRegion> { session.services.monitoredRegions }

  /// The largest radius in metres; -1 where regions cannot be monitored.
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    session.services.maximumRegionRadius
  }

  // MARK: Beacons

  /// Starts reporting the beacons in range and their distances, about once a second.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    session.ranging.start(constraint, region: nil, for: session)
  }

  /// Ends ranging for the constraint.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    session.ranging.stop(constraint, for: session)
  }

  /// The constraints of the ranging that this manager has started.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { session.ranging.constraints }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    session.ranging.start(region.beaconIdentityConstraint, region: region, for: session)
  }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) {
    session.ranging.stop(region.beaconIdentityConstraint, for: session)
  }

  /// The form before iOS 13.
  @available(*, deprecated, message: "Use rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { session.ranging.regions }

  // MARK: Heading service

  /// Starts a stream of headings; without a magnetometer it does nothing. Magnetic headings need no
  /// authorization, unless the policy has `headings: deny`.
  open func startUpdatingHeading() { session.startUpdatingHeading() }

  /// Ends the stream of headings. No heading is delivered after this.
  open func stopUpdatingHeading() { session.stopUpdatingHeading() }

  /// The last delivered heading, without a delegate the newest; nil before the first.
  open var heading: CLHeading? { session.currentHeading }

  /// The smaller angle in degrees from the last delivered heading at which the next is delivered.
  open var headingFilter: CLLocationDegrees {
    get { session.read(\.heading.filterDegrees) }
    set { session.post { $0.heading.filterDegrees = newValue } }
  }

  /// The edge of the device that later headings refer to.
  open var headingOrientation: CLDeviceOrientation {
    get { session.read(\.heading.orientation) }
    set { session.post { $0.heading.orientation = newValue } }
  }

  /// The body that headings refer to: a `CLMountedBody`. Any other value is stored and means the
  /// device.
  open var headingBody: (any CLBodyIdentifiable)? {
    didSet {
      let mount = (headingBody as? CLMountedBody)?.mount
      session.post { $0.heading.mount = mount }
    }
  }

  /// Ends the calibration display. Calibration continues without a display.
  open func dismissHeadingCalibrationDisplay() { session.dismissCalibration() }

  // MARK: Authorization

  /// Whether this program may use location services, by the policy; `denied` where no source of
  /// estimates can be opened.
  open var authorizationStatus: CLAuthorizationStatus { session.services.status }

  /// The precision of the locations that the policy grants this program.
  open var accuracyAuthorization: CLAccuracyAuthorization { session.services.authority.accuracy }

  /// False: there are no widgets.
  open var isAuthorizedForWidgetUpdates: Bool { false }

  /// Requests the use of services while the program is in use. It has an effect only where the
  /// policy's rule is `ask` and the authorization is not determined yet. The policy gives the
  /// answer; no user is prompted.
  open func requestWhenInUseAuthorization() {
    session.services.requestAuthorization(.authorizedWhenInUse)
  }

  /// Requests the use of services at any time, by the same rule; also once after
  /// `authorizedWhenInUse`.
  open func requestAlwaysAuthorization() {
    session.services.requestAuthorization(.authorizedAlways)
  }

  /// Requests full accuracy while the program runs.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Requests full accuracy while the program runs. The completion is always called, in the
  /// delegate's context: with nil where the policy grants the purpose, with `promptDeclined` where
  /// the policy does not list the purpose or the accuracy is full already.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
  ) {
    session.requestFullAccuracy(purposeKey, completion)
  }

  // On the caller's actor, as Apple's since Swift 6.2, so that an actor may call a manager that it
  // owns. An older compiler cannot declare that.
  #if compiler(>=6.2)
    /// Requests full accuracy while the program runs.
    /// - Throws: `CLError.promptDeclined` where the policy does not grant the purpose or the
    ///   accuracy is full already.
    nonisolated(nonsending) open func requestTemporaryFullAccuracyAuthorization(
      withPurposeKey purposeKey: String
    ) async throws {
      try await withCheckedThrowingContinuation { continuation in
        requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) {
          continuation.resume(with: $0.map { .failure($0) } ?? .success(()))
        }
      }
    }
  #else
    /// Requests full accuracy while the program runs.
    /// - Throws: `CLError.promptDeclined` where the policy does not grant the purpose or the
    ///   accuracy is full already.
    open func requestTemporaryFullAccuracyAuthorization(
      withPurposeKey purposeKey: String
    ) async throws {
      try await withCheckedThrowingContinuation { continuation in
        requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) {
          continuation.resume(with: $0.map { .failure($0) } ?? .success(()))
        }
      }
    }
  #endif

  // MARK: Availability

  /// Whether location services are on: the policy enables them and there is a source.
  open class func locationServicesEnabled() -> Bool { LocationServices.current.isEnabled }

  /// Whether there is a magnetometer, or the board file names another compass.
  open class func headingAvailable() -> Bool { LocationServices.current.has(\.hasHeading) }

  /// Whether there is a source of positions.
  open class func significantLocationChangeMonitoringAvailable() -> Bool {
    LocationServices.current.hasPositionSource
  }

  /// Whether the machine can monitor regions of a class: `CLCircularRegion` needs a source of
  /// positions, `CLBeaconRegion` a Bluetooth adapter. The authorization is not considered.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    LocationServices.current.canMonitor(regionClass)
  }

  /// Whether there is a Bluetooth adapter that can receive beacons.
  open class func isRangingAvailable() -> Bool { LocationServices.current.ranging.isAvailable }

  // MARK: Older names

  /// The authorization of the program.
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

  /// True: fixes can be deferred.
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

  /// The reason for the use of locations. Stored and not displayed.
  @available(*, deprecated, message: "No user is prompted")
  open var purpose: String? {
    get { storedPurpose }
    set { storedPurpose = newValue }
  }
  private var storedPurpose: String?
}

extension CLLocationManager {
  /// Whether paused updates resume automatically once the board moves again. The default is the
  /// policy's `resumesAutomatically`. Apple documents the behaviour of false: the program starts
  /// its updates again. A Lodestar extension.
  public var resumesLocationUpdatesAutomatically: Bool {
    get { session.read(\.resumesAutomatically) }
    set { session.setResumesAutomatically(newValue) }
  }
}
