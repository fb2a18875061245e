import Quantities
import RealModule

/// The strength and the dip of the field after calibration, the magnetic model's, and the disturbed
/// spans.
package struct FieldTrack: Equatable, Sendable {
  /// Microtesla.
  package private(set) var strength = DecimatedSeries()
  /// Degrees below the horizontal.
  package private(set) var dip = DecimatedSeries()
  package private(set) var modelStrength = DecimatedSeries()
  package private(set) var modelDip = DecimatedSeries()
  /// The distributions of these values, weighted by time.
  package private(set) var strengths = WeightedHistogram(0...2000, width: 0.05)
  package private(set) var dips = WeightedHistogram(-90...90, width: 0.05)
  package private(set) var modelStrengths = WeightedHistogram(0...100, width: 0.05)
  package private(set) var modelDips = WeightedHistogram(-90...90, width: 0.05)
  /// The spans in which the field does not match the earth's.
  package private(set) var disturbed = SpanList()
  /// The time for which that is known, and the disturbed part of it, s.
  package private(set) var judged = 0.0
  package private(set) var disturbedSeconds = 0.0
  private var newest: MagneticField<BodyFrame>?

  mutating func add(_ estimate: Estimate, at time: Double, for weight: Double) {
    if let disturbance = estimate.disturbance {
      judged += weight
      if disturbance.isDisturbed { disturbedSeconds += weight }
      disturbed.add(disturbance.isDisturbed, at: time)
    } else {
      disturbed.end(at: time)
    }
    if let model = estimate.modelField {
      modelStrength.add(model.total, at: time)
      modelDip.add(model.dip.degrees, at: time)
      modelStrengths.add(model.total, weight: weight)
      modelDips.add(model.dip.degrees, weight: weight)
    }
    guard let field = estimate.field else {
      strength.interrupt()
      return dip.interrupt()
    }
    strengths.add(field.magnitude, weight: weight)
    // A held value is not measured again.
    guard field != newest else { return }
    newest = field
    strength.add(field.magnitude, at: time)
    guard estimate.isLevelKnown, let attitude = estimate.attitude else { return dip.interrupt() }
    let v = attitude(field).components
    let degrees =
      Double.atan2(y: v.z, x: (v.x * v.x + v.y * v.y).squareRoot()) * 180 / .pi
    dip.add(degrees, at: time)
    dips.add(degrees)
  }

  mutating func end(at time: Double) { disturbed.end(at: time) }
}
