import Quantities
import RealModule

/// The unknowns of the forward fit and their positions in its vector.
struct ForwardState: Equatable, Sendable {
  var distortion = FieldDistortion.none
  var field = EarthField(horizontal: 25, down: 0)
  /// Delay of the magnetometer relative to the inertial unit, s.
  var latency = 0.0
  /// Relative error of the gyroscope's yaw.
  var rateScale = 0.0
  /// Constant drift of the gyroscope's yaw, rad/s.
  var drift = 0.0
  /// Magnetic north relative to the gyroscope's reference x axis at each knot, rad.
  var yaw: [Double] = [0]

  static var offset: Int { 9 }
  static var horizontal: Int { 12 }
  static var down: Int { 13 }
  static var latency: Int { 14 }
  static var rateScale: Int { 15 }
  static var drift: Int { 16 }
  static var yaw: Int { 17 }

  /// Number of unknowns.
  var order: Int { Self.yaw + yaw.count }

  /// The unknown at a position of the vector.
  subscript(i: Int) -> Double {
    get {
      switch i {
      case 0..<9: distortion.shape[i / 3, i % 3]
      case 9..<12: distortion.offset[i - Self.offset]
      case Self.horizontal: field.horizontal
      case Self.down: field.down
      case Self.latency: latency
      case Self.rateScale: rateScale
      case Self.drift: drift
      default: yaw[i - Self.yaw]
      }
    }
    set {
      switch i {
      case 0..<9: distortion.shape[i / 3, i % 3] = newValue
      case 9..<12: distortion.offset[i - Self.offset] = newValue
      case Self.horizontal: field.horizontal = newValue
      case Self.down: field.down = newValue
      case Self.latency: latency = newValue
      case Self.rateScale: rateScale = newValue
      case Self.drift: drift = newValue
      default: yaw[i - Self.yaw] = newValue
      }
    }
  }
}

/// The position of a time between two knots of the yaw.
struct KnotPlace: Equatable, Sendable {
  /// Index of the knot before.
  var index: Int
  /// Weight of the knot after, 0 to 1.
  var share: Double
}

/// The knots of the gyroscope's yaw drift.
struct KnotGrid: Equatable, Sendable {
  let start: Timestamp
  let interval: Double
  let count: Int

  init(from start: Timestamp, to end: Timestamp, _ p: ForwardFit.Parameters) {
    self.start = start
    let seconds = max(0, end.seconds(since: start))
    let pieces = max(1, min(p.mostKnots - 1, Int(bounded: (seconds / p.knotInterval).rounded(.up))))
    interval = max(seconds / Double(pieces), 1e-3)
    count = pieces + 1
  }

  func place(of timestamp: Timestamp) -> KnotPlace {
    let t = min(max(timestamp.seconds(since: start) / interval, 0), Double(count - 1))
    let index = min(Int(bounded: t), count - 2)
    return KnotPlace(index: index, share: t - Double(index))
  }
}

/// The predicted field of one observation without distortion, and its derivatives.
struct ForwardPrediction {
  /// The earth's field along the sensor's axes, as it is reported.
  let field: SIMD3<Double>
  let byHorizontal: SIMD3<Double>
  let byDown: SIMD3<Double>
  let byLatency: SIMD3<Double>
  let byYaw: SIMD3<Double>

  init(_ axes: ReferenceAxes, _ state: ForwardState, _ knot: KnotPlace) {
    let yaw =
      state.yaw[knot.index] * (1 - knot.share) + state.yaw[knot.index + 1] * knot.share
      + state.rateScale * axes.turned
    let (c, s) = (Double.cos(yaw), Double.sin(yaw))
    let north: SIMD3<Double> = axes.x * c + axes.y * s
    let east: SIMD3<Double> = axes.y * c - axes.x * s
    let northRate: SIMD3<Double> = axes.xRate * c + axes.yRate * s
    let eastRate: SIMD3<Double> = axes.yRate * c - axes.xRate * s
    // A late sensor reports the field of an earlier time.
    byHorizontal = north - northRate * state.latency
    byDown = axes.down - axes.downRate * state.latency
    let h = state.field.horizontal
    let rate: SIMD3<Double> = northRate * h + axes.downRate * state.field.down
    byLatency = -rate
    byYaw = (east - eastRate * state.latency) * h
    field = byHorizontal * h + byDown * state.field.down
  }
}
