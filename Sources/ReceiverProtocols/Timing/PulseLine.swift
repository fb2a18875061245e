import Quantities

/// The straight line through the last pulses: the monotonic clock over true seconds.
///
/// Least squares, fitted a second time without residuals beyond five sigma: an interrupt can be
/// late, never early. Where the clock's rate has changed (a time daemon is running), the newest
/// pulses lie beyond the gate on one side; then all older pulses are removed.
struct PulseLine: Sendable {
  /// Most pulses of the fit: a minute, in which the rate of an oscillator in still air is constant.
  private static let memory = 64
  /// A rate from fewer pulses depends more on the jitter than on the clock.
  private static let fewestForRate = 8
  /// Residuals beyond this number of sigma are left out.
  private static let gate = 5.0
  /// This number of consecutive pulses beyond the gate on one side begins a new line.
  private static let fewestForNewLine = 4
  /// One sigma of a normal distribution in median absolute deviations.
  private static let sigmaOfDeviation = 1.4826
  /// Lower limit of sigma, s: no machine timestamps edges better, and the gate must not close.
  private static let finestSigma = 50e-9

  private var points: [(number: Int64, instant: Timestamp, correction: Double)] = []
  private var residuals: [Double] = []
  private var sorted: [Double] = []

  /// The newest pulse's number.
  private(set) var number: Int64 = 0
  /// The newest pulse's measured instant.
  private(set) var instant = Timestamp(nanoseconds: 0)
  /// The line's instant at the newest pulse's second, minus the measured instant, s.
  private(set) var offset = 0.0
  /// Seconds of the monotonic clock in one second.
  private(set) var clockRate = 1.0
  /// One sigma of the pulses about the line, s; nil while there are too few.
  private(set) var sigma: Double?

  /// True where there are enough pulses for a rate.
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

  /// Adds a pulse; the correction, s, is added to its instant.
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

  /// True seconds from the newest pulse's second to an instant.
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

  /// A pulse's corrected instant relative to the newest pulse's, minus the seconds between the two,
  /// s.
  private func height(_ point: (number: Int64, instant: Timestamp, correction: Double)) -> Double {
    point.instant.seconds(since: instant) + point.correction - Double(point.number - number)
  }

  /// Fits the line to the points whose residuals are within a limit, s.
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
    // The slope of two points depends on their jitter only.
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
