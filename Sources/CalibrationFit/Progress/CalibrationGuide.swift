import Quantities
import RealModule

/// Computes the progress of a calibration and the most useful next step, from its observations and
/// newest fit.
public struct CalibrationGuide: Sendable {
  /// The mounting of the sensor on the body, for the names of the sides.
  public var mounting: Rotation<SensorFrame, BodyFrame>
  /// The attitudes that the calibration is for; nil where none were chosen: tilts are then advised
  /// too.
  public var use: CalibrationUse?

  /// A board with less tilt is level, rad.
  private static var levelTilt: Double { 12 * .pi / 180 }
  /// Number of level headings needed.
  private static var wantedBins: Int { 27 }
  /// Number of level headings that may be missing after a whole turn: fast stretches skip some.
  private static var toleratedBins: Int { 2 }
  /// Predicted error of the level board below which tilting is more useful than turning, rad.
  private static var levelGoal: Double { 4 * .pi / 180 }
  /// Observations above this rate give little information, rad/s.
  private static var fastestRate: Double { 3.5 }
  /// Duration of rest at the start, s.
  private static var restSeconds: Double { 2 }

  /// Makes a guide.
  public init(mounting: Rotation<SensorFrame, BodyFrame>, use: CalibrationUse? = nil) {
    (self.mounting, self.use) = (mounting, use)
  }

  /// Computes the progress.
  /// - Parameters:
  ///   - observations: The observations so far, in order of time.
  ///   - outcome: The newest fit; nil before the first.
  ///   - yaw: Magnetic north relative to the gyroscope's reference axes by that fit.
  ///   - isDisturbed: True if the observations contradict each other.
  /// - Returns: The progress.
  public func progress(
    _ observations: [FieldObservation], outcome: CalibrationOutcome?, yaw: Angle?,
    isDisturbed: Bool = false
  ) -> CalibrationProgress {
    var p = CalibrationProgress()
    (p.use, p.isUseStated) = (use ?? outcome?.use ?? .anyAttitude, use != nil)
    guard let first = observations.first, let last = observations.last else { return p }
    p.seconds = last.timestamp.seconds(since: first.timestamp)
    p.observationCount = observations.count
    visit(observations, &p)
    if let outcome {
      predict(outcome.estimate, firstBearing(observations), yaw, &p)
      p.worstError = outcome.predictedHeadingError
      p.levelError = outcome.predictedLevelError
      p.quality = outcome.quality
    }
    p.advice = isDisturbed ? .leaveDisturbance : advice(p, last)
    return p
  }

  // MARK: Attitudes

  private func visit(_ observations: [FieldObservation], _ p: inout CalibrationProgress) {
    let start = firstBearing(observations)
    for o in observations {
      guard let axes = o.axes, let place = tilt(axes.down) else { continue }
      p.sphere.visits[place.row * TiltSphere.columns + place.column] += 1
      p.tiltNow = place
      p.bearingNow = nil
      guard let bearing = bearing(axes), let start, isLevel(axes.down) else { continue }
      let bin = Self.bin(bearing - start)
      p.ring.visits[bin] += 1
      p.bearingNow = bin
    }
  }

  private func isLevel(_ down: SIMD3<Double>) -> Bool {
    guard let d = mounting.rotate(down).normalized else { return false }
    return d.z > Double.cos(Self.levelTilt)
  }

  /// The cell of a direction of gravity along the sensor's axes.
  private func tilt(_ down: SIMD3<Double>) -> (row: Int, column: Int)? {
    guard let d = mounting.rotate(down).normalized else { return nil }
    let row = Int(bounded: Double.acos(min(1, max(-1, d.z))) / .pi * Double(TiltSphere.rows))
    let turn = Double.atan2(y: d.y, x: d.x) / (2 * .pi)
    let column = Int(bounded: (turn - turn.rounded(.down)) * Double(TiltSphere.columns))
    return (min(row, TiltSphere.rows - 1), min(column, TiltSphere.columns - 1))
  }

  /// Direction of the bow relative to the gyroscope's reference axes, radians.
  private func bearing(_ axes: ReferenceAxes) -> Double? {
    guard axes.isYawCarried else { return nil }
    let bow = mounting.inverse.rotate(SIMD3(1, 0, 0))
    return Double.atan2(y: axes.y.dot(bow), x: axes.x.dot(bow))
  }

