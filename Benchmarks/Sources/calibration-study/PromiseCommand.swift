import ArgumentParser
import CalibrationFit
import Foundation
import Quantities
import RecordedTrials
import Study

/// The share of fits called good or fair whose error exceeds that word's limit, on every recorded
/// set.
struct PromiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promise",
    abstract: "Errors of calibrations called good and fair on other trials, on all sets.")

  @OptionGroup var options: StudyOptions

  @Option(help: "The sets, with commas between: BROAD, T-stick, phones.")
  var sets = "BROAD,T-stick,phones"

  @Option(help: "Write a line of JSON for each fit.")
  var fits: String?

  @Flag(help: "List the fits whose error exceeds the limit of their word.")
  var misses = false

  private static let lengths: [Double] = [12, 30, 60, 1000]
  /// The largest error for each word, degrees.
  private static let promises: [(word: CalibrationState, degrees: Double)] = [
    (.good, 3), (.fair, 6),
  ]

  func run() throws {
    let wanted = sets.split(separator: ",").map(String.init)
    let recordings = try RecordedSets.load(shared: options.shared).filter { recording in
      wanted.contains { recording.set.hasPrefix($0) }
    }
    let judges = PromiseJudges(recordings)
    let draws = options.draws
    for place in options.places.list {
      let fit = try options.fit(place)
      let jobs = recordings.indices.flatMap { n in
        Self.lengths.flatMap { length in (0..<draws).map { (n, length, $0) } }
      }
      let found = parallel(jobs.count) { k -> PromiseFit in
        let (n, length, number) = jobs[k]
        return PromiseFit(recordings, judges, n, length, number, fit)
      }
      say("Place \(place.rawValue): pairs of fit and other trial of the same sensor and iron")
      say("")
      for (word, degrees) in Self.promises { show(word, degrees, found) }
      showRefusals(found)
      if misses { showMisses(found) }
      if let fits {
        let lines = found.map(\.json).joined(separator: "\n") + "\n"
        try Data(lines.utf8).write(to: URL(fileURLWithPath: fits))
      }
    }
  }

  private func show(_ quality: CalibrationState, _ degrees: Double, _ all: [PromiseFit]) {
    var header = ["\(quality), beyond \(word(degrees, 0)) degrees"]
    for length in Self.lengths { header.append(length < 999 ? "\(word(length, 0)) s" : "whole") }
    var table = TextTable(header: header + ["all", "share %", "error", "p95", "own iron %"])
    let groups = RecordedSets.names.map { name in (name, all.filter { $0.set == name }) }
    let judged = all.filter { $0.set != RecordedSets.ownIron }
    for (name, fits) in groups + [("all but those with something on it", judged)]
    where !fits.isEmpty {
      var row = [name]
      func count(_ some: [PromiseFit]) -> (String, [Double]) {
        let errors = some.filter { $0.quality == quality }.flatMap(\.errors)
        return ("\(errors.filter { $0 > degrees }.count) of \(errors.count)", errors)
      }
      for length in Self.lengths { row.append(count(fits.filter { $0.length == length }).0) }
      let (text, errors) = count(fits)
      row += [text, percent(share(errors) { $0 > degrees })]
      let own = fits.filter { $0.quality == quality }.flatMap(\.ownErrors)
      row += [middle(errors), word(quantile(errors, 0.95)), percent(share(own) { $0 > degrees })]
      table.add(row)
    }
    table.showMarkdown()
    say("")
  }

  private func showRefusals(_ all: [PromiseFit]) {
    var table = TextTable(
      "set, length", "fits", "good %", "fair %", "poor %", "unknown %", "refused %")
    for name in RecordedSets.names {
      for length in Self.lengths {
        let some = all.filter { $0.set == name && $0.length == length }
        guard !some.isEmpty else { continue }
        table.add(
          ["\(name), \(length < 999 ? "\(word(length, 0)) s" : "whole")", "\(some.count)"]
            + ([.good, .fair, .poor, .uncalibrated] as [CalibrationState]).map { quality in
              percent(share(some) { $0.quality == quality }, 0)
            } + [percent(share(some) { $0.quality == nil }, 0)])
      }
    }
    table.showMarkdown()
    say("")
    var whole = TextTable(
      "recording, whole", "good", "fair", "poor", "unknown", "refused", "error", "predicted")
    var names: [String] = []
    for fit in all where !names.contains(fit.name) { names.append(fit.name) }
    for name in names {
      let some = all.filter { $0.name == name && $0.length > 999 }
      whole.add(
        [name]
          + ([.good, .fair, .poor, .uncalibrated, nil] as [CalibrationState?]).map { quality in
            "\(some.filter { $0.quality == quality }.count)"
          } + [spread(some.flatMap(\.errors)), middle(some.map(\.predicted).filter { $0 < 181 })])
    }
    whole.showMarkdown()
    say("")
  }

  private func showMisses(_ all: [PromiseFit]) {
    for (quality, degrees) in Self.promises {
      for fit in all where fit.quality == quality {
        guard let most = fit.errors.max(), most > degrees else { continue }
        say(fit.json)
      }
    }
  }
}

