import ArgumentParser
import CalibrationFit
import Quantities
import Study

/// Whether the motion determines the magnetometer's mount.
struct MountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mount",
    abstract: "Random mounts: how many are found, accepted, and accepted though wrong.")

  @OptionGroup var options: StudyOptions

  @Option(help: "Segments of each trial.")
  var segments = 40

  /// Another rotation than the mount's, at most, degrees.
  private static let mostTurn = 8.0

  private struct Found: Sendable {
    let isRight: Bool
    let isAccepted: Bool
    let gap: Double
  }

  func run() throws {
    let data = try options.data()
    say("Random mounts, turned by another 0 to 8 degrees; all 48 where the place is known, else 24")
    for place in options.places.list {
      let fit = try options.fit(place)
      var table = TextTable(
        "\(place.rawValue), motion", "runs", "right %", "accepted %", "accepted and wrong",
        "gap of the right, median", "largest gap of a wrong one")
      for names in [StudyData.rotations, StudyData.translations] {
        let trials = try names.map { try data.trial($0) }
        for seconds in [5.0, 10, 20] {
          let count = segments
          let found = parallel(trials.count * count) { n in
            let segment = Segment(
              of: trials[n / count], seconds: seconds, number: n % count)
            return search(segment.observations, fit, seed: 31 * n + Int(seconds))
          }
          let title = names == StudyData.rotations ? "rotation" : "translation"
          table.add(row("\(title), \(word(seconds, 0)) s", found))
        }
      }
      for limit in [2.0, 5, 15] {
        let observed = try StudyData.undisturbed.map { name in
          let trial = try data.trial(name)
          return trial.observations().tilted(below: limit, from: trial.restingDown)
        }
        let draws = options.draws
        let found = parallel(observed.count * draws) { n in
          search(observed[n / draws], fit, seed: 77 * n + Int(limit))
        }
        table.add(row("whole trials, tilt below \(word(limit, 0))", found))
      }
      say("")
      table.showMarkdown()
    }
  }

  private func search(_ observations: [FieldObservation], _ fit: ForwardFit, seed: Int) -> Found? {
    var draws = Draws(seed: seed)
    let turn = Self.mostTurn * draws.uniform()
    let mount = draws.element(
      of: SignedAxes.all.filter { fit.prior.isPlaceKnown || !$0.isMirrored })
    let drawn = DrawnDistortion(seed: seed, misalignment: turn).mounted(mount)
    let search = MountSearch(fit: fit)
    do {
      let finding = try search.search(drawn(observations))
      return Found(
        isRight: finding.mount == mount, isAccepted: finding.isAccepted, gap: finding.gap)
    } catch {
      return nil
    }
  }

  private func row(_ title: String, _ found: [Found?]) -> [String] {
    // A search that is refused has neither found nor accepted anything.
    let wrong = found.compactMap { $0 }.filter { !$0.isRight }
    return [
      title, "\(found.count)", percent(share(found) { $0?.isRight ?? false }, 0),
      percent(share(found) { $0?.isAccepted ?? false }, 0),
      "\(wrong.filter(\.isAccepted).count)",
      middle(found.compactMap { $0 }.filter(\.isRight).map(\.gap), 0),
      wrong.map(\.gap).max().map { word($0, 1) } ?? "-",
    ]
  }
}
