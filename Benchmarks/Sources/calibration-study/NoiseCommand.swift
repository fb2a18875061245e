import ArgumentParser
import CalibrationFit
import Study

/// A gyroscope that is noisier than the trials'.
struct NoiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "noise",
    abstract: "The fit of rotation trials with more noise of the gyroscope.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let data = try options.data()
    say("Rotation trials; error on the other undisturbed trials, median (p90), degrees")
    for place in options.places.list {
      say("")
      say("Place \(place.rawValue)")
      var table = try GyroscopeTable(
        data, draws: options.draws, fit: try options.fit(place))
      table.add("as recorded", .none)
      for walk in [0.005, 0.02, 0.1, 0.3] {
        table.add("\(walk) deg/√s", GyroscopeTrouble(angleWalk: walk))
      }
      // After 100 s a bias of 0.01 and 0.05 deg/s: 36 and 180 degrees an hour.
      for walk in [0.001, 0.005] {
        table.add("bias walk \(walk) (deg/s)/√s", GyroscopeTrouble(biasWalk: walk))
      }
      table.show()
    }
  }
}
