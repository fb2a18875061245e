/// Whether a device stays where it is.
///
/// It does once every fix of `seconds` lies within `metres` of the first of them (or within twice the
/// radius of either's accuracy, if that is more) and none is faster than `speedLimit`. It has moved when
/// two fixes in a row say so: one alone may be a reflection.
struct Stillness {
  /// How far a device may seem to wander while it stays, metres. Smaller: noise keeps it moving; larger:
  /// slow movement is noticed late.
  var metres: Double
  /// How long it must stay, seconds. Smaller: every stop pauses the updates; larger: later pauses.
  var seconds: TimeInterval
  /// Metres per second over ground above which a fix says that the device moves: well above the noise of
  /// a receiver at rest (0.1 to 0.3), below a slow walk.
  var speedLimit = 0.5

  private var anchor: CLLocation?
  private var since = Date.distantPast
  private var isStill = false
  private var hasDoubt = false

  init(metres: Double, seconds: TimeInterval) { (self.metres, self.seconds) = (metres, seconds) }

  /// The bounds for what moves; ours, since Apple names none.
  init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    switch configuration {
    case .default: self.init(metres: 20, seconds: 60)
    case .fitness: self.init(metres: 15, seconds: 60)
    // A red light is no stay.
    case .automotiveNavigation: self.init(metres: 50, seconds: 120)
    case .otherNavigation: self.init(metres: 30, seconds: 120)
    case .airborne: self.init(metres: 100, seconds: 120)
    // A boat swings at its anchor.
    case .maritime: self.init(metres: 50, seconds: 300)
    }
  }

  /// Takes a fix and its time; true where the device stays.
  mutating func receive(_ fix: CLLocation, at now: Date) -> Bool {
    guard fix.horizontalAccuracy >= 0 else { return isStill }
    guard let anchor, !moves(fix, from: anchor) else {
      if isStill, !hasDoubt {
        hasDoubt = true
        return true
      }
      begin(at: fix, now)
      return false
    }
    hasDoubt = false
    isStill = isStill || now.timeIntervalSince(since) >= seconds
    return isStill
  }

  /// Forgets the stay.
  mutating func reset() { (anchor, isStill, hasDoubt) = (nil, false, false) }

  private mutating func begin(at fix: CLLocation, _ now: Date) {
    (anchor, since, isStill, hasDoubt) = (fix, now, false, false)
  }

  private func moves(_ fix: CLLocation, from anchor: CLLocation) -> Bool {
    if fix.speed > speedLimit { return true }
    let uncertainty = 2 * max(fix.horizontalAccuracy, anchor.horizontalAccuracy)
    return fix.distance(from: anchor) > max(metres, uncertainty)
  }
}
