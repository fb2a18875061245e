import ArgumentParser
import CalibrationFit
import Quantities
import Study

/// A board that is only turned level.
struct LevelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Simulated level turns: the error near level and beyond, and what is predicted.")

  @OptionGroup var options: StudyOptions

  @Option(help: "Simulated turns of each kind.")
  var turns = 40

  private struct Outcome: Sendable {
    var near: (error: Double, predicted: Double)
    var beyond: (error: Double, predicted: Double)
  }

  func run() throws {
    let data = try options.data()
    say("Yaw that the trials cover below 5 degrees of tilt, degrees")
    for name in StudyData.undisturbed + StudyData.disturbed {
      let trial = try data.trial(name)
      let level = trial.observations().tilted(below: 5, from: trial.restingDown)
      say("\(name): \(word(level.yawCovered, 0)), \(level.count) observations")
    }
    say("")
    say(
      "Simulated turns; error and prediction of the same attitudes, root mean square, median (p90) of the turns, "
        + "degrees: tilts to 5 and of 10 to 45")
    for place in options.places.list {
      let fit = try options.fit(place)
      for misalignment in [0.0, 5] {
        say("")
        say("Place \(place.rawValue), misalignment \(word(misalignment, 0)) degrees")
        var table = TextTable(
          "yaw", "tilt, sigma", "fits", "error to 5", "predicted", "within 2 sigma %",
          "error beyond",
          "predicted", "within 2 sigma %")
        for tilt in [1.0, 2] {
          for yaw in [90.0, 180, 270, 360] {
            let turn = LevelTurn(yaw: yaw, tilt: tilt)
            let outcomes = parallel(turns) { outcome(turn, $0, misalignment, fit) }
              .compactMap { $0 }
            table.add(
              [word(yaw, 0), word(tilt, 0), "\(outcomes.count)"] + cells(outcomes.map(\.near))
                + cells(outcomes.map(\.beyond)))
          }
        }
        table.showMarkdown()
      }
    }
  }

  private static let near = AttitudeGrid(tilts: [0, 2.5, 5])
  private static let beyond = AttitudeGrid(tilts: [10, 20, 30, 45])

  private func outcome(
    _ turn: LevelTurn, _ number: Int, _ misalignment: Double, _ fit: ForwardFit
  ) -> Outcome? {
    let drawn = DrawnDistortion(seed: 300 + number, misalignment: misalignment)
    let observations = drawn(turn.observations(seed: 5000 + number))
    do {
      let estimate = try fit.fit(observations).estimate
      func judge(_ grid: AttitudeGrid) -> (error: Double, predicted: Double) {
        (
          grid.error(of: estimate.distortion, under: drawn, field: LevelTurn.field),
          grid.predicted(estimate)
        )
      }
      return Outcome(near: judge(Self.near), beyond: judge(Self.beyond))
    } catch {
      return nil
    }
  }

  private func cells(_ some: [(error: Double, predicted: Double)]) -> [String] {
    [
      spread(some.map(\.error)), spread(some.map(\.predicted)),
      percent(share(some) { $0.error < 2 * $0.predicted }, 0),
    ]
  }
}
