/// Starts and stops location services and tells a delegate what they find.
///
/// The delegate is called where the manager was made: on the main queue for a manager made on the main
/// thread or in a task, else on the run loop of the thread that made it, which has to run. It is
/// never called from inside a call of the program.
open class CLLocationManager: NSObject {
  package let session: ManagerSession

  /// Makes a manager that has started nothing.
  public override init() {
    session = ManagerSession(services: .current, context: .current())
    super.init()
    session.belong(to: self)
  }

  deinit { session.close() }

  // MARK: Delegate

  /// Hears what happens; not kept alive. Its authorization is the first thing that it hears.
  open var delegate: (any CLLocationManagerDelegate)? {
    get { session.delegate }
    set { session.delegate = newValue }
  }

  // MARK: Standard location service

  /// Starts a stream of locations. The last known one comes first, with the time when it was taken.
  open func startUpdatingLocation() { session.startUpdatingLocation() }

  /// Ends the stream of locations; no location is delivered after this.
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

  /// What moves.
  open var activityType = CLActivityType.other

  /// Whether updates may pause while nothing moves; kept, without effect yet.
  open var pausesLocationUpdatesAutomatically = true

  /// Whether updates go on in the background; kept: a Linux program is always in the foreground.
  open var allowsBackgroundLocationUpdates = false

  /// Whether a status bar shows background use; kept: there is none.
  open var showsBackgroundLocationIndicator = false

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

  /// The body that headings are given for; kept, without effect yet.
  open var headingBody: (any CLBodyIdentifiable)?

  /// Ends the calibration display; calibration goes on silently.
  open func dismissHeadingCalibrationDisplay() { session.dismissCalibration() }

  // MARK: Authorization

  /// Whether this program may use location services: always where a source of estimates can be
  /// opened, denied where none can.
  open var authorizationStatus: CLAuthorizationStatus { session.services.status }

  /// How precise a location this program may have: full.
  open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

  /// False: there are no widgets.
  open var isAuthorizedForWidgetUpdates: Bool { false }

  /// Asks to use services while the program is in use. The authorization is always determined here,
  /// so that nothing changes and nothing is reported.
  open func requestWhenInUseAuthorization() {}

  /// Asks to use services at any time. The authorization is always determined here, so that nothing
  /// changes and nothing is reported.
  open func requestAlwaysAuthorization() {}

  /// Asks for full accuracy for a while.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Asks for full accuracy for a while; as the accuracy is full already, the completion is called
  /// with `promptDeclined`, where the delegate is called.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
  ) {
    guard let completion else { return }
    session.answer(completion, CLError(.promptDeclined))
  }

  // MARK: What there is

  /// Whether there is a source of estimates.
  open class func locationServicesEnabled() -> Bool {
    LocationServices.current.status == .authorizedAlways
  }

  /// Whether there is a magnetometer.
  open class func headingAvailable() -> Bool {
    switch LocationServices.current.facts() {
    case .success(let facts): facts.hasMagnetometer
    case .failure: false
    }
  }

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

  /// Why the program wants to know the place; kept and shown nowhere.
  @available(*, deprecated, message: "Nobody is asked")
  open var purpose: String? {
    get { storedPurpose }
    set { storedPurpose = newValue }
  }
  private var storedPurpose: String?
}

extension CLLocationManager {
  /// Asks for full accuracy for a while.
  /// - Throws: `CLError.promptDeclined`: the accuracy is full already.
  public func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    throw CLError(.promptDeclined)
  }
}
