import Quantities
import RealModule

/// Swinging a compass by hand: the vehicle is put on known headings (leading marks, another
/// compass, the sun), and the compass reading on each is entered.
///
/// Level fields are fitted by `DeviationModel`, headings by its five numbers without scale; both by
/// least squares with priors. Each entry is predicted from the others: the entry with the largest
/// error is named and excluded while it is beyond `suspectGate`.
/// - Accuracy: see this target's README. A wrong entry of 20 degrees is named among six fields or
///   twelve headings. With fewer entries the fit throws an error, and with five a wrong one may
///   pass undetected.
public struct CompassSwing: Equatable, Sendable {
  /// A compass reading.
  public enum Reading: Equatable, Sendable {
    /// The displayed heading, uncorrected.
    case heading(Angle)
    /// The field in body axes rotated to level, microtesla: x forward, y right.
    case field(SIMD2<Double>)

    /// The uncorrected compass heading.
    public var compassHeading: Angle {
      switch self {
      case .heading(let angle): angle.wrappedToTurn
      case .field(let field): DeviationModel.compassHeading(ofField: field)
      }
    }
  }

  /// One heading of the swing.
  public struct Entry: Equatable, Sendable {
    /// The known magnetic heading of the bow.
    public var heading: Angle
    /// The compass reading on it.
    public var reading: Reading

    /// Makes an entry.
    public init(heading: Angle, reading: Reading) {
      (self.heading, self.reading) = (heading, reading)
    }

    /// The deviation, positive east.
    public var deviation: Angle { (heading - reading.compassHeading).wrappedToHalfTurn }
  }

  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Error of a known heading and its reading together, one sigma, rad. Small: good entries
    /// become suspects; large: wrong entries are accepted.
    public var headingSigma = 1.5 * Double.pi / 180
    /// Error of a level field, one sigma, microtesla.
    public var fieldSigma = 0.5
    /// Common error of all known headings, one sigma, rad: no residual shows it.
    public var commonSigma = 0.5 * Double.pi / 180
    /// Prior of B and C for a swing of headings, one sigma, rad.
    public var semicircularSigma = 30 * Double.pi / 180
    /// Prior of D and E for a swing of headings, one sigma, rad: soft iron is small. Small: few
    /// headings are sufficient, but strong soft iron is missed; large: a wrong entry is taken for
    /// soft iron.
    public var quadrantalSigma = 5 * Double.pi / 180
    /// An entry farther than this from the prediction of the others is a suspect, sigmas.
    public var suspectGate = 4.0

