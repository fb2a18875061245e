import ArgumentParser
import Fusion
import RecordedTrials
import Study

/// What every subcommand takes.
struct StudyOptions: ParsableArguments {
  @Argument(help: "The folder of the reference data, which holds data/broad.")
  var shared: String

  @Option(help: "Azimuths in degrees that each trial is turned to.")
  var turns = Turns(degrees: [0, 90, 180, 270])

  @Option(
    name: .customLong("set"), parsing: .upToNextOption,
    help: "Parameters of StrapdownFilter as name=value.")
  var settings: [String] = []

  /// The default tuning with the settings in it.
  func parameters() throws -> StrapdownFilter.Parameters { try tunedParameters(settings) }

  /// The trials as they were recorded.
  func trials() throws -> [Trial] { try loadTrials(shared: shared) }

  /// The trials turned to each azimuth; those of one trial lie side by side.
  func turnedTrials() throws -> [Trial] { turned(try trials(), to: turns.degrees) }
}

/// The default tuning with settings such as `name=value` in it.
func tunedParameters(_ settings: [String]) throws -> StrapdownFilter.Parameters {
  var parameters = StrapdownFilter.Parameters()
  for setting in settings {
    let parts = setting.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Double(parts[1]), value.isFinite else {
      throw StudyError("--set \(setting): expected name=value with a number as value")
    }
    try parameters[keyPath: TunedParameter.named(String(parts[0])).path] = value
  }
  return parameters
}

/// Azimuths as a list of degrees with commas.
struct Turns: ExpressibleByArgument {
  let degrees: [Double]

  init(degrees: [Double]) { self.degrees = degrees }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let degrees = words.compactMap { Double($0) }
    guard degrees.count == words.count, degrees.allSatisfy(\.isFinite) else { return nil }
    self.degrees = degrees
  }

  var defaultValueDescription: String { degrees.map { "\(Int($0))" }.joined(separator: ",") }
}