/// One fit of a part of a recording, with its errors on the others of the same sensor and iron.
struct PromiseFit: Sendable {
  let set: String
  let name: String
  let length: Double
  /// The word; nil where the fit was refused.
  let quality: CalibrationState?
  /// One sigma, degrees.
  let predicted: Double
  /// Degrees, by other trial.
  let errors: [Double]
  /// The same against the iron in the fitted recording, by its optical attitude.
  let ownErrors: [Double]
  let json: String

  init(
    _ recordings: [SetRecording], _ judges: PromiseJudges, _ n: Int, _ length: Double,
    _ number: Int, _ fit: ForwardFit
  ) {
    let recording = recordings[n]
    let trial = recording.trial
    var draws = Draws(seed: n * 977 + Int(length) + 100_003 * number)
    // The first seconds of BROAD lie still.
    let (first, last) = (recording.set.hasPrefix("BROAD") ? 12.0 : 0, trial.duration - length)
    let start = last > first ? first + draws.uniform() * (last - first) : 0
    let samples = trial.observed(from: start, to: start + length)
    let drawn = DrawnDistortion(
      seed: 1000 * number + n * 31 + Int(length) * 17,
      misalignment: number.isMultiple(of: 2) ? 0 : 5)
    let down = trial.restingDown
    (set, name, self.length) = (recording.set, trial.name, length)
    var solver = CalibrationSolver(prior: fit.prior, down: down)
    solver.parameters = fit.parameters
    var fields: [String] = []
    do {
      let outcome = try solver.solve(
        drawn(samples.observations), checks: samples.checks(drawn))
      quality = outcome.quality
      predicted = outcome.predictedHeadingError.degrees
      let under = drawn.after(recording.reference)
      // A phone that was turned all about has no upright.
      let level = recording.trial.isJudged.contains(true) ? down : nil
      let others = recordings.indices.filter {
        $0 != n && recordings[$0].isJudge && recordings[$0].key == recording.key
      }
      // A part that is most of the reference's own recording is no independent test.
      let isOwnJudge = !recording.trial.isJudged.contains(true) && 2 * length > trial.duration
      let judging = isOwnJudge ? [] : others
      errors = judging.map {
        judges.recorded[$0].error(of: outcome.estimate.distortion, under: under, from: level)
      }.filter { $0.isFinite }
      let ownUnder = drawn.after(recording.own ?? recording.reference)
      ownErrors = judging.map {
        judges.own[$0].error(of: outcome.estimate.distortion, under: ownUnder, from: level)
      }.filter { $0.isFinite }
      let e = outcome.estimate
      fields = [
        "\"predicted\":\(predicted)", "\"residual\":\(e.residualMicrotesla)",
        "\"inliers\":\(e.inlierShare)", "\"count\":\(e.observationCount)",
        "\"latency\":\(e.latencySeconds ?? 0)", "\"h\":\(e.earthField.horizontal)",
        "\"z\":\(e.earthField.down)",
        "\"errors\":[\(errors.map { word($0) }.joined(separator: ","))]",
        "\"own\":[\(ownErrors.map { word($0) }.joined(separator: ","))]",
      ]
    } catch {
      (quality, predicted, errors, ownErrors) = (nil, .infinity, [], [])
      fields = ["\"refused\":\"\(error)\""]
    }
    let words = [
      "\"set\":\"\(set)\"", "\"name\":\"\(name)\"", "\"length\":\(length)",
      "\"start\":\(word(start, 1))",
      "\"draw\":\(number)", "\"quality\":\"\(quality.map { "\($0)" } ?? "refused")\"",
    ]
    json = "{" + (words + fields).joined(separator: ",") + "}"
  }
}

/// Each recording as a reference: by the field that counts as true, and by its own iron.
struct PromiseJudges: Sendable {
  let recorded: [HeadingJudge]
  let own: [HeadingJudge]

  init(_ recordings: [SetRecording]) {
    recorded = recordings.map { HeadingJudge($0.trial, reference: $0.reference) }
    own = recordings.map { HeadingJudge($0.trial, reference: $0.own ?? $0.reference) }
  }
}

/// The observations by Lodestar's own code of a part of a trial.
struct ObservedSamples: Sendable {
  var observations: [FieldObservation] = []
  fileprivate var inertial: [InertialSample<BodyFrame>] = []
  fileprivate var fields: [SIMD3<Double>] = []

  /// The samples' checks under a distortion.
  func checks(_ drawn: DrawnDistortion) -> SampleChecks {
    var checks = SampleChecks()
    for s in inertial {
      checks.add(
        rate: s.angularRate?.components, force: s.specificForce?.components, at: s.timestamp)
    }
    for field in fields { checks.add(field: drawn.shape * field + drawn.offset) }
    return checks
  }
}

extension Trial {
  /// Observations and checks of a part of the trial.
  func observed(from start: Double, to end: Double) -> ObservedSamples {
    var result = ObservedSamples()
    result.observations = observations(from: start, to: end)
    for i in 0..<count where seconds[i] >= start && seconds[i] <= end {
      result.inertial.append(inertial(i))
      if let m = field[i] { result.fields.append(m) }
    }
    return result
  }
}
