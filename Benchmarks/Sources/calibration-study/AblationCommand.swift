import ArgumentParser
import CalibrationFit
import RecordedTrials
import Study

/// The effect of each part of the forward fit: the errors of the fit without it.
struct AblationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ablation", abstract: "Switches off each part of the forward fit in turn.")

  @OptionGroup var options: StudyOptions

  private static let more = GyroscopeTrouble(scale: 1.03)
  private static let less = GyroscopeTrouble(scale: 0.97)

  func run() throws {
    let data = try options.data()
    let trials = try StudyData.rotations.map { try data.trial($0) }
    let draws = options.draws
    func segments(_ seconds: Double, _ trouble: GyroscopeTrouble = .none) -> [Segment] {
      parallel(trials.count * draws) { n in
        Segment(
          of: trials[n / draws], seconds: seconds, number: n % draws, gyroscope: trouble)
      }
    }
    let sets = [
      ("whole", segments(500)), ("30 s", segments(30)),
      ("whole, rate +3 %", segments(500, Self.more)),
      ("whole, rate -3 %", segments(500, Self.less)),
      ("60 s, rate -3 %", segments(60, Self.less)),
    ]
    say(
      "Rotation trials; error on the other undisturbed trials, median (p90), degrees, and pairs within 2 sigma, %"
    )
    for place in options.places.list {
      say("")
      say("Place \(place.rawValue)")
      var table = TextTable(
        header: ["without"] + sets.flatMap { ["\($0.0): error", "predicted", "within"] })
      for ablation in FitAblation.all {
        var fit = try options.fit(place)
        ablation.remove(&fit)
        var row = [ablation.name]
        for (_, segments) in sets {
          let changed = fit
          let fits = parallel(segments.count) { segments[$0].fitted(changed, data) }
            .compactMap { $0 }
          row += [
            spread(fits.flatMap(\.errors)), middle(fits.map(\.predicted)),
            percent(share(fits.flatMap(\.pairs)) { $0.actual < 2 * $0.predicted }, 0),
          ]
        }
        table.add(row)
      }
      table.showMarkdown()
    }
  }
}
