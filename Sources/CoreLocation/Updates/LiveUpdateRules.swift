/// Which updates a loop over live updates is told.
///
/// - The location that was known before comes first where it is fresh (`LocationDelivery.freshness`): a
///   program that takes the first location for the present one is not given yesterday's. Then each fix.
/// - While something stands in the way there are no locations; the loop is told once what it is, and
///   again when that changes.
/// - A device that stays where it is (`Stillness`) is told stationary once; then nothing comes until it
///   moves or its location becomes unknown. Apple documents the pause and names no bounds.
///
/// Time comes from outside; nothing here waits.
package struct LiveUpdateRules {
  private var stillness: Stillness

  private var authority: Obstacles = []
  private var hasSource = true
  private var hasReceiver = true
  private var isDry = false
  private var lastFixAt: Date?
  private var lastSeen: CLLocation?
  private var told: Obstacles = []
  private var isPaused = false

  /// Makes the rules for what moves.
  package init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    stillness = Stillness(configuration)
  }

  /// True where the authority lets the program know locations.
  var isAuthorized: Bool { authority.isDisjoint(with: .authorization) }

  // MARK: What happens

  /// The authority has decided so.
  mutating func authorityDecided(_ obstacles: Obstacles) -> CLLocationUpdate? {
    authority = obstacles
    return obstacleUpdate()
  }

  /// The source is open.
  package mutating func sourceReady(
    hasReceiver: Bool, known: CLLocation?, at now: Date
  ) -> CLLocationUpdate? {
    (hasSource, self.hasReceiver) = (true, hasReceiver)
    lastFixAt = lastFixAt ?? now
    if let update = obstacleUpdate() { return update }
    guard hasReceiver, lastSeen == nil, let known, known.horizontalAccuracy >= 0,
      (-LocationDelivery.clockSkew...LocationDelivery.freshness).contains(
        now.timeIntervalSince(known.timestamp))
    else { return nil }
    lastSeen = known
    return CLLocationUpdate(location: known, obstacles: obstacles)
  }

  /// The source could not be opened: location services are as good as off.
  mutating func sourceFailed() -> CLLocationUpdate? {
    hasSource = false
    return obstacleUpdate()
  }

  /// A new fix.
  package mutating func receive(_ fix: CLLocation, at now: Date) -> CLLocationUpdate? {
    // The fix that came as the known one may come again from the source's own thread.
    guard isAuthorized, fix !== lastSeen else { return nil }
    if isDry { stillness.reset() }
    (lastSeen, lastFixAt, isDry, hasSource, hasReceiver) = (fix, now, false, true, true)
    told = []
    // An area of kilometres says nothing about rest.
    let isStill = !authority.contains(.accuracyLimited) && stillness.receive(fix, at: now)
    defer { isPaused = isStill }
    if isStill, isPaused { return nil }
    return CLLocationUpdate(location: fix, stationary: isStill, obstacles: obstacles)
  }

  /// Perhaps the fixes have stopped.
  package mutating func timeHasPassed(at now: Date) -> CLLocationUpdate? {
    guard isAuthorized, hasSource, now >= nextDeadline(after: .distantPast) else { return nil }
    lastFixAt = lastFixAt ?? now
    isDry = true
    return obstacleUpdate()
  }

  /// When to look again whether the fixes have stopped.
  func nextDeadline(after now: Date) -> Date {
    let patience = LocationDelivery.updatePatience
    let due = (lastFixAt ?? now).addingTimeInterval(patience)
    return due > now ? due : now.addingTimeInterval(patience)
  }

  // MARK: What stands in the way

  private var obstacles: Obstacles {
    var obstacles = authority
    if !hasSource { obstacles.formUnion([.denied, .deniedGlobally]) }
    if obstacles.isDisjoint(with: .authorization), isDry || !hasReceiver {
      obstacles.insert(.locationUnavailable)
    }
    return obstacles
  }

  /// Without a location, where one cannot be had and the loop does not know why yet.
  private mutating func obstacleUpdate() -> CLLocationUpdate? {
    let reasons = obstacles.intersection(Obstacles.authorization.union(.locationUnavailable))
    defer { told = reasons }
    guard !reasons.isEmpty, reasons != told else { return nil }
    isPaused = false
    return CLLocationUpdate(location: nil, obstacles: obstacles)
  }
}
