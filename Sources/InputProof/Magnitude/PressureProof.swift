import Quantities
import RealModule

/// Whether pressures are right: by the first samples, since programs start on the ground, by a
/// receiver's height and its changes, by another barometer of the board, and by the thermometer
/// with which the chip corrects itself.
struct PressureProof: Sendable {
  /// Pressures on the ground, hectopascal: the summit of Everest and the highest at sea level.
  private static let ground = 300.0...1100.0
  /// Where most people live: a factor must bring a pressure here.
  private static let usual = 650.0...1085.0
  /// Ratios of measured to expected pressure at a receiver's height that are no fault: the weather
  /// changes it by up to 6 %.
  private static let possible = 0.88...1.14
  /// Heights that are compared, m, and the largest speed, m/s: higher or faster, people sit in
  /// cabins whose pressure is kept up.
  private static let (heights, slow) = (-500.0...5000.0, 60.0)
  /// The height above which a cabin's pressure differs from the outside's by more than `possible`,
  /// m.
  private static let cabin = 1000.0
  /// Samples on the ground, and fixes with the time that they must span, s, before a verdict.
  private static let (fewest, leastSpan) = (5, 30.0)
  /// Longest age of a pressure beside a fix, s.
  private static let longestAge = 5.0

  /// Largest difference of two barometers, hPa: chips differ by 2, and one metre of height is 0.12.
  /// After `swings` larger jumps, each back within a second, the samples are from two barometers.
  private static let (apart, swings) = (6.0, 10)
  /// Possible temperatures of a chip, degrees Celsius, and how many more samples outside than
  /// inside show a faulty thermometer.
  private static let (service, strange) = (-45.0...95.0, 20)
  /// The fall of the logarithm of the pressure per metre, and the factors on it that weather, warm
  /// air and suction at speed explain.
  private static let (fall, possibleFall) = (1 / 8434.0, 0.7...1.4)
  /// The least root mean square deviation of the height from its mean, m, fixes, and correlation,
  /// that show the fall.
  private static let slope = (height: 25.0, fixes: 100, correlation: 0.9)
  /// The longest time of the heights that are compared, s: the weather changes by 1 hPa, 8 m, in an
  /// hour.
  private static let longestSlope = 1200.0

  /// True divided by measured pressure, where the measured one is contradicted.
  private(set) var factor: Double?
  /// A fault other than a wrong unit.
  private(set) var fault: InputVerdicts.PressureFault?
  /// Whether a receiver's heights confirm it.
  private(set) var isProven = false
  private var newest: (hectopascal: Double, at: Timestamp)?
  /// Counts of the first samples, of those outside `ground`, and of the fixes in a row that
  /// contradict the pressure, with the time of the first one.
  private var (samples, outside) = (0, 0)
  private var contradictions = (count: 0, since: Timestamp(nanoseconds: 0))

  private var confirmations = 0
  /// The newest jump, hPa, its time, and how often it went back and forth.
  private var swing = (newest: 0.0, at: Timestamp(nanoseconds: 0), count: 0)
  private var strangeTemperatures = 0
  /// Height and logarithm of the pressure: sums since `first`.
  private var heights = (
    count: 0.0, first: (height: 0.0, logarithm: 0.0, at: Timestamp(nanoseconds: 0))
  )
  private var sums = (h: 0.0, p: 0.0, hh: 0.0, hp: 0.0, pp: 0.0)

  /// Adds a sample.
  mutating func add(_ sample: PressureSample) {
    let (hectopascal, t) = (sample.hectopascal, sample.timestamp)
    if let celsius = sample.celsius { judge(celsius: celsius) }
    guard hectopascal > 0, hectopascal.isFinite else { return }
    judgeSwing(to: hectopascal, at: t)
    newest = (hectopascal, t)
    guard samples < Self.fewest else { return }
    samples += 1
    if !Self.ground.contains(hectopascal) { outside += 1 }
    // A single garbled sample does not show a wrong unit.
    guard outside == Self.fewest else { return }
    let unit = SampleUnit.others(of: .pressure).first {
      Self.usual.contains(hectopascal * $0.factor)
    }
    factor = unit?.factor ?? 1013.25 / hectopascal
  }

