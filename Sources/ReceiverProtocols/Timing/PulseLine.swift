import Quantities

/// The straight line through the last pulses: true seconds across, the monotonic clock's up.
///
/// Least squares, once more without what lies beyond five sigma: an interrupt can come late, never early.
/// Where the clock's rate is changed (a time daemon at work), the newest pulses leave the line all to one
/// side; then only they are kept.
struct PulseLine: Sendable {
  /// Pulses that the line goes through: a minute, in which an oscillator in still air keeps its rate.
  private static let memory = 64
  /// A rate out of fewer says more about the jitter than about the clock.
  private static let fewestForRate = 8
  /// Residuals beyond so many sigma are left out.
  private static let gate = 5.0
  /// So many pulses in a row beyond the gate on one side are a new line.
  private static let fewestForNewLine = 4
  /// One sigma of a normal distribution in median absolute deviations.
  private static let sigmaOfDeviation = 1.4826
  /// No machine stamps edges better than this, s; it keeps the gate open for faultless ones.
  private static let finestSigma = 50e-9

  private var points: [(number: Int64, instant: Timestamp, correction: Double)] = []
  private var residuals: [Double] = []
  private var sorted: [Double] = []

  /// The newest pulse's number.
  private(set) var number: Int64 = 0
  /// The newest pulse's instant, as it came.
  private(set) var instant = Timestamp(nanoseconds: 0)
  /// The line above the newest pulse's instant at its second, s.
  private(set) var offset = 0.0
  /// Seconds of the monotonic clock in one second.
  private(set) var clockRate = 1.0
  /// One sigma of the pulses about the line, s; nil while there are too few.
  private(set) var sigma: Double?

  /// True where the rate is that of enough pulses.
  var hasRate: Bool { points.count >= Self.fewestForRate }
  var isEmpty: Bool { points.isEmpty }

  init() {
    points.reserveCapacity(Self.memory)
    residuals.reserveCapacity(Self.memory)
    sorted.reserveCapacity(Self.memory)
  }

  mutating func clear() {
    points.removeAll(keepingCapacity: true)
    (clockRate, offset, sigma) = (1, 0, nil)
  }

  /// Takes in a pulse; the correction, s, is added to its instant.
  mutating func add(number: Int64, instant: Timestamp, correction: Double) {
    if points.count == Self.memory { points.removeFirst() }
    points.append((number, instant, correction))
    (self.number, self.instant) = (number, instant)
    fit()
    if newLineBegan {
      points.removeFirst(points.count - Self.fewestForNewLine)
      fit()
    }
  }

  /// How many true seconds after the newest pulse's second an instant is.
  func seconds(to t: Timestamp) -> Double { (t.seconds(since: instant) - offset) / clockRate }

  private mutating func fit() {
    (clockRate, offset, sigma) = (1, 0, nil)
    line(within: .infinity)
    guard points.count >= 3 else { return }
    measure()
    let spread = max(Self.finestSigma, deviation() * Self.sigmaOfDeviation)
    line(within: Self.gate * spread)
    measure()
    sigma = deviation() * Self.sigmaOfDeviation
  }

  /// Above the newest pulse's instant and beyond the seconds that have passed since it.
  private func height(_ point: (number: Int64, instant: Timestamp, correction: Double)) -> Double {
    point.instant.seconds(since: instant) + point.correction - Double(point.number - number)
  }

  /// Fits the points whose residuals are within a limit.
  private mutating func line(within limit: Double) {
    var (n, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, point) in points.enumerated() {
      if limit.isFinite, abs(residuals[index]) > limit { continue }
      let (x, y) = (Double(point.number - number), height(point))
      n += 1
      sx += x
      sy += y
      sxx += x * x
      sxy += x * y
    }
    let determinant = n * sxx - sx * sx
    // Two points' slope is their jitter.
    let slope = n >= 3 && determinant > 0 ? (n * sxy - sx * sy) / determinant : 0
    clockRate = 1 + slope
    offset = n > 0 ? (sy - slope * sx) / n : 0
  }

  private mutating func measure() {
    residuals.removeAll(keepingCapacity: true)
    for point in points {
      residuals.append(
        height(point) - offset - (clockRate - 1) * Double(point.number - number))
    }
  }

  private mutating func deviation() -> Double {
    sorted.removeAll(keepingCapacity: true)
    for residual in residuals { sorted.append(abs(residual)) }
    sorted.sort()
    return sorted[sorted.count / 2]
  }

  private var newLineBegan: Bool {
    guard points.count >= 3 * Self.fewestForNewLine, let sigma else { return false }
    let limit = Self.gate * max(sigma, Self.finestSigma)
    let newest = residuals.suffix(Self.fewestForNewLine)
    return newest.allSatisfy { $0 > limit } || newest.allSatisfy { $0 < -limit }
  }
}
