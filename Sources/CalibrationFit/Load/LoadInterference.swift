import Quantities
import RealModule

/// Whether a field goes in proportion to a load.
public enum LoadProportion: String, CaseIterable, Sendable, CustomStringConvertible {
  /// It does.
  case proportional
  /// It does not: a straight line is off by `LoadInterference.deviationShare`, and a parabola is used.
  case bent
  /// The load was hardly ever between its ends, so that nobody can say.
  case unknown

  /// One sentence for people.
  public var description: String {
    switch self {
    case .proportional: "the interference is in proportion to the load"
    case .bent:
      "the interference is not in proportion to the load: a curve is used instead of a line"
    case .unknown:
      "whether half the load makes half the interference is not known: let it run at half load too"
    }
  }
}

/// What a load does to the magnetometer: `field = field without load + gain * load + curvature * load²`.
///
/// Along the axes, and of the kind (raw or calibrated), of the field that it was fitted to. The load's unit
/// is its source's own: ampere, throttle, share of a processor.
public struct LoadInterference: Equatable, Sendable {
  /// Field for each unit of load, microtesla.
  public var gain: SIMD3<Double>
  /// The standard deviation of what full load makes, for each unit of load, microtesla.
  public var gainSigma: SIMD3<Double>
  /// Field for the square of the load; zero where the field goes in proportion to it.
  public var curvature: SIMD3<Double>
  /// Whether the field goes in proportion to the load.
  public var proportion: LoadProportion
  /// How far the field lies from the straight line at most, as a share of the field at full load.
  public var deviationShare: Double
  /// By how much the field follows later than the load is told, seconds.
  public var lagSeconds: Double
  /// Its standard deviation; nil where the lag was not sought.
  public var lagSigmaSeconds: Double?
  /// Full load.
  public var fullLoad: Double
  /// The smallest load that took part: below it the straight line goes on.
  public var smallestLoad: Double
  /// The largest load that took part: above it the straight line goes on.
  public var largestLoad: Double
  /// The load at which the field counts as undisturbed: the one at which the magnetometer was calibrated.
  public var referenceLoad: Double
  /// Root mean square of what is left of the field, all three axes, microtesla.
  public var residualMicrotesla: Double
  /// The share of the field's variance that the load explains, 0 to 1.
  public var explainedShare: Double
  /// How many field samples took part.
  public var sampleCount: Int

  /// Makes an interference of what is known of it.
  public init(
    gain: SIMD3<Double>, gainSigma: SIMD3<Double>, curvature: SIMD3<Double>,
    proportion: LoadProportion,
    deviationShare: Double, lagSeconds: Double, lagSigmaSeconds: Double?, fullLoad: Double,
    smallestLoad: Double, largestLoad: Double, referenceLoad: Double = 0,
    residualMicrotesla: Double, explainedShare: Double, sampleCount: Int
  ) {
    (self.gain, self.gainSigma, self.curvature) = (gain, gainSigma, curvature)
    (self.proportion, self.deviationShare) = (proportion, deviationShare)
    (self.lagSeconds, self.lagSigmaSeconds) = (lagSeconds, lagSigmaSeconds)
    (self.fullLoad, self.smallestLoad, self.largestLoad) = (fullLoad, smallestLoad, largestLoad)
    (self.referenceLoad, self.residualMicrotesla) = (referenceLoad, residualMicrotesla)
    (self.explainedShare, self.sampleCount) = (explainedShare, sampleCount)
  }

  /// The field that a load makes, microtesla.
  public func field(load: Double) -> SIMD3<Double> { raw(load) - raw(referenceLoad) }

  /// The field without the load's part.
  /// - Parameters:
  ///   - field: What the magnetometer says, microtesla.
  ///   - load: The load `lagSeconds` before; one that is not a number changes nothing.
  /// - Returns: The field as it would be at the reference load, microtesla.
  public func compensate(field: SIMD3<Double>, load: Double) -> SIMD3<Double> {
    load.isFinite ? field - self.field(load: load) : field
  }

  /// What full load makes, microtesla.
  public var atFullLoad: SIMD3<Double> { field(load: fullLoad) }

  /// The standard deviation of a compensated field at full load, all axes, microtesla.
  public var sigmaAtFullLoad: Double {
    gainSigma.length * abs(fullLoad - referenceLoad)
  }

  /// By how much full load turns the heading at its worst: towards or away from some heading.
  /// - Parameters:
  ///   - horizontal: The earth field's horizontal part, microtesla.
  ///   - down: Down along the sensor's axes; nil takes all of the interference for horizontal, the worst
  ///     attitude.
  /// - Returns: At most half a turn, where the load is stronger than the earth.
  public func headingError(horizontal: Double, down: SIMD3<Double>? = nil) -> Angle {
    Self.headingError(of: atFullLoad, horizontal: horizontal, down: down)
  }

  /// The same of what a compensation leaves, one sigma.
  public func headingErrorLeft(horizontal: Double) -> Angle {
    // Two of three axes are horizontal.
    let across = sigmaAtFullLoad * (2.0 / 3).squareRoot()
    return Self.headingError(of: SIMD3(across, 0, 0), horizontal: horizontal, down: nil)
  }

  private static func headingError(
    of field: SIMD3<Double>, horizontal: Double, down: SIMD3<Double>?
  ) -> Angle {
    var across = field
    if let down = down?.normalized { across -= down * down.dot(field) }
    let ratio = across.length / max(horizontal, 1e-9)
    return Angle(radians: ratio < 1 ? Double.asin(ratio) : .pi)
  }

  /// A parabola between the loads that were seen; beyond them its tangent.
  private func raw(_ load: Double) -> SIMD3<Double> {
    let seen = max(smallestLoad, min(largestLoad, load))
    let bend: SIMD3<Double> = curvature * (seen * (2 * load - seen))
    return gain * load + bend
  }
}