  /// Compares the newest pressure with a receiver's height above the sea, m; its speed in m/s, if
  /// known.
  mutating func compare(altitudeMetres altitude: Double, speed: Double?, at t: Timestamp) {
    guard let newest, abs(t.seconds(since: newest.at)) < Self.longestAge,
      Self.heights.contains(altitude), speed ?? 0 < Self.slow
    else { return }
    // The standard atmosphere below 11 km.
    let expected = 1013.25 * Double.pow(1 - 2.25577e-5 * altitude, 5.25588)
    let ratio = newest.hectopascal / expected
    guard !Self.possible.contains(ratio) else {
      (factor, contradictions.count) = (nil, 0)
      confirmations += 1
      isProven = confirmations >= Self.fewest && fault == nil
      if speed != nil { judgeFall(altitude, Double.log(newest.hectopascal), at: t) }
      return
    }
    (confirmations, isProven) = (0, false)
    // Without a speed it may be a cabin.
    if speed == nil, ratio > 1, altitude > Self.cabin, Self.ground.contains(newest.hectopascal) {
      return
    }
    if contradictions.count == 0 { contradictions.since = t }
    contradictions.count += 1
    if contradictions.count >= Self.fewest,
      t.seconds(since: contradictions.since) >= Self.leastSpan
    {
      factor = 1 / ratio
    }
  }

  /// Detects two barometers whose samples alternate.
  private mutating func judgeSwing(to hectopascal: Double, at t: Timestamp) {
    guard let newest, t.seconds(since: newest.at) < 1 else { return swing.count = 0 }
    let jump = hectopascal - newest.hectopascal
    // Two samples of the same chip in a row are no jump.
    guard abs(jump) > Self.apart else { return }
    let isBack =
      swing.count > 0 && t.seconds(since: swing.at) < 1
      && abs(jump + swing.newest) < Self.apart / 2
    swing = (jump, t, isBack ? swing.count + 1 : 1)
    if swing.count >= Self.swings { (fault, isProven) = (.two(apart: abs(jump)), false) }
  }

  private mutating func judge(celsius: Double) {
    let isStrange = !Self.service.contains(celsius)
    strangeTemperatures = max(0, min(Self.strange, strangeTemperatures + (isStrange ? 1 : -1)))
    if isStrange, strangeTemperatures == Self.strange {
      (fault, isProven) = (.thermometer(celsius: celsius), false)
    } else if strangeTemperatures == 0, case .thermometer? = fault {
      fault = nil
    }
  }

  /// Follows how the pressure falls with the height.
  private mutating func judgeFall(_ height: Double, _ logarithm: Double, at t: Timestamp) {
    if heights.count == 0 || t.seconds(since: heights.first.at) > Self.longestSlope {
      heights = (0, (height, logarithm, t))
      sums = (0, 0, 0, 0, 0)
    }
    let (h, p) = (height - heights.first.height, logarithm - heights.first.logarithm)
    heights.count += 1
    sums = (sums.h + h, sums.p + p, sums.hh + h * h, sums.hp + h * p, sums.pp + p * p)
    let n = heights.count
    guard Int(bounded: n) % Self.slope.fixes == 0 else { return }
    let (hh, hp, pp) = (
      sums.hh / n - sums.h * sums.h / (n * n), sums.hp / n - sums.h * sums.p / (n * n),
      sums.pp / n - sums.p * sums.p / (n * n)
    )
    guard hh > Self.slope.height * Self.slope.height else { return }
    let isLinear = hp * hp > Self.slope.correlation * Self.slope.correlation * hh * pp
    let share = -hp / hh / Self.fall
    // A pressure that does not change at all while the height does is a closed box.
    let isFlat = share < 0.3 && pp < hh * Self.fall * Self.fall * 0.25
    guard isLinear && !Self.possibleFall.contains(share) || isFlat else { return }
    (fault, isProven) = (.fall(share: share), false)
  }
}
