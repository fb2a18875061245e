import Board
import Chips
import Configuration
import Formats
import FoundationEssentials
import Pipeline
import Quantities
import Recording
import Simulation

/// The source that a program requested.
public enum SourceChoice: Equatable, Sendable {
  /// The simulated board; its estimates are labelled SIMULATED.
  case simulation
  /// The simulated board with iron, turned by hand; to try a calibration.
  case calibrationSimulation
  /// The simulated board that does the steps of `lodestar check`, with a fault if one is given, at
  /// `speed` times real time.
  case acceptanceSimulation(BoardFault?, speed: Double)
  /// A recording, played in real time; `topics`: those of ROS 2, or the first of each type.
  case replay(path: String, topics: [String] = [])
  /// The attached board.
  case attached
  /// The attached chips with the fixes of a gpsd daemon; only the fixes if there are no chips.
  case gpsd(GPSDAddress)

  /// The prefix of a recording's path; its fixes get the time of playback.
  public static let replayPrefix = "replay:"
  /// The prefix of a recording's path; its fixes keep the recorded time.
  public static let recordedPrefix = "recorded:"

  /// The value of the environment variable `LODESTAR_SOURCE`: `simulate`, `replay:FILE`,
  /// `recorded:FILE`, `gpsd://HOST:PORT`, or nothing for the attached board. It lets an unchanged
  /// application run without sensors.
  public init(environment value: String?) throws(SourceError) {
    switch value {
    case nil, "": self = .attached
    case "simulate": self = .simulation
    case .some(let text):
      for prefix in [Self.replayPrefix, Self.recordedPrefix] where text.hasPrefix(prefix) {
        self = .replay(path: String(text.dropFirst(prefix.count)))
        return
      }
      guard let address = GPSDAddress(text) else { throw .unknownChoice(text) }
      self = .gpsd(address)
    }
  }

  /// Opens the source; `start` starts it.
  ///
  /// A simulated source sets its own label, time and calibration.
  /// - Parameters:
  ///   - configuration: The pipeline's configuration.
  ///   - pace: The speed of a recording, 1 for real time; 0 for no delays.
  /// - Returns: The player, not yet started.
  /// - Throws: `SourceError` with what is missing and what to do.
  public func open(
    _ configuration: PipelineConfiguration = PipelineConfiguration(), pace: Double = 1
  ) throws(SourceError) -> EstimatePlayer {
    switch self {
    case .simulation: return try openSimulation(configuration, SimulationPlan())
    case .calibrationSimulation:
      return try openSimulation(
        configuration, SimulationPlan(scenario: .calibrationByHand, calibration: .none))
    case .acceptanceSimulation(let fault, let speed):
      return try openSimulation(
        configuration,
        SimulationPlan(scenario: .acceptance, calibration: .assumed, fault: fault, speed: speed))
    case .replay(let path, let topics): return try openReplay(path, topics, configuration, pace)
    case .attached: return try openAttached(configuration)
    case .gpsd(let address): return try openAttached(configuration, fixesFrom: address)
    }
  }

  /// Opens a receiver without any chip; `start` starts it.
  /// - Parameters:
  ///   - place: Its serial device, or `gpsd://HOST:PORT` of its daemon.
  ///   - configuration: The pipeline's configuration; its board's chips are ignored.
  /// - Returns: The player, not yet started.
  /// - Throws: `SourceError` with what is missing and what to do.
  public static func openReceiver(
    at place: String, _ configuration: PipelineConfiguration = PipelineConfiguration()
  ) throws(SourceError) -> EstimatePlayer {
    var configuration = configuration
    configuration.board.sensors = []
    configuration.board.compass = nil
    configuration.board.receivers = [Board.Receiver(port: place)]
    return try SourceChoice.attached.open(configuration)
  }

  /// What is simulated.
  private struct SimulationPlan {
    /// The world; nil for the usual one of the board.
    var scenario: Scenario?
    /// The calibration where none is configured.
    var calibration = CalibrationChoice.assumed
    /// The board's fault.
    var fault: BoardFault?
    /// Times of real time.
    var speed = 1.0
  }

