import Quantities
import RealModule

/// The motion of a board during a calibration, as far as it decides the calibration's use.
struct SeenMotion {
  /// A larger tilt is no level use. Vehicles and boats in calm water stay below.
  static var levelTilt: Angle { Angle(degrees: 15) }
  /// The share of observations with a larger tilt that is a bump, not a tilt. Small: one bump of a
  /// robot decides; large: a short tilt by hand is overlooked.
  static var bumpShare: Double { 0.02 }
  /// Number of headings that are counted, each ten degrees.
  private static var headings: Int { 36 }

  /// The use that the motion permits. Without gravity the tilt is unknown.
  let use: CalibrationUse
  /// The range of headings by the gyroscope; nil without one.
  let turn: Angle?

  /// - Parameters:
  ///   - observations: The observations of the fit.
  ///   - down: The unit vector of gravity along the sensor's axes while the board is level.
  init(_ observations: [FieldObservation], down: SIMD3<Double>) {
    var (all, tilted) = (0, 0)
    var isSeen = Array(repeating: false, count: Self.headings)
    var hasYaw = false
    let limit = Double.cos(Self.levelTilt.radians)
    let (side, _) = HeadingErrorPrediction.level(down)
    for o in observations {
      guard let axes = o.axes, let gravity = axes.down.normalized else { continue }
      all += 1
      if gravity.dot(down) < limit { tilted += 1 }
      guard axes.isYawCarried else { continue }
      hasYaw = true
      // The direction of a level axis of the board along the gyroscope's reference axes.
      let turn = Double.atan2(y: axes.y.dot(side), x: axes.x.dot(side)) / (2 * .pi)
      let bin = Int(bounded: (turn - turn.rounded(.down)) * Double(Self.headings))
      isSeen[min(bin, Self.headings - 1)] = true
    }
    use = all > 0 && Double(tilted) <= Self.bumpShare * Double(all) ? .level : .anyAttitude
    let count = isSeen.count { $0 }
    turn = hasYaw ? Angle(degrees: Double(count) * 360 / Double(Self.headings)) : nil
  }
}