    /// The default tuning.
    public init() {}
  }

  /// Minimum number of entries.
  public static var neededEntries: Int { 5 }
  /// Maximum gap between two entries.
  public static var largestGap: Angle { Angle(degrees: 90) }

  /// The tuning parameters.
  public var parameters: Parameters
  /// The entries in the order of input.
  public private(set) var entries: [Entry] = []

  /// Starts a swing.
  public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Adds an entry.
  /// - Parameters:
  ///   - heading: The known magnetic heading of the bow.
  ///   - reading: The compass reading on it.
  /// - Throws: `CompassSwingError.notANumber` and `.noField`; the entry is then not added.
  public mutating func enter(_ heading: Angle, _ reading: Reading) throws(CompassSwingError) {
    guard heading.radians.isFinite else { throw .notANumber }
    switch reading {
    case .heading(let angle):
      guard angle.radians.isFinite else { throw .notANumber }
    case .field(let field):
      guard field.x.isFinite, field.y.isFinite else { throw .notANumber }
      guard field != .zero else { throw .noField }
    }
    entries.append(Entry(heading: heading.wrappedToTurn, reading: reading))
  }

  /// Removes an entry; an invalid index has no effect.
  public mutating func remove(at index: Int) {
    if entries.indices.contains(index) { entries.remove(at: index) }
  }

  /// The gaps that are too large, each from and to clockwise; one full turn without entries.
  public var gaps: [(from: Angle, to: Angle)] {
    let known = entries.map { $0.heading }.sorted()
    var found: [(from: Angle, to: Angle)] = []
    for (k, heading) in known.enumerated() {
      let next = k + 1 < known.count ? known[k + 1] : known[0] + Angle(radians: 2 * .pi)
      if (next - heading).degrees > Self.largestGap.degrees + 1e-6 {
        found.append((heading, next.wrappedToTurn))
      }
    }
    return known.isEmpty ? [(.zero, .zero)] : found
  }

  /// The next heading for the vehicle: the middle of the largest gap.
  public var suggestedHeading: Angle {
    let known = entries.map { $0.heading }.sorted()
    var (widest, middle) = (Angle.zero, Angle.zero)
    for (k, heading) in known.enumerated() {
      let next = k + 1 < known.count ? known[k + 1] : known[0] + Angle(radians: 2 * .pi)
      if next - heading > widest {
        (widest, middle) = (next - heading, (heading + (next - heading) * 0.5).wrappedToTurn)
      }
    }
    return middle
  }

  // MARK: Fit

  /// Fits the entries.
  /// - Returns: The deviation with residuals and suspect entries.
  /// - Throws: `CompassSwingError`.
  public func fit() throws(CompassSwingError) -> SwingResult {
    guard entries.count >= Self.neededEntries else {
      throw .tooFewEntries(
        found: entries.count, needed: Self.neededEntries, next: suggestedHeading)
    }
    if let gap = gaps.first { throw .gap(from: gap.from, to: gap.to) }
    if runsBackwards { throw .runsBackwards }
    var fields: [SIMD2<Double>] = []
    for entry in entries {
      if case .field(let field) = entry.reading { fields.append(field) }
    }
    // If one reading is a heading, all readings are used as headings.
    return fields.count == entries.count ? try fitModel(fields) : try fitHeadings()
  }

  /// True if the compass turns against the vehicle: the sum of heading and reading is then steady
  /// instead of their difference.
  private var runsBackwards: Bool {
    var (with, against) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for entry in entries {
      let difference = (entry.heading - entry.reading.compassHeading).radians
      let sum = (entry.heading + entry.reading.compassHeading).radians
      with += SIMD2(.cos(difference), .sin(difference))
      against += SIMD2(.cos(sum), .sin(sum))
    }
    let squares = ((with * with).sum(), (against * against).sum())
    let count = Double(entries.count)
    return squares.1 > 2 * squares.0 && squares.1 > 0.5 * count * count
  }

  /// Rejects contradicting entries of nearly one heading. One of two may be excluded already.
  private func checkDuplicates(of kept: [Int]) throws(CompassSwingError) {
    for i in kept {
      for k in kept where k > i {
        let apart = abs((entries[i].heading - entries[k].heading).wrappedToHalfTurn.degrees)
        guard apart <= 5 else { continue }
        let difference = (entries[i].deviation - entries[k].deviation).wrappedToHalfTurn
        // With iron nearly as strong as the earth's field, deviation can change by twice the
        // heading.
        guard abs(difference.degrees) > 10 + 2 * apart else { continue }
        throw .contradiction(
          first: i, second: k, heading: entries[i].heading,
          difference: Angle(radians: abs(difference.radians)))
      }
    }
  }

  /// Excludes entries that disagree with the others, one at a time.
  /// - Parameters:
  ///   - fewest: The minimum number of entries with which a wrong one can still be found.
  ///   - sigmas: The distance of an entry from the prediction of the others; it is largest for a
  ///     wrong one.
  /// - Returns: The remaining entries, and the two of them with the largest distance; none with too
  ///   few entries.
  private func consistentEntries(
    fewest: Int, _ sigmas: (_ entry: Int, _ others: [Int]) -> Double
  ) -> (kept: [Int], doubtful: [Int]) {
    var kept = Array(entries.indices)
    // At most a third may be wrong; with more the wrong ones cannot be identified.
    while true {
      let members = kept
      let order = members.map { k in (index: k, sigmas: sigmas(k, members.filter { $0 != k })) }
        .sorted { $0.sigmas > $1.sigmas }
      let doubtful = kept.count < fewest ? [] : order.prefix(2).map { $0.index }
      guard kept.count > fewest, 3 * (entries.count - kept.count + 1) <= entries.count,
        // With two similar distances the wrong one cannot be identified.
        order[0].sigmas > max(parameters.suspectGate, 1.2 * order[1].sigmas)
      else { return (kept, doubtful) }
      kept.removeAll { $0 == order[0].index }
    }
  }

  /// Residuals and suspects of a fit with a predicted deviation for each entry.
  private func evaluate(
    _ consistent: (kept: [Int], doubtful: [Int]), predicted: [Angle?], unknowns: Int
  ) throws(CompassSwingError) -> (residuals: [Angle?], suspects: [SwingSuspect], rms: Angle) {
    let kept = consistent.kept
    var residuals: [Angle?] = []
    var suspects: [SwingSuspect] = []
    var square = 0.0
    for (k, entry) in entries.enumerated() {
      let residual = predicted[k].map { (entry.deviation - $0).wrappedToHalfTurn }
      residuals.append(residual)
      if kept.contains(k) {
        square += (residual?.radians ?? .pi) * (residual?.radians ?? .pi)
        continue
      }
      let swapped = predicted[k].map { (entry.deviation + $0).wrappedToHalfTurn }
      let near = 3 * parameters.headingSigma
      suspects.append(
        SwingSuspect(
          index: k, disagreement: residual,
          isSignSwapped: swapped.map { abs($0.radians) < near } ?? false))
    }
    let rms = Angle(radians: (square / Double(kept.count)).squareRoot())
    try checkDuplicates(of: kept)
    // The scatter of the entries around the curve, corrected for the unknowns; above three sigmas
    // there is no curve.
    let scatter = Angle(radians: (square / Double(max(1, kept.count - unknowns))).squareRoot())
    guard scatter.radians <= 3 * parameters.headingSigma else {
      throw .inconsistent(residual: scatter, doubtful: consistent.doubtful)
    }
    return (residuals, suspects, rms)
  }

  /// The mean residual of the remaining entries near a compass heading.
  private func meanResidual(near compass: Angle, kept: [Int], _ residuals: [Angle?]) -> Angle? {
    var (sum, count) = (0.0, 0.0)
    for k in kept {
      let apart = (entries[k].reading.compassHeading - compass).wrappedToHalfTurn
      guard abs(apart.degrees) <= 7.5, let residual = residuals[k] else { continue }
      sum += residual.radians
      count += 1
    }
    return count > 0 ? Angle(radians: sum / count) : nil
  }

  // MARK: Level fields

  private var noise: DeviationNoise {
    DeviationNoise(
      field: parameters.fieldSigma * parameters.fieldSigma,
      heading: parameters.headingSigma * parameters.headingSigma)
  }

  /// The model of these entries. Known headings have errors along the curve, whose direction comes
  /// from the previous pass.
  private func model(_ fields: [SIMD2<Double>], of members: [Int]) -> DeviationModel {
    var shape: DeviationModel?
    for _ in 0..<3 {
      var model = DeviationModel(
        forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100),
        floor: Angle(radians: parameters.commonSigma))
      // Without a curve the heading error applies to both axes.
      let even = DeviationNoise(field: noise.field + 900 * noise.heading, heading: 0)
      for k in members {
        model.update(
          fields[k], onHeading: entries[k].heading, shape == nil ? even : noise, shape: shape)
      }
      shape = model
    }
    return shape ?? DeviationModel(forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100))
  }

  /// Fits the exact model.
  private func fitModel(_ fields: [SIMD2<Double>]) throws(CompassSwingError) -> SwingResult {
    let consistent = consistentEntries(fewest: Self.neededEntries) { entry, others in
      let other = self.model(fields, of: others)
      return other.misfit(fields[entry], onHeading: entries[entry].heading, noise)
        .distanceSquared.squareRoot()
    }
    let model = self.model(fields, of: consistent.kept)
    if model.isMirrored { throw .runsBackwards }
    guard model.covariance.isValid, model.heading(ofField: fields[0]) != nil else {
      throw .notSolvable
    }
    let predicted = fields.map { model.deviation(ofField: $0) }
    let (residuals, suspects, rms) = try evaluate(
      consistent, predicted: predicted, unknowns: 3)
    let table = self.table(model, consistent.kept, residuals)
    return SwingResult(
      coefficients: table?.coefficients, model: model, table: table, residuals: residuals,
      suspects: suspects, residual: rms)
  }

  // MARK: Headings

  // Headings alone determine the model except its scale: five numbers, the exact form of the
  // coefficients A to E. (A to E themselves are of first order: with B 12 and D 4 degrees their
  // error is half a degree.)

  /// The curve of these entries in units of the horizontal field. The condition that a field points
  /// along a compass heading is linear in the model. Its error is the heading error times the
  /// field's strength in the previous pass.
  private func curve(of members: [Int]) -> DeviationModel {
    var mean = SIMD2<Double>.zero
    for k in members {
      let deviation = entries[k].deviation.radians
      mean += SIMD2(.cos(deviation), .sin(deviation))
    }
    let middle = Double.atan2(y: mean.y, x: mean.x)
    let (cosine, sine) = (Double.cos(middle), Double.sin(middle))
    // A, D and E are half the sums of two gains.
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
        model.updateScalar(
          0, phi * Double.sin(compass), phi * Double.cos(compass),
          noise: strength * parameters.headingSigma * parameters.headingSigma)
      }
      shape = model
    }
    return shape
  }

  /// Fits the exact coefficients.
  private func fitHeadings() throws(CompassSwingError) -> SwingResult {
    let sigma = parameters.headingSigma
    let consistent = consistentEntries(fewest: 7) { entry, others in
      let model = self.curve(of: others)
      let compass = entries[entry].reading.compassHeading
      guard let predicted = model.heading(atCompassHeading: compass),
        let uncertainty = model.learningError(onHeading: predicted)
      else { return 0 }
      let miss = (entries[entry].heading - predicted).wrappedToHalfTurn.radians
      return abs(miss) / (uncertainty * uncertainty + sigma * sigma).squareRoot()
    }
    let curve = self.curve(of: consistent.kept)
    let predicted = entries.map { entry -> Angle? in
      let compass = entry.reading.compassHeading
      return curve.heading(atCompassHeading: compass).map { ($0 - compass).wrappedToHalfTurn }
    }
    let (residuals, suspects, rms) = try evaluate(
      consistent, predicted: predicted, unknowns: 5)
    guard curve.covariance.isValid, let table = self.table(curve, consistent.kept, residuals) else {
      throw .notSolvable
    }
    return SwingResult(
      coefficients: table.coefficients, model: nil, table: table, residuals: residuals,
      suspects: suspects, residual: rms)
  }

  /// The table of a fit with the residuals near each row.
  private func table(
    _ model: DeviationModel, _ kept: [Int], _ residuals: [Angle?]
  ) -> DeviationTable? {
    DeviationTable(model) { heading in
      let compass = DeviationModel.compassHeading(ofField: model.field(onHeading: heading))
      return meanResidual(near: compass, kept: kept, residuals).map { -$0 }
    }
  }
}
