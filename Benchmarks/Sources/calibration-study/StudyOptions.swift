import ArgumentParser
import CalibrationFit
import Quantities
import Study

/// What every subcommand takes.
struct StudyOptions: ParsableArguments {
  @Argument(help: "The folder of the reference data, which holds data/broad.")
  var shared: String

  @Option(help: "Whether the place is known: known, unknown, or both with a comma between.")
  var places = Places(list: [.unknown])

  @Option(help: "How many distortions are drawn for each trial or segment.")
  var draws = 8

  @Option(
    help: "Each so many samples one is fitted, and the others are lost: 1 is 286 Hz, 3 is 95 Hz.")
  var every = 1

  @Option(
    name: .customLong("set"), parsing: .upToNextOption,
    help: "Parameters of ForwardFit as name=value; the online calibration takes none.")
  var settings: [String] = []

  func validate() throws {
    guard every > 0 else { throw ValidationError("--every \(every): expected one or more") }
    guard draws > 0 else { throw ValidationError("--draws \(draws): expected one or more") }
  }

  /// The fit for a place.
  func fit(_ place: Place) throws -> ForwardFit {
    ForwardFit(prior: place.prior, parameters: try FitParameters.changed(by: settings))
  }

  func data() throws -> StudyData { try StudyData(shared: shared, every: every) }
}

/// Whether the fit knows the place.
enum Place: String, CaseIterable, Sendable {
  case known, unknown

  /// The trials' room is at Berlin: horizontal 18, down 46 microtesla by the magnetic model. In the
  /// room it is 16 and 44.
  var prior: FieldPrior {
    switch self {
    case .known: .model(EarthField(horizontal: 18, down: 46))
    case .unknown: .unknown
    }
  }
}

/// Places as a list with commas.
struct Places: ExpressibleByArgument {
  let list: [Place]

  init(list: [Place]) { self.list = list }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    list = words.compactMap { Place(rawValue: String($0)) }
    guard list.count == words.count, !list.isEmpty else { return nil }
  }

  var defaultValueDescription: String { list.map(\.rawValue).joined(separator: ",") }
}
