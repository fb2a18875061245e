import Quantities

/// What is known of a distortion and of the earth's field before the first sample, one sigma each.
///
/// The scale of the shape and the strength of the field cannot be told apart by any turning: a shape ten
/// per cent larger in a field ten per cent weaker measures the same. The two priors settle it; heading
/// does not depend on where.
/// - Source: the preset is that of the project's calibration research, section 1.
public struct EllipsoidPrior: Equatable, Sendable {
  /// Of each axis's scale about 1. Small: strong soft iron is not followed; large: a little motion
  /// says little. Default 0.15.
  public var scaleSigma = 0.15
  /// Of the symmetric skew between two axes. Default 0.10.
  public var skewSigma = 0.10
  /// Of the turn of the magnetometer against the inertial unit (or against the case), about each axis,
  /// radians. Nothing but gravity observes it, so without gravity it stays in the predicted error as it
  /// is. Default 3 degrees.
  public var misalignmentSigma = 3 * Double.pi / 180
  /// Of the hard iron, microtesla along each axis; the fit widens it where the samples lie further off.
  /// Default 60.
  public var offsetSigma = 60.0
  /// The earth field where the place is known.
  public var earthField: EarthField?
  /// Of the known field's strength, microtesla; over the strength, of its dip. Buildings bend the field
  /// by as much. Default 5.
  public var earthFieldSigma = 5.0

  /// Of the dip where the place is not known, radians; see `unknownDip`.
  var unknownDipSigma = Self.unknownDip.sigma

  /// The field's strength where the place is not known, microtesla: on the ground it is 22 to 67.
  /// Source: World Magnetic Model 2025, total field at the surface.
  static var unknownStrength: (mean: Double, sigma: Double) { (45, 12) }
  /// The dip where the place is not known, radians: 65 degrees, that of the middle northern latitudes.
  /// Samples with gravity overrule it, since its sigma leaves it free.
  static var unknownDip: (mean: Double, sigma: Double) { (65 * .pi / 180, 2) }

  /// The preset, for a place that is known or not.
  public init(earthField: EarthField? = nil) { self.earthField = earthField }

  var strength: (mean: Double, sigma: Double) {
    earthField.map { ($0.total, earthFieldSigma) } ?? Self.unknownStrength
  }
  var dip: (mean: Double, sigma: Double) {
    guard let earthField, earthField.total > 0 else {
      return (Self.unknownDip.mean, unknownDipSigma)
    }
    return (earthField.dip.radians, earthFieldSigma / earthField.total)
  }

  /// The prior as information about a mean.
  func normalEquations(offsetSigma: Double) -> (mean: EllipsoidState, information: NormalEquations)
  {
    let mean = EllipsoidState(
      shape: .identity, offset: .zero, strength: strength.mean, dip: dip.mean)
    var sums = NormalEquations()
    func add(_ sigma: Double, _ set: (inout SIMD16<Double>) -> Void) {
      var gradient = SIMD16<Double>.zero
      set(&gradient)
      sums.add(residual: 0, gradient: gradient, weight: 1 / (sigma * sigma))
    }
    for i in 0..<3 {
      add(scaleSigma) { $0[4 * i] = 1 }
      add(offsetSigma) { $0[9 + i] = 1 }
      for j in 0..<i {
        add(skewSigma) { ($0[3 * i + j], $0[3 * j + i]) = (0.5, 0.5) }
        add(misalignmentSigma) { ($0[3 * i + j], $0[3 * j + i]) = (0.5, -0.5) }
      }
    }
    add(strength.sigma) { $0[EllipsoidState.strengthIndex] = 1 }
    add(dip.sigma) { $0[EllipsoidState.dipIndex] = 1 }
    return (mean, sums)
  }
}
