import ArgumentParser
import BoardFile
import Engine
import Foundation
import Outputs
import ServiceClient
import ServiceProtocol

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

  @Option(
    help:
      "Estimates a second, 0.01 to 50; 10 without it. With --format nmea: headings a second; 2 without it."
  )
  var rate: Double?

  @Option(
    help:
      "With --format nmea: the sentences to write, each with the most a second: HDG=4,HDT=1,RMC. Of HDG, HDM, HDT, THS, GGA, RMC, VTG; without it HDG, HDM and HDT twice a second (or --rate), and GGA, RMC and VTG once for each fix, which fits a line of 4800 baud."
  )
  var sentences: SentencesArgument?

  @Option(
    help:
      "With --simulate: write what really was the case at each estimate's instant, one JSON object a line."
  )
  var truth: String?

  @Option(help: "End after so many.")
  var count: Int?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Take estimates from the running daemon, or never; without this the daemon where one answers and no source or pipeline option is given."
  )
  var daemon: Bool?

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
    if daemon == true, namesSource || namesPipeline {
      throw ValidationError(
        "--daemon: the daemon has the source and its options; leave those of this command out")
    }
    if sentences != nil, format != .nmea {
      throw ValidationError("--sentences: only NMEA has sentences; give --format nmea")
    }
    if let rate, !(0.01...50).contains(rate) {
      throw ValidationError("--rate \(rate): expected 0.01 to 50 a second")
    }
    if let count, count < 1 { throw ValidationError("--count \(count): expected 1 or more") }
  }

  private var namesSource: Bool {
    simulate || replay != nil || gpsd != nil || pipeline.board.board != nil
  }

  /// Whether samples are to be read in a way that the daemon may not read them.
  private var namesPipeline: Bool {
    pipeline.calibration != nil || pipeline.board.mount != nil || pipeline.qnh != nil
      || pipeline.date != nil || pipeline.load.loadGain != nil || pipeline.load.loadFile != nil
      || pipeline.activity != .other || onlineCalibration != nil
  }

  /// Opens what was asked for: the daemon where it answers and nothing else was named. `isAboutPlace` is true
  /// for a command that writes a line a fix.
  func open(isAboutPlace: Bool) throws(Failure) -> StreamSource {
    if daemon != false, !namesSource, !namesPipeline {
      if let client = try served() {
        guard !status else {
          throw .usage(
            "--status is of a board that this program reads; the daemon tells it by 'systemctl status lodestar'"
          )
        }
        let demand =
          isAboutPlace
          ? EstimateDemand(fixes: true)
          : EstimateDemand(fixes: true, headings: true, headingInterval: rate.map { 1 / $0 })
        return StreamSource(client, demand: demand)
      }
    }
    return StreamSource(try openHere())
  }

  /// The daemon; nil where none runs and none was asked for.
  private func served() throws(Failure) -> DaemonClient? {
    do throws(DaemonError) {
      let client = try DaemonClient(application: "lodestar")
      if client.access.current.authorization == .notDetermined {
        client.access.request(.whenInUse)
        for _ in 0..<100 where client.access.current.authorization == .notDetermined {
          Thread.sleep(forTimeInterval: 0.01)
        }
      }
      let access = client.access.current
      guard access.isEnabled, access.authorization.isGranted else {
        throw .refused(
          ServiceFault(
            .access,
            access.fault
              ?? "the policy says '\(access.authorization.rawValue)' for the application 'lodestar'"
          ))
      }
      return client
    } catch {
      switch error {
      case .noSocket where daemon == nil, .notRunning where daemon == nil:
        let named = ProcessInfo.processInfo.environment["LODESTAR_SOCKET"] ?? ""
        // Who names a socket expects a daemon there; "none" asks for none.
        if named.hasPrefix("/") {
          StandardError.say("\(error); the board is read without it")
        }
        return nil
      default: throw .unavailable("\(error); or read the board without it by --no-daemon")
      }
    }
  }

  /// Opens a source in this process.
  private func openHere() throws(Failure) -> EstimatePlayer {
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

/// Sentences of the command line, each with the most of them a second.
struct SentencesArgument: ExpressibleByArgument {
  let schedule: NMEASchedule

  init?(argument: String) {
    var rates: [NMEASchedule.Sentence: Double] = [:]
    for item in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = item.split(separator: "=", omittingEmptySubsequences: false)
      guard let name = parts.first, let sentence = NMEASchedule.Sentence(name: String(name)),
        parts.count <= 2, rates[sentence] == nil
      else { return nil }
      guard parts.count == 2 else {
        rates[sentence] = sentence.usualRate
        continue
      }
      guard let rate = Double(parts[1]), (0.01...50).contains(rate) else { return nil }
      rates[sentence] = rate
    }
    schedule = NMEASchedule(mostPerSecond: rates)
  }
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
