import Quantities

/// Prior knowledge of a distortion and of the earth's field, one sigma each.
///
/// Turning cannot separate the scale of the shape from the strength of the field: a shape ten per
/// cent larger in a field ten per cent weaker gives the same measurements. The two priors decide
/// it; the heading does not depend on it.
public struct EllipsoidPrior: Equatable, Sendable {
  /// Each axis's scale about 1. Small: strong soft iron is not fitted; large: little motion gives
  /// little information. Default 0.15.
  public var scaleSigma = 0.15
  /// Symmetric skew between two axes. Default 0.10.
  public var skewSigma = 0.10
  /// Rotation of the magnetometer against the inertial unit (or the case) about each axis, radians.
  /// Only gravity observes it: without gravity it remains in the predicted error. Default 3
  /// degrees.
  public var misalignmentSigma = 3 * Double.pi / 180
  /// Hard iron, microtesla along each axis; the fit widens it for samples farther away. Default 60.
  public var offsetSigma = 60.0
  /// The earth's field; nil for an unknown place.
  public var earthField: EarthField?
  /// Error of the known field's strength, microtesla; divided by the strength, that of its dip,
  /// radians. Buildings distort the field by this. Default 5.
  public var earthFieldSigma = 5.0

  /// Dip of an unknown place, radians; see `unknownDip`.
  var unknownDipSigma = Self.unknownDip.sigma

  /// The field's strength in an unknown place, microtesla: 22 to 67 on the ground. Source: World
  /// Magnetic Model 2025, total field at the surface.
  static var unknownStrength: (mean: Double, sigma: Double) { (45, 12) }
  /// The dip in an unknown place, radians: 65 degrees, that of the middle northern latitudes.
  /// Samples with gravity override it, since its sigma is large.
  static var unknownDip: (mean: Double, sigma: Double) { (65 * .pi / 180, 2) }

  /// The default prior, with or without a known field.
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

  /// The prior as mean and information matrix.
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
