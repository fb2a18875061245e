import ArgumentParser
import BoardFile
import Engine

/// Where a streaming command's estimates come from, and how many of them are wanted.
struct SourceOptions: ParsableArguments {
  @Flag(help: "The simulated board; everything is labelled SIMULATED.")
  var simulate = false

  @Option(help: "A recording, played at its own pace.")
  var replay: String?

  @Option(
    help:
      "Take fixes from a gpsd daemon, gpsd://HOST:PORT/DEVICE or HOST; the heading comes from the chips that are found."
  )
  var gpsd: GPSDArgument?

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help:
      "Calibrate the magnetometer during use: on or off; on for an attached board, off for a recording and a simulation."
  )
  var onlineCalibration: OnlineCalibrationArgument?

  @Option(help: "text, json (one object a line) or nmea.")
  var format: StreamFormat = .text

  @Flag(
    help:
      "Once a second, how the attached board is doing, on standard error: samples a second, lateness, the receiver's pulse; one object a line with --format json (notices are no objects)."
  )
  var status = false

  @Option(help: "Estimates a second, 0.01 to 50.")
  var rate: Double?

  @Option(
    help:
      "With --simulate: write what really was the case at each estimate's instant, one JSON object a line."
  )
  var truth: String?

  @Option(help: "End after so many.")
  var count: Int?

  func validate() throws {
    if simulate, replay != nil {
      throw ValidationError("give --simulate or --replay, not both")
    }
    if gpsd != nil, simulate || replay != nil {
      throw ValidationError("--gpsd is of an attached board; leave --simulate or --replay out")
    }
    if status, simulate || replay != nil {
      throw ValidationError(
        "--status: only an attached board has one; leave --simulate or --replay out")
    }
    if truth != nil, !simulate {
      throw ValidationError("--truth: only a simulation knows the truth; give --simulate")
    }
    if let rate, !(0.01...50).contains(rate) {
      throw ValidationError("--rate \(rate): expected 0.01 to 50 a second")
    }
    if let count, count < 1 { throw ValidationError("--count \(count): expected 1 or more") }
  }

  /// Opens what was asked for.
  func open() throws(Failure) -> EstimatePlayer {
    let choice: SourceChoice =
      simulate
      ? .simulation
      : replay.map { .replay(path: $0) } ?? gpsd.map { .gpsd($0.address) } ?? .attached
    do {
      var configuration = try pipeline.configuration()
      let isAttached = !simulate && replay == nil
      let mayCalibrate = isAttached && configuration.calibration != .assumed
      configuration.onlineCalibration = onlineCalibration.map { $0 == .on } ?? mayCalibrate
      let player = try choice.open(configuration)
      // A chip that is lost or comes back is worth a line wherever estimates go.
      player.onNotice { StandardError.say($0) }
      return player
    } catch let error as SourceError {
      throw Failure(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw .input("\(error)")
    }
  }
}

/// How a stream of estimates is written.
enum StreamFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, nmea
}

/// A gpsd daemon of the command line: its address, of which `gpsd://` may be left out.
struct GPSDArgument: ExpressibleByArgument {
  let address: GPSDAddress

  init?(argument: String) {
    let text = argument.contains("://") ? argument : GPSDAddress.scheme + argument
    guard !argument.isEmpty, let address = GPSDAddress(text) else { return nil }
    self.address = address
  }
}

extension Failure {
  /// Why no samples can be had.
  init(_ error: SourceError) {
    switch error {
    case .noSensors, .gpsd: self = .unavailable("\(error)")
    case .bus, .chips: self = .board("\(error)")
    default: self = .input("\(error)")
    }
  }
}
