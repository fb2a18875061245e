import ArgumentParser
import CalibrationFit
import Study

/// A gyroscope that is out of its factory's trim.
struct GyroscopeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyroscope",
    abstract: "The fit of rotation trials with a wrong scale and a bias of the gyroscope.")

  @OptionGroup var options: StudyOptions

  func run() throws {
    let data = try options.data()
    say(
      "Rotation trials; error on the other undisturbed trials, median (p90), degrees; rate scale as the fit found it"
    )
    for place in options.places.list {
      say("")
      say("Place \(place.rawValue)")
      var table = try GyroscopeTable(
        data, draws: options.draws, fit: try options.fit(place))
      table.add("as recorded", .none)
      table.add("scale +1 %", GyroscopeTrouble(scale: 1.01))
      table.add("scale +3 %", GyroscopeTrouble(scale: 1.03))
      table.add("scale -3 %", GyroscopeTrouble(scale: 0.97))
      table.add("bias 0.5 deg/s", GyroscopeTrouble(bias: 0.5))
      table.add("both", GyroscopeTrouble(scale: 1.03, bias: 0.5))
      table.show()
    }
  }
}
