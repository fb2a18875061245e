import ArgumentParser
import Board
import Configuration
import Formats
import HostProtocol

/// The source, format, rate and number of a streaming command's estimates.
struct SourceOptions: ParsableArguments {
  @OptionGroup var selection: SourceSelection

  @Option(help: "Lines of text, one JSON object a line, or NMEA 0183.")
  var format: StreamFormat = .text

  @Flag(
    help:
      "Once a second, the state of the attached board on standard error: samples a second, lateness, the receiver's pulse; with --format json one object a line (notices stay text)."
  )
  var status = false

  @Option(
    help: ArgumentHelp(
      "Estimates a second, 0.01 to 50; 10 without it. With --format nmea: headings a second; 2 without it.",
      valueName: "hertz"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "With --format nmea: the sentences to write, each with its greatest rate a second: HDG=4,HDT=1,RMC. Of HDG, HDM, HDT, THS, ROT, XDR, GGA, RMC, VTG, GLL, ZDA, PANDA, PAOGI, POV, LK8EX1, LXWP0; by default HDG, HDM and HDT twice a second (or --rate), and GGA, RMC and VTG once for each fix, which fits 4800 baud.",
      valueName: "list"))
  var sentences: SentencesArgument?

  @Option(
    help: ArgumentHelp(
      "With --simulate: write the true state at each estimate's instant, one JSON object a line.",
      valueName: "file"), completion: .file())
  var truth: String?

  @Option(
    help: ArgumentHelp("End after this number of lines, 1 or more.", valueName: "lines"))
  var count: Int?

  func validate() throws {
    if status, selection.simulate || replay != nil {
      throw ValidationError(
        "--status needs an attached board; remove --simulate or --replay")
    }
    if truth != nil, !selection.simulate {
      throw ValidationError("--truth needs a simulation; give --simulate")
    }
    if sentences != nil, format != .nmea {
      throw ValidationError("--sentences: only NMEA has sentences; give --format nmea")
    }
    if let rate, !(0.01...50).contains(rate) {
      throw ValidationError("--rate \(rate): expected 0.01 to 50 a second")
    }
    if let count, count < 1 { throw ValidationError("--count \(count): expected 1 or more") }
  }

  /// The recording that is played; nil for another source.
  var replay: String? { selection.replay }

  /// Opens the requested source: by default the daemon if it answers, else the attached board.
  /// `isAboutPlace` is true for a command that writes one line for each fix.
  func open(isAboutPlace: Bool) throws(Failure) -> StreamSource {
    guard let client = try selection.client() else {
      return StreamSource(try selection.player())
    }
    guard !status else {
      throw .usage(
        "--status: the board is read by the daemon; use 'systemctl status lodestar', or --no-daemon"
      )
    }
    let demand =
      isAboutPlace
      ? EstimateDemand(fixes: true)
      : EstimateDemand(fixes: true, headings: true, headingInterval: rate.map { 1 / $0 })
    return StreamSource(client, demand: demand)
  }
}

/// The format of a stream of estimates.
enum StreamFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, nmea
}

/// Sentences on the command line, each with its greatest rate a second.
struct SentencesArgument: ExpressibleByArgument {
  let schedule: NMEASchedule

  init?(argument: String) {
    guard let rates = NMEASchedule.Sentence.rates(of: argument),
      !rates.keys.contains(where: \.isOfSky)
    else {
      RefusedValue.explain(
        "expected sentences with rates of 0.01 to 50 a second, each once, such as HDG=4,HDT=1,RMC")
      return nil
    }
    schedule = NMEASchedule(mostPerSecond: rates)
  }
}

/// The address of a gpsd daemon on the command line, with or without `gpsd://`.
struct GPSDArgument: ExpressibleByArgument {
  let address: GPSDAddress

  init?(argument: String) {
    let text = argument.contains("://") ? argument : GPSDAddress.scheme + argument
    guard !argument.isEmpty, let address = GPSDAddress(text) else {
      RefusedValue.explain("expected a host with or without a port, such as localhost:2947")
      return nil
    }
    self.address = address
  }
}

extension Failure {
  /// The failure for an error of the source.
  init(_ error: SourceError) {
    switch error {
    case .noSensors:
      self = .unavailable(
        "\(error); see 'lodestar doctor', or give --simulate for the simulated board or --replay FILE for a recording"
      )
    case .gpsd, .signalK, .nmea2000: self = .unavailable("\(error)")
    case .bus, .chips: self = .board("\(error)")
    default: self = .input("\(error)")
    }
  }
}
