import Quantities

/// Finds what a load does to the field of a board that moves, sample by sample.
///
/// Model, along the sensor's axes: `field = A earth + offset + gain load + n`, A the reference axes that a
/// gyroscope carries (`FieldObservation.axes`). A Kalman filter of nine numbers: the earth's field along
/// the reference axes wanders (the gyroscope drifts, the place changes), which leaves only what goes with
/// the load faster than that; offset and gain forget slowly. Robust as the other fits. The field should be
/// calibrated: an uncalibrated one changes with the attitude, which chance may let go with the load.
///
/// What it cannot know: a place whose field changes each time the motor runs (a start from the same iron
/// quay) looks like the motor. Where the board can stand still, `LoadInterferenceFit` is the better judge.
public struct LoadInterferenceFilter: Equatable, Sendable {
  /// The tuning.
  public struct Parameters: Equatable, Sendable {
    /// The smallest error of the field that is believed, microtesla·√s; more is measured as it goes.
    /// Small: chance counts as interference in a quiet place; large: it is found late. A room bends the
    /// field by 2 microtesla (`StrapdownFilter.Parameters.roomSigma`), for about half a second.
    public var fieldNoise = 1.5
    /// How the earth's field along the reference axes wanders, microtesla/√s. Small: drift of the yaw is
    /// taken for interference; large: slow changes of the load are not seen.
    public var earthDrift = 0.3
    /// What the calibration left of the hard iron, one sigma, microtesla.
    public var offsetSigma = 5.0
    /// How it changes, microtesla/√s.
    public var offsetDrift = 0.01
    /// What full load makes beforehand, one sigma, microtesla.
    public var gainSigma = 30.0
    /// How that changes, microtesla/√s: forgetting. Small: a motor that was moved is learnt late.
    public var gainDrift = 0.01
    /// The error of the field that counts until it is measured, microtesla·√s. Small: what the first
    /// seconds say by chance is believed; large: they are lost.
    public var firstNoise = 10.0
    /// For how long the earth's field is sought before the noise is measured, s.
    public var settlingSeconds = 5.0
    /// A pause that is longer lets the field wander no more, s.
    public var longestStep = 10.0
    /// Share of full load by which the load must have varied.
    public var neededVariation = 0.3
    /// Chi-square of three numbers above which the field follows the load.
    public var significance = 25.0

    /// The default tuning.
    public init() {}
  }

  /// The tuning.
  public let parameters: Parameters
  /// Full load.
  public let fullLoad: Double
  /// The lag that the loads given are taken back by, seconds; told on in the result.
  public let lagSeconds: Double
  /// Earth along the reference axes, offset, field at full load.
  private var state = Array(repeating: 0.0, count: 9)
  private var covariance = Array(repeating: 0.0, count: 81)
  private var last: Timestamp?
  private var count = 0
  private var leftSquares = 0.0
  private var watch = NoiseWatch()
  private var (settled, usedInformation) = (0.0, 0.0)
  private var (smallest, largest) = (Double.infinity, -Double.infinity)
  private var (loadSum, loadSquares) = (0.0, 0.0)

  /// A filter that has seen nothing.
  /// - Parameters:
  ///   - fullLoad: Full load, above zero, in the load's unit.
  ///   - lagSeconds: By how much the field follows later than the load is told: `update` wants the load of
  ///     that long ago.
  ///   - parameters: The tuning.
  public init(
    fullLoad: Double, lagSeconds: Double = 0, parameters: Parameters = Parameters()
  ) {
    (self.fullLoad, self.lagSeconds, self.parameters) = (fullLoad, lagSeconds, parameters)
    for i in 0..<3 {
      // The strongest field of the earth, 67 microtesla.
      covariance[i * 10] = 67 * 67
      covariance[(i + 3) * 10] = parameters.offsetSigma * parameters.offsetSigma
      covariance[(i + 6) * 10] = parameters.gainSigma * parameters.gainSigma
    }
  }

  /// Takes an observation and the load `lagSeconds` before it.
  /// - Returns: False where it says nothing: no axes carried by a gyroscope, time that does not go on,
  ///   numbers that are none.
  @discardableResult
  public mutating func update(_ observation: FieldObservation, load: Double) -> Bool {
    guard let axes = observation.axes, axes.isYawCarried, observation.field.isFinite,
      load.isFinite, axes.x.isFinite, axes.y.isFinite, axes.down.isFinite, fullLoad > 0
    else { return false }
    guard let last else {
      self.last = observation.timestamp
      return true
    }
    let dt = observation.timestamp.seconds(since: last)
    guard dt > 0 else { return false }
    self.last = observation.timestamp
    let share = load / fullLoad
    predict(min(dt, parameters.longestStep))
    // An observation after a pause is still only one: its bend lasts a second.
    correct(observation.field, axes, share, min(dt, 1))
    count += 1
    (smallest, largest) = (min(smallest, load), max(largest, load))
    (loadSum, loadSquares) = (loadSum + share, loadSquares + share * share)
    return true
  }

