import Quantities

extension CompassSwing {
  private var noise: DeviationNoise {
    DeviationNoise(
      field: parameters.fieldSigma * parameters.fieldSigma,
      heading: parameters.headingSigma * parameters.headingSigma)
  }

  /// The model of these entries. The curve's direction, along which known headings err, is that of the
  /// pass before.
  private func model(_ fields: [SIMD2<Double>], of members: [Int]) -> DeviationModel {
    var shape: DeviationModel?
    for _ in 0..<3 {
      var model = DeviationModel(
        forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100),
        floor: Angle(radians: parameters.commonSigma))
      // Without a curve yet the heading's error goes to both axes.
      let even = DeviationNoise(field: noise.field + 900 * noise.heading, heading: 0)
      for k in members {
        model.take(
          fields[k], onHeading: entries[k].heading, shape == nil ? even : noise, shape: shape)
      }
      shape = model
    }
    return shape ?? DeviationModel(forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100))
  }

  /// Fits the exact model.
  func fitModel(_ fields: [SIMD2<Double>]) throws(CompassSwingError) -> SwingResult {
    let consent = consenting(fewest: Self.neededEntries) { entry, others in
      let theirs = self.model(fields, of: others)
      return theirs.surprise(fields[entry], onHeading: entries[entry].heading, noise)
        .distanceSquared.squareRoot()
    }
    let model = self.model(fields, of: consent.kept)
    if model.isMirrored { throw .runsBackwards }
    guard model.covariance.isValid, model.heading(ofField: fields[0]) != nil else {
      throw .notSolvable
    }
    let told = fields.map { model.deviation(ofField: $0) }
    let (residuals, suspects, rms) = try judge(
      consent, told: told, unknowns: 3)
    let table = self.table(model, consent.kept, residuals)
    return SwingResult(
      coefficients: table?.coefficients, model: model, table: table, residuals: residuals,
      suspects: suspects, residual: rms)
  }
}
