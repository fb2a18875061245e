import ArgumentParser
import Board
import Configuration
import HostClient
import LocationHost
import Pipeline

/// Where samples and estimates come from: a simulation, a recording, the running daemon, or the
/// attached board.
struct SourceSelection: ParsableArguments {
  @Flag(help: "The simulated board; everything is labelled SIMULATED.")
  var simulate = false

  @Option(
    help: ArgumentHelp("A recording, played in real time.", valueName: "file"),
    completion: .file())
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "Take fixes from a gpsd daemon, gpsd://HOST:PORT/DEVICE or HOST; the heading comes from the chips that are found.",
      valueName: "address"))
  var gpsd: GPSDArgument?

  @OptionGroup var reading: RecordingOptions

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help: ArgumentHelp(
      "Calibrate the magnetometer during use; by default on for an attached board, off for a recording and a simulation.",
      valueName: "on|off"))
  var onlineCalibration: OnlineCalibrationArgument?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Always, or never, use the running daemon; by default a running daemon is used where no source or pipeline option is given."
  )
  var daemon: Bool?

  func validate() throws {
    if simulate, replay != nil {
      throw ValidationError("give --simulate or --replay, not both")
    }
    if gpsd != nil, simulate || replay != nil {
      throw ValidationError("--gpsd needs an attached board; remove --simulate or --replay")
    }
    if daemon == true, namesSource || namesPipeline {
      throw ValidationError(
        "--daemon: the daemon defines the source and the pipeline; remove the other options for them"
      )
    }
  }

  /// Whether a source is named.
  var namesSource: Bool {
    simulate || replay != nil || gpsd != nil || pipeline.board.board != nil
  }

  /// Whether pipeline options are given, which may differ from the daemon's.
  private var namesPipeline: Bool {
    pipeline.isGiven || onlineCalibration != nil
  }

  /// The daemon, where it answers and no option asks for another source; nil to open a source here.
  func client() throws(Failure) -> HostClient? {
    guard daemon != false, !namesSource, !namesPipeline else { return nil }
    return try HostClient.served(
      isRequired: daemon == true, remedy: "; or read the board without the daemon by --no-daemon",
      without: "the board is read without the daemon")
  }

  /// Opens a source in this process.
  /// - Parameter tap: Receives what the pipeline takes, for a recording.
  /// - Returns: The player, not yet started.
  /// - Throws: The failure with its remedy.
  func player(tap: (any PipelineTap)? = nil) throws(Failure) -> EstimatePlayer {
    let choice: SourceChoice =
      simulate
      ? .simulation
      : replay.map { .replay(path: $0, topics: reading.topics) } ?? gpsd.map { .gpsd($0.address) }
        ?? .attached
    do {
      var configuration = try pipeline.configuration()
      let isAttached = !simulate && replay == nil
      let mayCalibrate = isAttached && configuration.calibration != .assumed
      configuration.onlineCalibration = onlineCalibration.map { $0 == .on } ?? mayCalibrate
      if namesPipeline { configuration.usesRecordedStart = false }
      configuration.tap = tap
      let player = try choice.open(configuration)
      // A chip that is lost or returns is reported in every output format.
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
