import Quantities

/// Turns samples of field and attitude into observations: means over a fifth of a second.
///
/// Noise of the sensor averages out; what remains is what the fit has to explain. The attitude comes from
/// whoever carries it by gyroscope and accelerometer alone. For a board without a gyroscope there is
/// `GravityFieldObserver`.
public struct FieldObserver: Sendable {
  /// The length of the mean, s. Small: more observations that say the same; large: fast turns lose leverage.
  public var interval = 0.2
  /// A pause longer than this ends an observation, s: nobody knows what was between.
  public var longestPause = 0.5

  private var start: Timestamp?
  private var last: Timestamp?
  private var count = 0.0
  private var fieldSum = SIMD3<Double>.zero
  private var axesSum: ReferenceAxes?
  private var rateSum = 0.0
  private var turned = 0.0
  private var stretch = 0
  private var blindUntil: Timestamp?
  private var yawBlindUntil: Timestamp?

  /// So long after an accelerometer's flat top level is not taken for known, s.
  private static var levelTime: Double { 0.3 }
  /// So long after a gyroscope's, s: the filter finds level anew.
  private static var yawTime: Double { 2 }

  /// Makes an observer that has seen nothing.
  public init() {}

  /// Says that the orientation is unreliable, since an inertial sensor stood at the end of its range.
  ///
  /// What is being collected is dropped, and so is what follows until level has been found anew.
  /// - Parameters:
  ///   - timestamp: When.
  ///   - loss: What became unreliable.
  public mutating func interrupt(at timestamp: Timestamp, _ loss: OrientationLoss) {
    clear()
    let seconds: Double
    switch loss {
    case .level: seconds = Self.levelTime
    case .yaw:
      seconds = Self.yawTime
      if yawBlindUntil.map({ timestamp > $0 }) ?? true { stretch += 1 }
    }
    let end = timestamp.advanced(byNanoseconds: UInt64(seconds * 1e9))
    if loss == .yaw { yawBlindUntil = end }
    blindUntil = max(blindUntil ?? end, end)
  }

  /// Takes in a field sample.
  /// - Parameters:
  ///   - field: The raw field, microtesla along the sensor's axes.
  ///   - timestamp: When it was told.
  ///   - attitude: The sensor above level axes whose yaw the gyroscope carries.
  ///   - rate: The angular rate along the sensor's axes without its bias, rad/s.
  /// - Returns: An observation where an interval has ended.
  public mutating func add<Earth: Frame, Axes: Frame>(
    field: SIMD3<Double>, at timestamp: Timestamp, attitude: Rotation<Axes, Earth>,
    rate: SIMD3<Double>
  ) -> FieldObservation? {
    let (x, y, down) = attitude.rows
    if let last, timestamp > last {
      turned += rate.dot(down) * min(timestamp.seconds(since: last), longestPause)
    }
    if let blindUntil, timestamp < blindUntil {
      last = timestamp
      return nil
    }
    return add(
      field, timestamp, rate.length,
      ReferenceAxes(
        x: x, y: y, down: down, xRate: x.cross(rate), yRate: y.cross(rate),
        downRate: down.cross(rate), isYawCarried: true, turned: turned))
  }

  private mutating func add(
    _ field: SIMD3<Double>, _ timestamp: Timestamp, _ rate: Double, _ axes: ReferenceAxes
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
    fieldSum += field
    rateSum += rate
    count += 1
    return finished
  }

  private func observation(from start: Timestamp, to end: Timestamp) -> FieldObservation? {
    guard count > 0 else { return nil }
    return FieldObservation(
      timestamp: start.advanced(byNanoseconds: (end.nanoseconds &- start.nanoseconds) / 2),
      field: fieldSum / count,
      axes: axesSum?.divided(by: count), rate: rateSum / count, stretch: stretch)
  }

  private mutating func clear() {
    start = nil
    count = 0
    fieldSum = .zero
    axesSum = nil
    rateSum = 0
  }
}

/// What of a carried orientation became unreliable.
public enum OrientationLoss: Sendable {
  /// The accelerometer stood at the end of its range: level is pulled aside for a moment.
  case level
  /// The gyroscope did: the sensor turned by more than it gave, and yaw begins anew.
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