  private func openSimulation(
    _ configuration: PipelineConfiguration, _ plan: SimulationPlan
  ) throws(SourceError) -> EstimatePlayer {
    var configuration = configuration
    let now = UTCTime(secondsSince1970: Date().timeIntervalSince1970)
    let start = now ?? UTCTime(nanosecondsSince1970: 0)
    if configuration.board.sensors.isEmpty {
      configuration.board.name = Board.simulated.name
      configuration.board.sensors = Board.simulated.sensors
      configuration.board.receiver = configuration.board.receiver ?? Board.simulated.receiver
    }
    let board = configuration.board
    let rows: SimulatedBoardSamples
    do {
      rows = try SimulatedBoardSamples(
        board, scenario: plan.scenario ?? Self.scenario(for: board),
        seed: UInt64(bitPattern: start.nanosecondsSince1970), startUTC: start, fault: plan.fault)
    } catch {
      throw .simulation("\(error)")
    }
    configuration.isSimulated = true
    configuration.utcAtStart = start
    return EstimatePlayer(
      rows: rows, pipeline: configuration,
      hasMagnetometer: board.sensors.contains { $0.measures(.field) },
      hasReceiver: board.receiver != nil, positionOrigin: .simulation,
      usualCalibration: plan.calibration, truth: rows.truth, driverStatus: rows.boardStatus,
      speed: plan.speed)
  }

  /// A boat at sea; for a board without an inertial unit a level rover, as it must be level in use.
  package static func scenario(for board: Board) -> Scenario {
    let feelsGravity = board.sensors.contains { $0.measures(.inertia) }
    return feelsGravity ? .sailingBoat : .levelRover
  }

  private func openAttached(
    _ configuration: PipelineConfiguration, fixesFrom address: GPSDAddress? = nil
  ) throws(SourceError) -> EstimatePlayer {
    var configuration = configuration
    let hardware = LinuxHardware()
    var faults: [BusError] = []
    if let address {
      // The daemon owns the receiver's port: it must not be opened here.
      if configuration.board.sensors.isEmpty {
        let found: Board
        (found, faults) = BoardFinder(hardware: hardware).chips()
        if configuration.board == .standard {
          configuration.board = found
        } else {
          configuration.board.sensors = found.sensors
        }
      }
      configuration.board.receivers = [Board.Receiver(port: address.text)]
    } else if configuration.board.sensors.isEmpty, configuration.board.receiver == nil,
      configuration.board.compass == nil
    {
      let found = try BoardFinder(hardware: hardware).board()
      // The caller's mount has priority over the found board's.
      if configuration.board == .standard {
        configuration.board = found
      } else {
        configuration.board.sensors = found.sensors
        configuration.board.receivers = found.receivers
      }
    }
    if configuration.utcAtStart == nil {
      configuration.utcAtStart = UTCTime(secondsSince1970: Date().timeIntervalSince1970)
      configuration.isStartMachineClock = true
    }
    let player = try EstimatePlayer(attached: configuration, hardware: hardware)
    // The fixes are available nevertheless.
    for fault in faults { player.notice("no chip of this bus is read: \(fault)") }
    return player
  }

  private func openReplay(
    _ path: String, _ topics: [String], _ configuration: PipelineConfiguration, _ pace: Double
  ) throws(SourceError) -> EstimatePlayer {
    let recording: OpenedRecording
    do throws(RecordingError) {
      var opened = try OpenedRecording(
        path: path, topics: topics, near: configuration.utcAtStart?.date)
      guard try opened.isRecognized() else { throw .unrecognized(path: path) }
      recording = opened
    } catch {
      throw .recording(error)
    }
    var configuration = configuration
    if configuration.usesRecordedStart, let recorded = recording.exact?.configuration {
      configuration.start(as: recorded)
    }
    configuration.utcAtStart = configuration.utcAtStart ?? recording.startTime
    // Fits would delay a recording that is played faster.
    if pace != 1 { configuration.onlineCalibration = false }
    return EstimatePlayer(
      rows: recording.rows, pipeline: configuration, hasMagnetometer: recording.hasMagnetometer,
      hasReceiver: recording.hasReceiver, positionOrigin: .recording(path), speed: pace,
      publishInterval: EstimatePlayer.publishInterval * max(1, pace))
  }
}