  /// What has been found.
  /// - Throws: `LoadInterferenceError` where the load has not varied or the field does not follow it.
  public func result() throws(LoadInterferenceError) -> LoadInterference {
    guard count >= 50 else { throw .tooFewSamples(found: count, needed: 50) }
    let variation = (largest - smallest) / fullLoad
    guard variation >= parameters.neededVariation else {
      throw .loadDidNotVary(share: variation, needed: parameters.neededVariation)
    }
    let gain = SIMD3(state[6], state[7], state[8])
    // Where the noise turned out larger than what was counted with, so is the doubt.
    let more = max(1, (watch.density2 ?? 0) * usedInformation / Double(count))
    let variance = SIMD3(covariance[60], covariance[70], covariance[80]) * more
    guard (gain * gain / variance).sum() > parameters.significance else {
      throw .fieldDoesNotFollow(atMost: gain.length + 2 * variance.sum().squareRoot())
    }
    let mean = loadSum / Double(count)
    let made = gain.lengthSquared * max(0, loadSquares / Double(count) - mean * mean)
    let left = leftSquares / Double(count)
    return LoadInterference(
      gain: gain / fullLoad, gainSigma: variance.squareRoot() / fullLoad, curvature: .zero,
      proportion: .unknown, deviationShare: 0, lagSeconds: lagSeconds, lagSigmaSeconds: nil,
      fullLoad: fullLoad, smallestLoad: smallest, largestLoad: largest,
      residualMicrotesla: left.squareRoot(), explainedShare: made / max(1e-12, made + left),
      sampleCount: count)
  }

  // MARK: Mathematics

  /// A magnet in passing counts for no more than this as noise, microtesla.
  private static let largestSurprise = 20.0

  private mutating func predict(_ dt: Double) {
    let drifts = [parameters.earthDrift, parameters.offsetDrift, parameters.gainDrift]
    for i in 0..<9 { covariance[i * 10] += drifts[i / 3] * drifts[i / 3] * dt }
  }

  private static func row(_ axes: ReferenceAxes, _ axis: Int, _ share: Double) -> [Double] {
    var row = Array(repeating: 0.0, count: 9)
    (row[0], row[1], row[2]) = (axes.x[axis], axes.y[axis], axes.down[axis])
    row[3 + axis] = 1
    row[6 + axis] = share
    return row
  }

  private mutating func correct(
    _ field: SIMD3<Double>, _ axes: ReferenceAxes, _ share: Double, _ dt: Double
  ) {
    let first = parameters.firstNoise * parameters.firstNoise
    let density2 = max(parameters.fieldNoise * parameters.fieldNoise, watch.density2 ?? first)
    let noise = density2 / dt
    usedInformation += 1 / density2
    let rows = [
      Self.row(axes, 0, share), Self.row(axes, 1, share), Self.row(axes, 2, share),
    ]
    var square = 0.0
    var surprise = SIMD3<Double>.zero
    for axis in 0..<3 {
      let (left, variance, _) = innovation(rows[axis], field[axis])
      surprise[axis] = left
      square += left * left / (variance + noise)
    }
    let weight = robustWeight(square, dimensions: 3)
    // The first seconds find the earth's field: they are no noise.
    settled += dt
    if settled > parameters.settlingSeconds {
      let length = surprise.length
      watch.add(
        length > Self.largestSurprise ? surprise * (Self.largestSurprise / length) : surprise,
        seconds: dt)
    }
    for axis in 0..<3 {
      let (left, variance, gain) = innovation(rows[axis], field[axis])
      let total = variance + noise / weight
      for i in 0..<9 {
        state[i] += gain[i] * left / total
        for j in 0..<9 { covariance[i * 9 + j] -= gain[i] * gain[j] / total }
      }
      let (after, _, _) = innovation(rows[axis], field[axis])
      leftSquares += after * after
    }
  }

  /// What the model leaves of a measurement, its variance, and the covariance with the state.
  private func innovation(
    _ row: [Double], _ value: Double
  ) -> (left: Double, variance: Double, gain: [Double]) {
    var gain = Array(repeating: 0.0, count: 9)
    var (left, variance) = (value, 0.0)
    for i in 0..<9 {
      left -= row[i] * state[i]
      for j in 0..<9 { gain[i] += covariance[i * 9 + j] * row[j] }
      variance += row[i] * gain[i]
    }
    return (left, max(0, variance), gain)
  }
}