  private func firstBearing(_ observations: [FieldObservation]) -> Double? {
    observations.lazy.compactMap { $0.axes.flatMap { bearing($0) } }.first
  }

  private static func bin(_ bearing: Double) -> Int {
    let turn = bearing / (2 * .pi)
    return min(
      Int(bounded: (turn - turn.rounded(.down)) * Double(LevelRing.bins)), LevelRing.bins - 1)
  }

  // MARK: Prediction

  private func predict(
    _ estimate: DistortionEstimate, _ start: Double?, _ yaw: Angle?, _ p: inout CalibrationProgress
  ) {
    guard let prediction = HeadingErrorPrediction(estimate) else { return }
    for row in 0..<TiltSphere.rows {
      for column in 0..<TiltSphere.columns {
        let tilt = (Double(row) + 0.5) / Double(TiltSphere.rows) * .pi
        let side = (Double(column) + 0.5) / Double(TiltSphere.columns) * 2 * .pi
        let down = SIMD3(
          Double.sin(tilt) * Double.cos(side), Double.sin(tilt) * Double.sin(side),
          Double.cos(tilt))
        p.sphere.error[row * TiltSphere.columns + column] = prediction.worst(
          down: mounting.inverse.rotate(down), bins: 8)
      }
    }
    let down = mounting.inverse.rotate(SIMD3(0, 0, 1))
    for bin in 0..<LevelRing.bins {
      let bearing = (start ?? 0) + (Double(bin) + 0.5) / Double(LevelRing.bins) * 2 * .pi
      let heading = bearing - (yaw?.radians ?? 0)
      // North is to the left of the bow by the heading.
      let north = mounting.inverse.rotate(
        SIMD3(Double.cos(heading), -Double.sin(heading), 0))
      p.ring.error[bin] = prediction.sigma(down: down, north: north)
    }
  }

  // MARK: Advice

  private func advice(_ p: CalibrationProgress, _ last: FieldObservation) -> CalibrationAdvice {
    if let rate = last.rate, rate > Self.fastestRate { return .slower }
    if p.seconds < Self.restSeconds { return .holdStill }
    let seen = p.ring.visits.count { $0 > 0 }
    let hasYaw = last.axes?.isYawCarried == true
    if use == .level { return levelAdvice(p, missing: hasYaw ? LevelRing.bins - seen : 0) }
    // Without a statement the board may still be tilted.
    if p.quality == .good, p.use == .anyAttitude { return .done }
    // A board that is turned over covers the level headings as well.
    let isLevelOpen = p.levelError.map { $0.radians > Self.levelGoal } ?? true
    if isLevelOpen, hasYaw, seen < Self.wantedBins {
      return .turnLevel(missing: Angle(degrees: Double(10 * (LevelRing.bins - seen))))
    }
    return .tilt(down: worstSide(p))
  }

  /// The advice for a board that stays level. After a whole turn the error is mostly that of a
  /// rotation of the sensor in its case, which level motion does not show.
  private func levelAdvice(_ p: CalibrationProgress, missing: Int) -> CalibrationAdvice {
    let isUsable = p.quality == .good || p.quality == .fair
    if isUsable, missing <= Self.toleratedBins { return .done }
    return .turnLevel(missing: Angle(degrees: Double(10 * missing)))
  }

  /// The side with the largest predicted error for tilts of 20 to 60 degrees; before the first fit
  /// the side with the fewest observations.
  private func worstSide(_ p: CalibrationProgress) -> AxisDirection {
    let sides: [AxisDirection] = [.forward, .right, .backward, .left]
    var worst: (side: AxisDirection, value: Double) = (.forward, -.infinity)
    for (n, side) in sides.enumerated() {
      var value = 0.0
      for row in 1...2 {
        for offset in -2...1 {
          let quarter = Double(n) / 4 * Double(TiltSphere.columns)
          let column =
            (Int(bounded: quarter.rounded()) + offset + TiltSphere.columns) % TiltSphere.columns
          let cell = row * TiltSphere.columns + column
          value += p.sphere.error[cell] ?? -Double(p.sphere.visits[cell])
        }
      }
      if value > worst.value { worst = (side, value) }
    }
    return worst.side
  }
}
