import Quantities
import RealModule

/// Headings alone tell the model but for its scale: five numbers, the exact coefficients that A to E stand
/// for. (A to E themselves are of first order: with B 12 and D 4 degrees they miss by half a degree.)
extension CompassSwing {
  /// The curve of these entries in units of the horizontal field. That a field points along a compass
  /// heading is linear in the model; what it is off by is the heading's error times the field's strength,
  /// which is that of the pass before.
  private func curve(of members: [Int]) -> DeviationModel {
    var mean = SIMD2<Double>.zero
    for k in members {
      let deviation = entries[k].deviation.radians
      mean += SIMD2(.cos(deviation), .sin(deviation))
    }
    let middle = Double.atan2(y: mean.y, x: mean.x)
    let (cosine, sine) = (Double.cos(middle), Double.sin(middle))
    // A, D and E are half sums of two gains.
    let gain = 2.0.squareRoot() * parameters.quadrantalSigma
    let start = DeviationModel(
      forward: SIMD3(cosine, sine, 0), rightward: SIMD3(sine, -cosine, 0),
      sigmas: SIMD3(gain, gain, parameters.semicircularSigma),
      floor: Angle(radians: parameters.commonSigma))
    var shape = start
    for _ in 0..<4 {
      var model = start
      for k in members {
        let compass = entries[k].reading.compassHeading.radians
        let phi = DeviationModel.regressors(entries[k].heading)
        let field = shape.field(onHeading: entries[k].heading)
        let strength: Double = max((field * field).sum(), 0.01)
        model.absorb(
          0, phi * Double.sin(compass), phi * Double.cos(compass),
          noise: strength * parameters.headingSigma * parameters.headingSigma)
      }
      shape = model
    }
    return shape
  }

  /// Fits the exact coefficients.
  func fitHeadings() throws(CompassSwingError) -> SwingResult {
    let sigma = parameters.headingSigma
    let consent = consenting(fewest: 7) { entry, others in
      let theirs = self.curve(of: others)
      let compass = entries[entry].reading.compassHeading
      guard let told = theirs.heading(atCompassHeading: compass),
        let doubt = theirs.learningError(onHeading: told)
      else { return 0 }
      let miss = (entries[entry].heading - told).wrappedToHalfTurn.radians
      return abs(miss) / (doubt * doubt + sigma * sigma).squareRoot()
    }
    let curve = self.curve(of: consent.kept)
    let told = entries.map { entry -> Angle? in
      let compass = entry.reading.compassHeading
      return curve.heading(atCompassHeading: compass).map { ($0 - compass).wrappedToHalfTurn }
    }
    let (residuals, suspects, rms) = try judge(
      consent, told: told, unknowns: 5)
    guard curve.covariance.isValid, let table = self.table(curve, consent.kept, residuals) else {
      throw .notSolvable
    }
    return SwingResult(
      coefficients: table.coefficients, model: nil, table: table, residuals: residuals,
      suspects: suspects, residual: rms)
  }

  /// The table of a fit, with the residuals near each row.
  func table(_ model: DeviationModel, _ kept: [Int], _ residuals: [Angle?]) -> DeviationTable? {
    DeviationTable(model) { heading in
      let compass = DeviationModel.compassHeading(ofField: model.field(onHeading: heading))
      return meanResidual(near: compass, kept: kept, residuals).map { -$0 }
    }
  }
}
