import ArgumentParser
import CalibrationFit
import Study

/// Whether the error that a fit predicts is the error that it makes.
struct PredictionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prediction",
    abstract:
      "Predicted against actual heading error, from random segments of 12 s to a whole trial.")

  @OptionGroup var options: StudyOptions

  private static let lengths: [Double] = [12, 20, 30, 45, 60, 120, 500]
  private static let classes: [(from: Double, to: Double)] = [
    (0, 1.5), (1.5, 2), (2, 3), (3, 6), (6, 12), (12, 25), (25, 181),
  ]

  func run() throws {
    let data = try options.data()
    say(
      "Predicted: one sigma of the worst attitude up to 45 degrees of tilt. Actual: root mean square on another "
        + "undisturbed trial up to 45 degrees of tilt, degrees; pairs of fit and other trial")
    let trials = try StudyData.undisturbed.map { try data.trial($0) }
    let (draws, lengths) = (options.draws, Self.lengths)
    for place in options.places.list {
      let fit = try options.fit(place)
      let jobs = lengths.flatMap { length in
        trials.flatMap { trial in (0..<draws).map { (length, trial, $0) } }
      }
      let fits = parallel(jobs.count) { n -> (name: String, length: Double, fit: FittedDraw?) in
        let (length, trial, number) = jobs[n]
        let segment = Segment(of: trial, seconds: length, number: number)
        return (trial.name, length, segment.fitted(fit, data))
      }
      say("")
      say("Place \(place.rawValue)")
      showClasses(
        "rotation", fits.filter { StudyData.rotations.contains($0.name) }.compactMap(\.fit))
      showClasses(
        "translation", fits.filter { StudyData.translations.contains($0.name) }.compactMap(\.fit))
      showLengths(fits)
      showMisses(fits)
    }
  }

  private func showClasses(_ title: String, _ fits: [FittedDraw]) {
    let pairs = fits.flatMap(\.pairs)
    var table = TextTable(
      "\(title), predicted", "n", "median", "p95", "worst", "within 1 sigma %", "within 2 sigma %")
    for (from, to) in Self.classes {
      let some = pairs.filter { $0.predicted >= from && $0.predicted < to }
      guard !some.isEmpty else { continue }
      let errors = some.map(\.actual)
      table.add([
        to > 180 ? ">\(word(from, 0))" : "\(word(from, 1)) to \(word(to, 1))", "\(some.count)",
        middle(errors), word(quantile(errors, 0.95)), word(errors.max() ?? .nan),
        percent(share(some) { $0.actual < $0.predicted }, 0),
        percent(share(some) { $0.actual < 2 * $0.predicted }, 0),
      ])
    }
    say("")
    table.showMarkdown()
  }

  private func showLengths(_ fits: [(name: String, length: Double, fit: FittedDraw?)]) {
    var table = TextTable(
      "rotation, length s", "fits", "refused", "error", "predicted", "predicted below 6 %")
    for length in Self.lengths {
      let some = fits.filter { $0.length == length && StudyData.rotations.contains($0.name) }
      let fitted = some.compactMap(\.fit)
      table.add([
        word(length, 0), "\(some.count)", "\(some.count - fitted.count)",
        spread(fitted.flatMap(\.errors)), spread(fitted.map(\.predicted)),
        percent(share(fitted) { $0.predicted < 6 }, 0),
      ])
    }
    say("")
    table.showMarkdown()
  }

  /// The fits whose predicted error was too small, with their errors and properties.
  private func showMisses(_ fits: [(name: String, length: Double, fit: FittedDraw?)]) {
    var table = TextTable(
      "beyond 2 sigma: trial", "length s", "predicted", "error, median", "worst", "residual µT",
      "inliers %", "latency ms", "inside out")
    let misses = fits.compactMap { name, length, fit in
      fit.map { (name: name, length: length, fit: $0) }
    }.filter { miss in miss.fit.pairs.contains { $0.actual >= 2 * $0.predicted } }
    for miss in misses {
      let estimate = miss.fit.solution.estimate
      table.add([
        miss.name, word(miss.length, 0), word(miss.fit.predicted), middle(miss.fit.errors),
        word(miss.fit.errors.max() ?? .nan), word(estimate.residualMicrotesla),
        percent(estimate.inlierShare, 0), word(1000 * (estimate.latencySeconds ?? .nan), 1),
        miss.fit.isInsideOut ? "yes" : "no",
      ])
    }
    guard !misses.isEmpty else { return }
    say("")
    table.showMarkdown()
  }
}
