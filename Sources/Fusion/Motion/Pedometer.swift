import Quantities

/// Adds up what a walker does: steps, time on foot, distance and floors.
///
/// - Steps are those of `StepCounter`.
/// - The distance of a walk is the speed over ground times its time while a speed is known. Without
///   one it is steps times their length, and the length grows with the cadence: their ratio, the
///   walk ratio, is nearly constant for a person over all speeds, and is learnt where a speed is
///   known (N. Sekiya and H. Nagasaki, Reproducibility of the walking patterns of normal young
///   adults, Gait and Posture 7, 1998, doi 10.1016/S0966-6362(98)00009-5: 0.0063 m min).
/// - A floor is 3 m up or down on foot, counted from the altitude at which the walk began, which
///   follows the barometer within `weatherTime`: the weather and a lift are no floors.
public struct Pedometer: Sendable {
  /// What has been added up since the first sample.
  public struct Totals: Equatable, Sendable {
    /// Steps, which are not whole while a step is in progress.
    public var steps = 0.0
    /// Metres on foot.
    public var metres = 0.0
    /// Seconds on foot.
    public var activeSeconds = 0.0
    /// Floors up.
    public var floorsAscended = 0
    /// Floors down.
    public var floorsDescended = 0

    /// Nothing.
    public init() {}
  }

  /// The totals at a time.
  public struct Reading: Equatable, Sendable {
    /// The time of the totals, about two seconds before the newest sample.
    public var time: Timestamp
    /// The totals.
    public var totals: Totals
    /// Steps a second; nil without a walk.
    public var cadenceHertz: Double?
    /// Speed on foot, m/s; nil without a walk.
    public var metresPerSecond: Double?
  }

  /// Metres of a floor: stairs of Apple's floors have about as many.
  private static let floorHeight = 3.0
  /// Time constant of the altitude that floors count from, s. Small: a long gentle
  /// flight is lost; large: falling pressure climbs floors (1 hPa in an hour: 0.6 m).
  private static let weatherTime = 240.0
  /// Time constant of the barometer's low-pass, s. Small: noise counts as floors; large: a walk
  /// right after a lift counts a part of the lift's climb.
  private static let pressureTime = 1.0
  /// Altitudes that are kept, one a reading: a walk is known up to 7 s after its begin.
  private static let altitudesKept = 16
  /// A speed is known for this long, s; it may come before the samples of its time.
  private static let speedAge = 3.0
  /// A slower walker may stand on the spot: no walk ratio is learnt, m/s.
  private static let slowestToLearn = 0.5
  /// Greatest speed on foot, m/s, of the fastest sprinter; a vehicle is faster.
  private static let fastest = 12.0
  /// Seconds of walking that the walk ratio is learnt over.
  private static let learningTime = 120.0
  /// Metres of a step for each step a second: 0.0063 m min.
  private static let usualWalkRatio = 0.378
  /// Ratios of people, from shuffling to striding.
  private static let walkRatios = 0.2...0.6

  private var counter = StepCounter()
  private var totals = Totals()
  private var walkRatio = usualWalkRatio
  private var speed: (metresPerSecond: Double, at: Timestamp)?
  private var altitude: (metres: Double, at: Timestamp)?
  /// The altitude from which floors are counted; nil while no steps are made.
  private var base: Double?
  /// The altitudes of the last readings, the newest last.
  private var altitudes = [Double](repeating: 0, count: altitudesKept)
  private var lastReading: Timestamp?

  /// Makes a pedometer at zero.
  public init() {}

  /// Adds a specific force, m/s² along the board's axes; returns totals about twice a second.
  public mutating func update(_ force: SIMD3<Double>, at t: Timestamp) -> Reading? {
    guard let progress = counter.update(force, at: t) else { return nil }
    totals.steps += progress.steps
    totals.activeSeconds += progress.activeSeconds
    let pace = walk(progress, at: t)
    climb(progress, at: t)
    return Reading(
      time: progress.time, totals: totals, cadenceHertz: progress.cadenceHertz,
      metresPerSecond: pace)
  }

  /// Adds a speed over ground, m/s, such as that of a moving receiver.
  public mutating func update(speedMetresPerSecond v: Double, at t: Timestamp) {
    if v.isFinite, v >= 0 { speed = (v, t) }
  }

  /// Adds an altitude by pressure, m.
  public mutating func update(pressureAltitudeMetres metres: Double, at t: Timestamp) {
    guard metres.isFinite else { return }
    guard let old = altitude, t >= old.at else {
      (altitude, base) = ((metres, t), nil)
      for k in altitudes.indices { altitudes[k] = metres }
      return
    }
    let elapsed = t.seconds(since: old.at)
    let gain = elapsed / (elapsed + Self.pressureTime)
    altitude = (old.metres + (metres - old.metres) * gain, t)
  }

  /// Adds the distance; the speed on foot.
  private mutating func walk(_ progress: StepCounter.Progress, at t: Timestamp) -> Double? {
    guard let cadence = progress.cadenceHertz else { return nil }
    guard let speed, abs(t.seconds(since: speed.at)) <= Self.speedAge,
      speed.metresPerSecond <= Self.fastest
    else {
      totals.metres += progress.steps * walkRatio * cadence
      return walkRatio * cadence * cadence
    }
    totals.metres += progress.activeSeconds * speed.metresPerSecond
    if speed.metresPerSecond >= Self.slowestToLearn {
      let ratio = speed.metresPerSecond / (cadence * cadence)
      let gain = progress.activeSeconds / (progress.activeSeconds + Self.learningTime)
      walkRatio += (ratio - walkRatio) * gain
      walkRatio = min(max(walkRatio, Self.walkRatios.lowerBound), Self.walkRatios.upperBound)
    }
    return speed.metresPerSecond
  }

  /// Counts the floors.
  private mutating func climb(_ progress: StepCounter.Progress, at t: Timestamp) {
    defer { lastReading = t }
    guard let now = altitude?.metres else { return }
    for k in 1..<Self.altitudesKept { altitudes[k - 1] = altitudes[k] }
    altitudes[Self.altitudesKept - 1] = now
    let elapsed = lastReading.map { max(0, t.seconds(since: $0)) } ?? 0
    guard progress.cadenceHertz != nil else {
      base = nil
      return
    }
    var base = self.base ?? altitude(before: t, progress, interval: elapsed)
    base += (now - base) * elapsed / (elapsed + Self.weatherTime)
    if now - base >= Self.floorHeight {
      totals.floorsAscended += 1
      base += Self.floorHeight
    } else if base - now >= Self.floorHeight {
      totals.floorsDescended += 1
      base -= Self.floorHeight
    }
    self.base = base
  }

  /// The altitude at the beginning of a walk that has just been detected.
  private func altitude(
    before t: Timestamp, _ progress: StepCounter.Progress, interval: Double
  ) -> Double {
    let ago = t.seconds(since: progress.time) + progress.activeSeconds
    let readings = interval > 0 ? Int(bounded: ago / interval) : 0
    return altitudes[max(0, Self.altitudesKept - 1 - readings)]
  }
}
