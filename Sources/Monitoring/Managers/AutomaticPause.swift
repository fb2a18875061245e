public import Quantities

/// Decides when the updates of one manager with `pausesLocationUpdatesAutomatically` pause and
/// resume.
///
/// | activity | pauses when fixes stay within | for | why |
/// |---|---|---|---|
/// | automotive | 50 m | 15 min | longer than a jam or a ferry's queue; parked |
/// | fitness | 50 m | 10 min | longer than a rest at a fountain or a level crossing |
/// | other navigation | 75 m | 15 min | boats and trains wait longer, and swing at anchor |
/// | airborne | 200 m | 30 min | a gate or a glider's line-up; never in the air |
/// | other | 100 m | 20 min | the activity is not known: rather late |
///
/// A body that certainly drives, cycles or runs does not rest, wherever it is: the wait for the
/// pause begins again. It also pauses after 20 min without any fix: a receiver without reception
/// indoors would drain the battery. The radius is at least twice the fix's accuracy. After a pause
/// without fixes the first fix resumes; after a pause at rest the second fix in a row beyond the
/// radius does.
/// - Source: Apple describes the behaviour without figures (CLActivityType; "if location data is
///   not available"); the figures are ours.
public struct AutomaticPause: Sendable {
  /// What the manager has to do.
  public enum Action: Equatable, Sendable {
    /// Pause and notify the delegate.
    case pause
    /// Movement was detected: resume where the manager resumes automatically.
    case resume
  }

  /// The time without a fix after which updates pause, seconds.
  public static var noFixSeconds: Double { 1200 }
  /// The longest reflection, seconds.
  private static var reflectionSeconds: Double { 60 }

  /// The present activity; a change restarts the wait.
  public var activity: Activity { didSet { if activity != oldValue { anchor = nil } } }
  /// True from a pause to the resumption.
  public private(set) var isPaused = false

  private var anchor: (point: EarthPoint, since: UTCTime)?
  /// Fixes in a row beyond the radius; a single one may be an outlier.
  private var strays = 0
  /// The time of the first of them, and the last place where they stayed within the radius.
  private var strayingSince: UTCTime?
  private var stray: (point: EarthPoint, since: UTCTime)?
  private var lastFix: UTCTime
  private var isWithoutFix = false

  /// Makes the machine at the start of updates.
  public init(activity: Activity, at time: UTCTime) {
    (self.activity, lastFix) = (activity, time)
  }

  /// The radius, metres, and the time, seconds, of an activity.
  public static func rule(_ activity: Activity) -> (metres: Double, seconds: Double) {
    switch activity {
    case .automotiveNavigation: (50, 900)
    case .fitness: (50, 600)
    case .otherNavigation: (75, 900)
    case .airborne: (200, 1800)
    case .other: (100, 1200)
    }
  }

  /// The time of the pause without further fixes; nil while paused.
  public var deadline: UTCTime? {
    isPaused ? nil : lastFix.advanced(bySeconds: Self.noFixSeconds)
  }

  /// Processes a fix, also while paused.
  /// - Parameters:
  ///   - fix: The fix; its time measures the rest.
  ///   - arrival: The time of its arrival by the clock of `advance`; nil for the fix's own time.
  /// - Returns: What to do; nil for nothing.
  public mutating func process(_ fix: PlaceFix, arrival: UTCTime? = nil) -> Action? {
    guard fix.horizontalAccuracyMetres >= 0, fix.position.isOnEarth else { return nil }
    let point = EarthPoint(fix.position)
    let rule = Self.rule(activity)
    lastFix = arrival ?? max(lastFix, fix.time)
    if isPaused, isWithoutFix { return resume(point, fix.time) }
    let radius = max(rule.metres, 2 * fix.horizontalAccuracyMetres)
    guard let (place, since) = anchor else {
      anchor = (point, fix.time)
      return nil
    }
    guard place.distance(to: point) <= radius else {
      return leave(point, fix.time, radius)
    }
    endStraying()
    // In a jam.
    if fix.motion?.isTravel == true, !isPaused { anchor = (place, fix.time) }
    // The receiver's clock went back: the wait restarts.
    if fix.time < since { anchor = (place, fix.time) }
    guard !isPaused, let since = anchor?.since, fix.time.seconds(since: since) >= rule.seconds
    else { return nil }
    (isPaused, isWithoutFix) = (true, false)
    return .pause
  }

  /// Processes a fix that cannot show rest: of a coarse area, or of unknown accuracy.
  /// - Returns: What to do; nil for nothing.
  public mutating func receiveFix(at time: UTCTime) -> Action? {
    lastFix = time
    guard isPaused, isWithoutFix else { return nil }
    (isPaused, isWithoutFix, anchor) = (false, false, nil)
    endStraying()
    return .resume
  }

  /// Processes a fix beyond the radius. The wait begins again only after the time that a reflection
  /// may last, from the arrival at the new place.
  private mutating func leave(_ point: EarthPoint, _ time: UTCTime, _ radius: Double) -> Action? {
    strays += 1
    if stray.map({ $0.point.distance(to: point) > radius }) ?? true { stray = (point, time) }
    let since = min(strayingSince ?? time, time)
    strayingSince = since
    guard strays >= 2 else { return nil }
    if isPaused { return resume(point, time) }
    guard time.seconds(since: since) >= Self.reflectionSeconds else { return nil }
    anchor = stray
    endStraying()
    return nil
  }

  private mutating func endStraying() { (strays, strayingSince, stray) = (0, nil, nil) }

  /// Processes the deadline.
  /// - Returns: What to do; nil for nothing.
  public mutating func advance(to time: UTCTime) -> Action? {
    // The clock went back: the wait starts now at the latest.
    lastFix = min(lastFix, time)
    guard let deadline, deadline <= time else { return nil }
    (isPaused, isWithoutFix) = (true, true)
    return .pause
  }

  /// Records that the application started the updates again.
  public mutating func restart(at time: UTCTime) {
    (isPaused, isWithoutFix, anchor, lastFix) = (false, false, nil, time)
    endStraying()
  }

  private mutating func resume(_ point: EarthPoint, _ time: UTCTime) -> Action {
    (isPaused, isWithoutFix, anchor) = (false, false, (point, time))
    endStraying()
    return .resume
  }
}
