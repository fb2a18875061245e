import Quantities
import RealModule

/// Altitude above mean sea level and vertical speed from pressure altitude, with GNSS altitude or a
/// QNH as reference.
///
/// Model. Three states: altitude, vertical speed, and the offset between altitude and pressure
/// altitude. The barometer measures altitude less offset, precisely and without delay. GNSS
/// measures altitude, coarsely and with errors that last for a minute. The offset drifts with the
/// weather and, in a car, with fan and windows. A QNH sets the offset once. Without a reference the
/// altitude is unknown, but the vertical speed is known.
public struct AltitudeFilter: Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Vertical acceleration that is not modelled, m/s²·√s. Small: only slow lifts are followed;
    /// large: noise shows.
    public var accelerationNoise = 0.5
    /// Error of one pressure altitude, m. BMP280 (BST-BMP280-DS001, table 2): ±0.12 hPa relative, 1 m;
    /// noise 1.3 Pa, 0.11 m. Draughts dominate.
    public var pressureSigma = 0.5
    /// Drift of the offset, m/√s: 4 to 12 m in an hour's drive (the project's recorded drives).
    public var offsetDrift = 0.12
    /// Correlation time of GNSS altitude errors, s (exponential): all fixes within twice that time
    /// together have the weight of one.
    public var fixCorrelationTime = 30.0
    /// Altitude error of a QNH in the region, m: 1 hPa of pressure gradient and age is 8 m.
    public var qnhSigma = 8.0
    /// Error of a height difference by pressure, as a fraction: air that is 6 kelvin off the standard's
    /// stretches the scale by 2 %.
    public var scaleError = 0.02
    /// Assumed one-sigma accuracy of a fix without one, m.
    public var unstatedFixSigma = 10.0

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters of the filter.
  public var parameters: Parameters
  private var state = SIMD3<Double>.zero
  private var covariance = Matrix3.zero
  private var timestamp: Timestamp?
  private var hasPressure = false
  private var lastFix: Timestamp?
  /// The altitude of the reference, m: the scale error grows with the distance from it.
  private var referenceMetres = 0.0
  /// True once GNSS or a QNH has given a reference.
  public private(set) var isReferenced = false

  /// Makes a filter without an altitude.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Metres above mean sea level; nil without a reference.
  public var altitudeMetres: Double? { isReferenced ? state.x : nil }
  /// One sigma of the altitude, metres.
  public var accuracyMetres: Double? {
    guard isReferenced else { return nil }
    let stretched = parameters.scaleError * (state.x - referenceMetres)
    return (max(covariance[0, 0], 0) + stretched * stretched).squareRoot()
  }
  /// Metres per second, up; nil until it is known to 1 m/s.
  public var verticalSpeedMetresPerSecond: Double? {
    timestamp != nil && covariance[1, 1] < 1 ? state.y : nil
  }
  /// The vertical speed with any uncertainty, metres per second up, with its one sigma; nil before
  /// a sample.
  public var verticalMotion: (metresPerSecond: Double, sigma: Double)? {
    timestamp.map { _ in (state.y, max(covariance[1, 1], 0).squareRoot()) }
  }

  /// Sets the reference by the pressure altitude that a QNH gives, in metres above mean sea level.
  public mutating func reference(altitudeByQNHMetres altitude: Double, at t: Timestamp) {
    advance(to: t)
    measure(SIMD3(1, 0, 0), altitude, parameters.qnhSigma * parameters.qnhSigma)
    isReferenced = true
    // A QNH is exact at sea level.
    referenceMetres = 0
  }

  /// Processes a pressure altitude, metres in the standard atmosphere.
  public mutating func update(pressureAltitudeMetres h: Double, at t: Timestamp) {
    guard h.isFinite else { return }
    let wasEmpty = timestamp == nil
    advance(to: t)
    let r = parameters.pressureSigma * parameters.pressureSigma
    if wasEmpty {
      // Altitude and offset are unknown together; only their difference is measured.
      state = SIMD3(h, 0, 0)
      hasPressure = true
    } else if !hasPressure {
      // GNSS came first: altitude is known, so the offset follows.
      hasPressure = true
      state.z = state.x - h
      covariance[2, 2] = covariance[0, 0] + r
      for i in 0..<2 {
        covariance[i, 2] = covariance[i, 0]
        covariance[2, i] = covariance[0, i]
      }
      return
    }
    measure(SIMD3(1, 0, -1), h, r)
  }

  /// Processes a receiver's altitude, metres above mean sea level, with its one-sigma accuracy.
  public mutating func update(fixAltitudeMetres h: Double, sigmaMetres: Double?, at t: Timestamp) {
    guard h.isFinite else { return }
    let sigma = max(sigmaMetres ?? parameters.unstatedFixSigma, 0.01)
    if timestamp == nil { state.x = h }
    advance(to: t)
    // Correlated errors are weighted by time, not by count.
    let independent = 2 * parameters.fixCorrelationTime
    let elapsed = lastFix.map { max(t.seconds(since: $0), 1e-3) } ?? independent
    let repetition = max(1, independent / elapsed)
    measure(SIMD3(1, 0, 0), h, sigma * sigma * (isReferenced ? repetition : 1))
    lastFix = t
    isReferenced = true
    referenceMetres = state.x
  }

  /// A copy of the filter propagated to a later time without a measurement.
  public func carried(to t: Timestamp) -> AltitudeFilter {
    var copy = self
    if timestamp != nil { copy.advance(to: t) }
    return copy
  }

  /// The time of the newest sample.
  public var newest: Timestamp? { timestamp }

  private mutating func advance(to t: Timestamp) {
    guard let last = timestamp else {
      timestamp = t
      // Covers any place on earth, vertical speeds of a lift, and any weather.
      covariance = Matrix3(diagonal: SIMD3(1e7, 4, 1e7))
      return
    }
    let dt = t.seconds(since: last)
    guard dt > 0 else { return }
    timestamp = t
    state.x += state.y * dt
    let f = Matrix3(rows: SIMD3(1, dt, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    let q = parameters.accelerationNoise * parameters.accelerationNoise
    let drift = hasPressure ? parameters.offsetDrift * parameters.offsetDrift * dt : 0
    // White acceleration integrated once and twice.
    let noise = Matrix3(
      rows: SIMD3(q * dt * dt * dt / 3, q * dt * dt / 2, 0), SIMD3(q * dt * dt / 2, q * dt, 0),
      SIMD3(0, 0, drift))
    covariance = (f * covariance * f.transposed + noise).symmetrized
  }

  private mutating func measure(_ h: SIMD3<Double>, _ value: Double, _ variance: Double) {
    let g = covariance * h
    let gain = g / (h.dot(g) + variance)
    state += gain * (value - h.dot(state))
    // Joseph form: stays positive though altitude and offset start ten million times wider.
    let a = Matrix3.identity - .outer(gain, h)
    covariance =
      (a * covariance * a.transposed + .outer(gain, gain) * variance).symmetrized
  }
}
