import ArgumentParser
import Board
import Chips
import Configuration
import FoundationEssentials
import LinuxIO
import Quantities
import ReceiverProtocols
import Storage

/// `lodestar receiver`: what a GNSS receiver is, and how it is set.
struct ReceiverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receiver",
    abstract: "Show, set, save and revert the settings of a GNSS receiver.",
    discussion: """
      u-blox (M8 and later), Quectel (L76, L86, LC29H, LC76G, LG290P), Unicore UM98x, CASIC (AT6558, ATGM336H, L76K) and \
      SkyTraq. The maker is found by questions; a receiver that answers none gets nothing else. Nothing is stored in the \
      receiver but by 'save' and --save. Documentation/Receivers has a page for each maker.
      """,
    subcommands: [
      ReceiverShowCommand.self, ReceiverSetCommand.self, ReceiverSaveCommand.self,
      ReceiverRevertCommand.self,
    ])

  static let statuses = ExitStatus.help([
    .success: "done", .failure: "a setting was refused, is not supported or was not held",
    .unavailable: "no port, a port in use, or no receiver that answers",
    .interrupted: "ended by Ctrl-C; what was set remains until 'lodestar receiver revert'",
  ])
}

/// The receiver of a command.
struct ReceiverOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The receiver's port, such as /dev/ttyUSB0; by default that of the board file.",
      valueName: "device"), completion: .file())
  var port: String?

  @Option(
    help: ArgumentHelp("Bits per second of the port; detected by default.", valueName: "baud"))
  var baud: Int?

  @Option(
    help: "A board file, or the name of an installed one; by default that of the daemon.",
    completion: .board)
  var board: String?

  @Option(help: "Lines of text, or one JSON object.")
  var format: Format = .text

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    if let baud { try Self.check("--baud", baud: baud) }
  }

  /// Checks that a serial port can have a speed.
  static func check(_ option: String, baud: Int) throws {
    guard !LinuxSerialPort.speeds.contains(baud) else { return }
    let speeds = LinuxSerialPort.speeds.map(String.init).joined(separator: ", ")
    throw ValidationError("\(option) \(baud): expected one of \(speeds)")
  }

  /// The receiver of the board file; nil without one.
  func configured() throws(Failure) -> Board.Receiver? {
    var file = board
    if file == nil { file = try BoardOptions.ofDaemon() }
    guard let file else { return nil }
    return try BoardOptions.parsed(file).receiver
  }

  /// The port.
  func path(_ configured: Board.Receiver?) throws(Failure) -> String {
    guard let path = port ?? configured?.port else {
      throw .unavailable(
        "no receiver: give --port, such as --port /dev/ttyUSB0, or name a board file with --board")
    }
    guard !path.hasPrefix(GPSDAddress.scheme) else {
      throw .unavailable(
        "\(path): gpsd has the receiver; stop gpsd and give its device with --port")
    }
    guard !SentenceFeed.isNamed(by: path), !SignalKAddress.isNamed(by: path),
      CANAddress(path) == nil
    else {
      throw .unavailable("\(path): a feed in the network takes no commands; connect to its device")
    }
    return path
  }
}

/// One connection to a receiver: the port, its speed, and the file of what is replaced.
struct ReceiverConnection {
  let path: String
  let signals: StopSignals
  let configurator: ReceiverConfigurator
  let file: ReceiverSettingsFile?

  init(_ options: ReceiverOptions, _ configured: Board.Receiver?) throws {
    path = try options.path(configured)
    let signals = StopSignals()
    self.signals = signals
    let folder = StatePlace.folder(environment: ProcessInfo.processInfo.environment)
    file = folder.map { [path] in ReceiverSettingsFile(stateFolder: $0, port: path) }
    let baud = options.baud ?? (options.port == nil ? configured?.baud : nil)
    do throws(BusError) {
      configurator = try ReceiverConfigurator(path: path, baud: baud) { signals.isStopped }
    } catch {
      throw Self.failure(error, path)
    }
    let progress = ProgressLine(name: "receiver")
    defer { progress.clear() }
    if baud == nil {
      let isFound: Bool
      do throws(BusError) {
        isFound = try configurator.findSpeed { progress.show($0) }
      } catch {
        throw Self.failure(error, path)
      }
      try checkStopped()
      guard isFound else {
        throw Failure.unavailable(
          "\(path): no receiver sends or answers at any speed from 4800 to 921600; check power, and that TX and RX "
            + "cross")
      }
    }
  }

  /// Ends the command after Ctrl-C.
  func checkStopped() throws {
    if signals.isStopped { throw ExitCode(ExitStatus.interrupted.rawValue) }
  }

  private static func failure(_ error: BusError, _ path: String) -> Failure {
    guard case .inUse = error.kind else { return .unavailable("\(error)") }
    return .unavailable(
      "\(error); where that is the daemon: write the settings into its board file and restart it, or "
        + "sudo systemctl stop lodestar, this command again, sudo systemctl start lodestar")
  }

  /// What an earlier change replaced; nil for nothing.
  func stored() throws(Failure) -> (originals: ReceiverOriginals, receiver: String)? {
    let content: ReceiverSettingsFile.Content?
    do throws(FileFault) { content = try file?.read() } catch { throw .output("\(error)") }
    guard let content else { return nil }
    guard let originals = ReceiverOriginals(lines: content.settings) else {
      throw .output("\(file?.path ?? path): it has settings of another version; remove it")
    }
    return (originals, content.receiver)
  }

  /// Runs a task to its end.
  /// - Throws: `Failure` for a fault of the port, or where no receiver answers; an exit after Ctrl-C.
  func run(
    _ task: ReceiverSetup.Task, _ settings: ReceiverSettings = ReceiverSettings(),
    earlier: (originals: ReceiverOriginals, receiver: String)? = nil
  ) throws -> ReceiverSetup {
    let progress = ProgressLine(name: "receiver")
    progress.show("\(path): asking the receiver at \(configurator.baud) baud")
    defer { progress.clear() }
    var kept: ReceiverOriginals?
    var failure: Failure?
    let setup: ReceiverSetup
    do throws(BusError) {
      setup = try configurator.run(
        settings, task: task, earlier: earlier?.originals ?? ReceiverOriginals(),
        earlierIdentity: earlier?.receiver
      ) { setup in
        guard task == .apply, setup.replaced != kept, !setup.replaced.isEmpty else { return }
        kept = setup.replaced
        do throws(Failure) { try keep(setup) } catch { failure = failure ?? error }
      }
    } catch {
      throw Self.failure(error, path)
    }
    progress.clear()
    if let failure { StandardError.say("\(failure); 'revert' cannot restore the earlier settings") }
    try checkStopped()
    guard setup.hasAnswered else {
      throw Failure.unavailable(
        "\(path): the receiver at \(configurator.baud) baud answers none of the questions of "
          + "\(ReceiverMaker.allCases.map(\.rawValue).joined(separator: ", ")): it is of another maker, or the "
          + "board's TX is not wired to its RX; nothing was changed")
    }
    return setup
  }

  /// Stores what the set-up has replaced so far.
  private func keep(_ setup: ReceiverSetup) throws(Failure) {
    guard let file, let identity = setup.identity else { return }
    do throws(FileFault) {
      try file.write(
        ReceiverSettingsFile.Content(
          receiver: identity.text, port: path, settings: setup.replaced.lines))
    } catch {
      throw .output("\(error)")
    }
  }
}
