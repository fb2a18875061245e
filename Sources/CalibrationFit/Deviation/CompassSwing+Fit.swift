import Quantities
import RealModule

extension CompassSwing {
  /// Fits what was entered.
  /// - Returns: The deviation with residuals and the entries that disagree.
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
    // Where some readings are headings only, all are taken as headings.
    return fields.count == entries.count ? try fitModel(fields) : try fitHeadings()
  }

  /// The difference of headings and readings is steady when the compass turns with the vehicle, their sum
  /// when it turns against it.
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

  /// Of two that contradict each other one may have been left out already.
  func checkDuplicates(of kept: [Int]) throws(CompassSwingError) {
    for i in kept {
      for k in kept where k > i {
        let apart = abs((entries[i].heading - entries[k].heading).wrappedToHalfTurn.degrees)
        guard apart <= 5 else { continue }
        let difference = (entries[i].deviation - entries[k].deviation).wrappedToHalfTurn
        // Deviation can change by twice the heading in iron that nearly outdoes the earth.
        guard abs(difference.degrees) > 10 + 2 * apart else { continue }
        throw .contradiction(
          first: i, second: k, heading: entries[i].heading,
          difference: Angle(radians: abs(difference.radians)))
      }
    }
  }

  /// Takes the entries out, one after the other, that the others disagree with.
  /// - Parameters:
  ///   - fewest: So many must stay that one of them could still be found wrong.
  ///   - sigmas: How far an entry is from what the others say; a wrong one is farthest.
  /// - Returns: Which entries stay, and of those the two that the others agree with least;
  ///   none where too few are there to say.
  func consenting(
    fewest: Int, _ sigmas: (_ entry: Int, _ others: [Int]) -> Double
  ) -> (kept: [Int], doubtful: [Int]) {
    var kept = Array(entries.indices)
    // A third may be wrong; with more nobody knows who is right.
    while true {
      let members = kept
      let order = members.map { k in (index: k, sigmas: sigmas(k, members.filter { $0 != k })) }
        .sorted { $0.sigmas > $1.sigmas }
      let doubtful = kept.count < fewest ? [] : order.prefix(2).map { $0.index }
      guard kept.count > fewest, 3 * (entries.count - kept.count + 1) <= entries.count,
        // Of two that disagree alike nobody knows which is wrong.
        order[0].sigmas > max(parameters.suspectGate, 1.2 * order[1].sigmas)
      else { return (kept, doubtful) }
      kept.removeAll { $0 == order[0].index }
    }
  }

  /// Residuals and suspects of a fit that tells the deviation of each entry.
  func judge(
    _ consent: (kept: [Int], doubtful: [Int]), told: [Angle?], unknowns: Int
  ) throws(CompassSwingError) -> (residuals: [Angle?], suspects: [SwingSuspect], rms: Angle) {
    let kept = consent.kept
    var residuals: [Angle?] = []
    var suspects: [SwingSuspect] = []
    var square = 0.0
    for (k, entry) in entries.enumerated() {
      let residual = told[k].map { (entry.deviation - $0).wrappedToHalfTurn }
      residuals.append(residual)
      if kept.contains(k) {
        square += (residual?.radians ?? .pi) * (residual?.radians ?? .pi)
        continue
      }
      let swapped = told[k].map { (entry.deviation + $0).wrappedToHalfTurn }
      let near = 3 * parameters.headingSigma
      suspects.append(
        SwingSuspect(
          index: k, disagreement: residual,
          isSignSwapped: swapped.map { abs($0.radians) < near } ?? false))
    }
    let rms = Angle(radians: (square / Double(kept.count)).squareRoot())
    try checkDuplicates(of: kept)
    // What the entries scatter by once the curve has taken its share: three sigmas are no curve.
    let scatter = Angle(radians: (square / Double(max(1, kept.count - unknowns))).squareRoot())
    guard scatter.radians <= 3 * parameters.headingSigma else {
      throw .inconsistent(residual: scatter, doubtful: consent.doubtful)
    }
    return (residuals, suspects, rms)
  }

  /// The mean residual of the entries that stay near a compass heading.
  func meanResidual(near compass: Angle, kept: [Int], _ residuals: [Angle?]) -> Angle? {
    var (sum, count) = (0.0, 0.0)
    for k in kept {
      let apart = (entries[k].reading.compassHeading - compass).wrappedToHalfTurn
      guard abs(apart.degrees) <= 7.5, let residual = residuals[k] else { continue }
      sum += residual.radians
      count += 1
    }
    return count > 0 ? Angle(radians: sum / count) : nil
  }
}
