import ArgumentParser
import CalibrationFit
import RecordedTrials
import Study

/// Lodestar's fits beside another program's, with the same measures of error.
struct ScoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Judges fits that another program made of what `observations` wrote.")

  @OptionGroup var options: StudyOptions

  @Option(help: "Lines of JSON with method, id, shape, offset and milliseconds.")
  var fits: String

  func run() throws {
    let data = try options.data()
    let draws = PeerDraw.all(draws: options.draws)
    let fit = try options.fit(options.places.list[0])
    var observed: [String: [FieldObservation]] = [:]
    var bare: [String: [FieldObservation]] = [:]
    for name in StudyData.rotations {
      let trial = try data.trial(name)
      (observed[name], bare[name]) = (trial.observations(), trial.gravityObservations())
    }
    let inputs = draws.map { $0.drawn(observed[$0.trial] ?? []) }
    let bareInputs = draws.map { $0.drawn(bare[$0.trial] ?? []) }
    var table = TextTable(
      "method", "no misalignment", "worst", "5 degrees", "worst", "no fit", "ms a fit")
    func add(_ name: String, _ fits: [TimedFit]) {
      let errors = [0.0, 5].map { misalignment in
        zip(draws, fits).filter { $0.0.misalignment == misalignment }
          .flatMap { draw, fit -> [Double] in
            guard let found = fit.distortion else { return [] }
            return data.judges(except: draw.trial).map { $0.error(of: found, under: draw.drawn) }
          }
      }
      table.add(
        [name] + errors.flatMap { [spread($0), $0.max().map { word($0, 1) } ?? "-"] } + [
          "\(fits.filter { $0.distortion == nil }.count)", middle(fits.map(\.milliseconds)),
        ])
    }
    add(
      "uncalibrated", draws.map { _ in TimedFit(distortion: FieldDistortion.none, milliseconds: 0) }
    )
    let peerFits = try PeerFit.list(path: fits)
    var methods: [String] = []
    for fit in peerFits where !methods.contains(fit.method) { methods.append(fit.method) }
    for method in methods {
      add(
        method,
        try draws.map { draw in
          try peerFits.first { $0.method == method && $0.id == draw.id }?.found
            ?? TimedFit(distortion: nil, milliseconds: 0)
        })
    }
    // One after the other, for the times.
    add(
      "ellipsoid, no gravity",
      bareInputs.map { input in
        TimedFit { () throws(CalibrationFitError) in try ellipsoid(input.withoutAxes) }
      })
    add(
      "ellipsoid and gravity",
      bareInputs.map { input in
        TimedFit { () throws(CalibrationFitError) in try ellipsoid(input) }
      })
    add(
      "forward",
      inputs.map { input in
        TimedFit { () throws(CalibrationFitError) in
          try fit.fit(input).estimate.distortion
        }
      })
    say(
      "Whole rotation trials; error on the other undisturbed trials up to 45 degrees of tilt, median (p90), degrees"
    )
    table.showMarkdown()
  }

  private func ellipsoid(
    _ observations: [FieldObservation]
  ) throws(CalibrationFitError) -> FieldDistortion {
    try EllipsoidFit(averagingTime: GravityFieldObserver.fieldTime).solve(observations).estimate
      .distortion
  }
}

extension Array where Element == FieldObservation {
  /// The data of a board without an inertial unit.
  fileprivate var withoutAxes: [FieldObservation] {
    map { FieldObservation(timestamp: $0.timestamp, field: $0.field) }
  }
}
