/// Detects that a device is stationary.
///
/// It is stationary once every fix of `seconds` lies within `metres` of the first of them (or
/// within twice the larger accuracy radius, if that is more) and none is faster than `speedLimit`.
/// The state of motion is used where it is certain: on foot, on a bicycle and in a vehicle that
/// halts the device is not stationary; with the state `stationary` its time counts too, and fixes
/// may stray twice as far. It has moved after two consecutive fixes beyond these bounds: a single
/// one may be a multipath error.
struct Stillness {
  /// The apparent motion of a stationary device, metres. Smaller: noise prevents rest. Larger: slow
  /// motion is detected late.
  var metres: Double
  /// The time until rest, seconds. Smaller: every stop pauses the updates. Larger: later pauses.
  var seconds: TimeInterval
  /// The speed over ground of a moving device, metres per second: above the noise of a receiver at
  /// rest (0.1 to 0.3), below a slow walk.
  var speedLimit = 0.5

  private var anchor: CLLocation?
  private var since = Date.distantPast
  private var isStill = false
  private var hasDoubt = false

  init(metres: Double, seconds: TimeInterval) { (self.metres, self.seconds) = (metres, seconds) }

  /// The bounds for a kind of motion. Apple documents none.
  init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    switch configuration {
    case .default: self.init(metres: 20, seconds: 60)
    case .fitness: self.init(metres: 15, seconds: 60)
    // A stop at a red light is shorter.
    case .automotiveNavigation: self.init(metres: 50, seconds: 120)
    case .otherNavigation: self.init(metres: 30, seconds: 120)
    case .airborne: self.init(metres: 100, seconds: 120)
    // A boat swings around its anchor.
    case .maritime: self.init(metres: 50, seconds: 300)
    }
  }

  /// Processes a fix and its time of reception; true while the device is stationary.
  mutating func receive(_ fix: CLLocation, at now: Date) -> Bool {
    guard fix.horizontalAccuracy >= 0 else { return isStill }
    let motion = fix.storedValues.motion
    if motion?.isOverLand == true {
      begin(at: fix, now)
      return false
    }
    guard let anchor, !moves(fix, from: anchor) else {
      if isStill, !hasDoubt {
        hasDoubt = true
        return true
      }
      begin(at: fix, now)
      return false
    }
    hasDoubt = false
    let rest = motion == .stationary ? fix.storedValues.motionSeconds ?? 0 : 0
    isStill = isStill || max(rest, now.timeIntervalSince(since)) >= seconds
    return isStill
  }

  /// Restarts the detection.
  mutating func reset() { (anchor, isStill, hasDoubt) = (nil, false, false) }

  private mutating func begin(at fix: CLLocation, _ now: Date) {
    (anchor, since, isStill, hasDoubt) = (fix, now, false, false)
  }

  private func moves(_ fix: CLLocation, from anchor: CLLocation) -> Bool {
    if fix.speed > speedLimit { return true }
    let uncertainty = 2 * max(fix.horizontalAccuracy, anchor.horizontalAccuracy)
    let room = fix.storedValues.motion == .stationary ? 2.0 : 1
    return fix.distance(from: anchor) > room * max(metres, uncertainty)
  }
}
