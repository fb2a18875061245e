import Quantities

/// Converts samples of field and attitude to observations: means over a fifth of a second.
///
/// Sensor noise averages out; the fit has to explain the rest. The attitude must come from
/// gyroscope and accelerometer alone. `GravityFieldObserver` is for a board without a gyroscope.
public struct FieldObserver: Sendable {
  /// Averaging time, s. Small: more redundant observations; large: fast turns have less effect.
  public var interval = 0.2
  /// A longer gap ends an observation, s: the rotation in it is unknown.
  public var longestPause = 0.5

  private var start: Timestamp?
  private var last: Timestamp?
  private var count = 0.0
  private var fieldSum = SIMD3<Double>.zero
  private var axesSum: ReferenceAxes?
  private var rateSum = 0.0
  private var turned = 0.0
  private var stretch = 0
  private var isLevelCertain = true
  private var unreliableUntil: Timestamp?
  private var yawUnreliableUntil: Timestamp?

  /// Time after an accelerometer's limit during which level is unknown, s.
  private static var levelTime: Double { 0.3 }
  /// Time after a gyroscope's limit during which yaw is unknown, s: level is estimated again.
  private static var yawTime: Double { 2 }

  /// Makes an observer without samples.
  public init() {}

  /// Marks the orientation as unreliable because an inertial sensor was at its limit.
  ///
  /// The current interval is discarded, and so are samples until level has been found again.
  /// - Parameters:
  ///   - timestamp: The time of the sample at the limit.
  ///   - loss: What became unreliable.
  public mutating func interrupt(at timestamp: Timestamp, _ loss: OrientationLoss) {
    clear()
    let seconds: Double
    switch loss {
    case .level: seconds = Self.levelTime
    case .yaw:
      seconds = Self.yawTime
      if yawUnreliableUntil.map({ timestamp > $0 }) ?? true { stretch += 1 }
    }
    let end = timestamp.advanced(bySeconds: seconds)
    if loss == .yaw { yawUnreliableUntil = end }
    unreliableUntil = max(unreliableUntil ?? end, end)
  }

  /// Adds a field sample.
  /// - Parameters:
  ///   - field: The raw field, microtesla along the sensor's axes.
  ///   - timestamp: The time of the sample.
  ///   - attitude: The rotation from sensor axes to level axes with the gyroscope's yaw.
  ///   - rate: The angular rate along the sensor's axes without its bias, rad/s.
  ///   - isLevelCertain: False while a lasting acceleration makes the direction of gravity
  ///     doubtful.
  /// - Returns: An observation if an interval has ended.
  public mutating func add<Earth: Frame, Axes: Frame>(
    field: SIMD3<Double>, at timestamp: Timestamp, attitude: Rotation<Axes, Earth>,
    rate: SIMD3<Double>, isLevelCertain: Bool = true
  ) -> FieldObservation? {
    let (x, y, down) = attitude.rows
    if let last, timestamp > last {
      turned += rate.dot(down) * min(timestamp.seconds(since: last), longestPause)
    }
    if let unreliableUntil, timestamp < unreliableUntil {
      last = timestamp
      return nil
    }
    return add(
      field, timestamp, rate.length, isLevelCertain,
      ReferenceAxes(
        x: x, y: y, down: down, xRate: x.cross(rate), yRate: y.cross(rate),
        downRate: down.cross(rate), isYawCarried: true, turned: turned))
  }

  private mutating func add(
    _ field: SIMD3<Double>, _ timestamp: Timestamp, _ rate: Double, _ isLevelCertain: Bool,
    _ axes: ReferenceAxes
  ) -> FieldObservation? {
    guard field.isFinite else { return nil }
    var finished: FieldObservation?
    if let start, let last {
      let isPause = timestamp < last || timestamp.seconds(since: last) > longestPause
      if isPause || timestamp.seconds(since: start) >= interval {
        finished = observation(from: start, to: last)
        clear()
      }
    }
    axesSum = axesSum.map { $0.adding(axes) } ?? axes
    start = start ?? timestamp
    last = timestamp
    self.isLevelCertain = self.isLevelCertain && isLevelCertain
    fieldSum += field
    rateSum += rate
    count += 1
    return finished
  }

  private func observation(from start: Timestamp, to end: Timestamp) -> FieldObservation? {
    guard count > 0 else { return nil }
    var mean = FieldObservation(
      timestamp: start.advanced(byNanoseconds: (end.nanoseconds &- start.nanoseconds) / 2),
      field: fieldSum / count,
      axes: axesSum?.divided(by: count), rate: rateSum / count, stretch: stretch)
    mean.isLevelCertain = isLevelCertain
    return mean
  }

  private mutating func clear() {
    start = nil
    count = 0
    fieldSum = .zero
    axesSum = nil
    rateSum = 0
    isLevelCertain = true
  }
}

/// The unreliable part of an orientation.
public enum OrientationLoss: Sendable {
  /// The accelerometer was at its limit: level has an error for a moment.
  case level
  /// The gyroscope was at its limit: its rotation is too small, and yaw has a new origin.
  case yaw
}

extension ReferenceAxes {
  fileprivate func adding(_ o: ReferenceAxes) -> ReferenceAxes {
    ReferenceAxes(
      x: x + o.x, y: y + o.y, down: down + o.down, xRate: xRate + o.xRate, yRate: yRate + o.yRate,
      downRate: downRate + o.downRate, isYawCarried: isYawCarried && o.isYawCarried,
      turned: turned + o.turned)
  }

  fileprivate func divided(by n: Double) -> ReferenceAxes {
    ReferenceAxes(
      x: x / n, y: y / n, down: down / n, xRate: xRate / n, yRate: yRate / n,
      downRate: downRate / n, isYawCarried: isYawCarried, turned: turned / n)
  }
}
