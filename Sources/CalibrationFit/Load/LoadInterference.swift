import Quantities
import RealModule

/// Whether a field is proportional to a load.
public enum LoadProportion: String, CaseIterable, Sendable, CustomStringConvertible {
  /// The field is proportional.
  case proportional
  /// The field is not proportional: a line differs by `LoadInterference.deviationShare`, and a
  /// parabola is used.
  case bent
  /// Unknown: the load was seldom between its extremes.
  case unknown

  /// The message for the user.
  public var description: String {
    switch self {
    case .proportional: "the interference is proportional to the load"
    case .bent:
      "the interference is not proportional to the load: a curve is used instead of a line"
    case .unknown:
      "whether the interference is proportional to the load is unknown: run it at half load too"
    }
  }
}

/// The effect of a load on the magnetometer: `field = field without load + gain * load + curvature
/// * load²`.
///
/// Axes and kind of field (raw or calibrated) are those of the fit. The unit of the load is that of
/// its source: ampere, throttle, share of a processor.
public struct LoadInterference: Equatable, Sendable {
  /// Field per unit of load, microtesla.
  public var gain: SIMD3<Double>
  /// Standard deviation of the field at full load, per unit of load, microtesla.
  public var gainSigma: SIMD3<Double>
  /// Field per squared unit of load; zero if the field is proportional to the load.
  public var curvature: SIMD3<Double>
  /// Whether the field is proportional to the load.
  public var proportion: LoadProportion
  /// Maximum difference from a line, as a fraction of the field at full load.
  public var deviationShare: Double
  /// Delay of the field relative to the reported load, seconds.
  public var lagSeconds: Double
  /// Standard deviation of the delay; nil if it was not estimated.
  public var lagSigmaSeconds: Double?
  /// Full load.
  public var fullLoad: Double
  /// The smallest load in the data; below it the curve continues as a line.
  public var smallestLoad: Double
  /// The largest load in the data; above it the curve continues as a line.
  public var largestLoad: Double
  /// The load at which the field is undisturbed: that of the magnetometer calibration.
  public var referenceLoad: Double
  /// Root mean square residual of the field, all three axes, microtesla.
  public var residualMicrotesla: Double
  /// The share of the field's variance that the load explains, 0 to 1.
  public var explainedShare: Double
  /// Number of field samples used.
  public var sampleCount: Int

  /// Makes an interference.
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

  /// The field of a load, microtesla.
  public func field(load: Double) -> SIMD3<Double> { raw(load) - raw(referenceLoad) }

  /// The field without the effect of the load.
  /// - Parameters:
  ///   - field: The measured field, microtesla.
  ///   - load: The load `lagSeconds` earlier; one that is not finite has no effect.
  /// - Returns: The field at the reference load, microtesla.
  public func compensate(field: SIMD3<Double>, load: Double) -> SIMD3<Double> {
    load.isFinite ? field - self.field(load: load) : field
  }

  /// The field of full load, microtesla.
  public var atFullLoad: SIMD3<Double> { field(load: fullLoad) }

  /// The standard deviation of a compensated field at full load, all axes, microtesla.
  public var sigmaAtFullLoad: Double {
    gainSigma.length * abs(fullLoad - referenceLoad)
  }

  /// Maximum heading error at full load over all headings.
  /// - Parameters:
  ///   - horizontal: The earth field's horizontal part, microtesla.
  ///   - down: Down along the sensor's axes; nil assumes that all of the interference is
  ///     horizontal, the worst attitude.
  /// - Returns: The error; half a turn if the load is stronger than the earth's field.
  public func headingError(horizontal: Double, down: SIMD3<Double>? = nil) -> Angle {
    Self.headingError(of: atFullLoad, horizontal: horizontal, down: down)
  }

  /// Maximum heading error after compensation, one sigma.
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

  /// A parabola within the observed loads; beyond them its tangent.
  private func raw(_ load: Double) -> SIMD3<Double> {
    let seen = max(smallestLoad, min(largestLoad, load))
    let bend: SIMD3<Double> = curvature * (seen * (2 * load - seen))
    return gain * load + bend
  }
}
