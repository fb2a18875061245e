/// Selects the updates of a loop over live updates.
///
/// - The known location comes first if it is fresh (`LocationDelivery.freshness`), because programs
///   take the first location for the present one. Then comes each fix.
/// - While an obstacle prevents locations there are none. One update reports the obstacle, and one
///   each change of it.
/// - Under reduced accuracy a fix comes only if its area is a new one, as for a manager.
/// - A device at rest (`Stillness`) gives one stationary update. The next update comes when the
///   device moves or its location becomes unknown. Apple documents the pause without bounds.
///
/// The caller passes the time, which no step of civil time may change; nothing here waits.
package struct LiveUpdateRules {
  private var stillness: Stillness

  private var authority: Obstacles = []
  private var hasSource = true
  private var hasReceiver = true
  private var hasTimedOut = false
  private var lastFixAt: Date?
  private var lastSeen: CLLocation?
  private var reported: Obstacles = []
  /// The last delivered location; nil after an update without one.
  private var delivered: CLLocation?
  private var isPaused = false

  /// Makes the rules for a kind of motion.
  package init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    stillness = Stillness(configuration)
  }

  /// True where the program is authorized for locations.
  var isAuthorized: Bool { authority.isDisjoint(with: .authorization) }

  // MARK: Events

  /// Processes a decision of the authority.
  mutating func authorityDecided(_ obstacles: Obstacles) -> CLLocationUpdate? {
    authority = obstacles
    return obstacleUpdate()
  }

  /// The source is open; `civilTime` is for the age of the known location.
  package mutating func sourceReady(
    hasReceiver: Bool, known: CLLocation?, at now: Date, civilTime: Date
  ) -> CLLocationUpdate? {
    (hasSource, self.hasReceiver) = (true, hasReceiver)
    lastFixAt = lastFixAt ?? now
    if let update = obstacleUpdate() { return update }
    guard hasReceiver, lastSeen == nil, let known, known.horizontalAccuracy >= 0,
      (-LocationDelivery.clockSkew...LocationDelivery.freshness).contains(
        civilTime.timeIntervalSince(known.timestamp))
    else { return nil }
    (lastSeen, delivered) = (known, known)
    return CLLocationUpdate(location: known, obstacles: obstacles)
  }

  /// The source could not be opened: reported as location services that are off.
  mutating func sourceFailed() -> CLLocationUpdate? {
    hasSource = false
    return obstacleUpdate()
  }

  /// A new fix.
  package mutating func receive(_ fix: CLLocation, at now: Date) -> CLLocationUpdate? {
    // The source's thread may deliver the known fix a second time.
    guard isAuthorized, fix !== lastSeen else { return nil }
    if hasTimedOut { stillness.reset() }
    (lastSeen, lastFixAt, hasTimedOut, hasSource, hasReceiver) = (fix, now, false, true, true)
    reported = []
    // A coarse area of kilometres gives no information about rest.
    let isOfArea = authority.contains(.accuracyLimited)
    if isOfArea, let delivered, delivered.isSamePlace(as: fix) { return nil }
    let isStill = !isOfArea && stillness.receive(fix, at: now)
    defer { isPaused = isStill }
    if isStill, isPaused { return nil }
    delivered = fix
    return CLLocationUpdate(location: fix, stationary: isStill, obstacles: obstacles)
  }

  /// Checks whether the wait for fixes has timed out.
  package mutating func timeHasPassed(at now: Date) -> CLLocationUpdate? {
    guard isAuthorized, hasSource, now >= nextDeadline(after: .distantPast) else { return nil }
    lastFixAt = lastFixAt ?? now
    hasTimedOut = true
    return obstacleUpdate()
  }

  /// When to check again whether the wait for fixes has timed out.
  func nextDeadline(after now: Date) -> Date {
    let timeout = LocationDelivery.updateTimeout
    let due = (lastFixAt ?? now).addingTimeInterval(timeout)
    return due > now ? due : now.addingTimeInterval(timeout)
  }

  // MARK: Obstacles

  private var obstacles: Obstacles {
    var obstacles = authority
    if !hasSource { obstacles.formUnion([.denied, .deniedGlobally]) }
    if obstacles.isDisjoint(with: .authorization), hasTimedOut || !hasReceiver {
      obstacles.insert(.locationUnavailable)
    }
    return obstacles
  }

  /// An update without a location, if there is an obstacle that the loop has not received yet.
  private mutating func obstacleUpdate() -> CLLocationUpdate? {
    let reasons = obstacles.intersection(Obstacles.authorization.union(.locationUnavailable))
    defer { reported = reasons }
    guard !reasons.isEmpty, reasons != reported else { return nil }
    (isPaused, delivered) = (false, nil)
    return CLLocationUpdate(location: nil, obstacles: obstacles)
  }
}
