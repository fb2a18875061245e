import ArgumentParser
import Board
import Configuration
import FoundationEssentials
import Glibc
import HostProtocol
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import Servers
import Storage

/// The options of the daemon, from the command line, else from a file.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A YAML file with these options' names and more keys: lodestar-serve.yaml(5).",
      valueName: "file"), completion: .file(extensions: ["yaml"]))
  var config: String?

  @Flag(help: "The simulated board; everything is labelled SIMULATED.")
  var simulate = false

  @Option(
    help: ArgumentHelp(
      "A recording, played in real time; the daemon uses its clock.", valueName: "file"),
    completion: .file())
  var replay: String?

  @Option(
    help: ArgumentHelp(
      "With --replay: the speed as a factor, 0.01 to 10000; 0 for as fast as possible.",
      valueName: "factor"))
  var pace: Double?

  @Option(
    help: ArgumentHelp(
      "Take fixes from a gpsd daemon, gpsd://HOST:PORT/DEVICE or HOST.", valueName: "address"))
  var gpsd: GPSDArgument?

  @Option(
    help: ArgumentHelp("The path of the socket.", valueName: "path"), completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp("The folder of the daemon's persistent state.", valueName: "folder"),
    completion: .directory)
  var state: String?

  @Option(
    help: ArgumentHelp(
      "The port of gpsd's protocol on this machine; 0 for none (default: 2947).",
      valueName: "port"))
  var gpsdPort: Int?

  @Option(
    help: ArgumentHelp(
      "The port of NMEA 0183 sentences on this machine; 0 for none (default: 0).",
      valueName: "port"))
  var nmeaPort: Int?

  @Option(
    help: ArgumentHelp(
      "The port of the web page on this machine; 0 for none (default: 8090).", valueName: "port"))
  var httpPort: Int?

  @Option(
    help: ArgumentHelp(
      "Record everything in this folder, for lodestar replay and report; the file has the limits (default: none).",
      valueName: "folder"), completion: .directory)
  var recording: String?

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help: ArgumentHelp(
      "Calibrate the magnetometer during use; by default on for an attached board, off for a recording and a simulation.",
      valueName: "on|off"))
  var onlineCalibration: OnlineCalibrationArgument?

  func validate() throws {
    if simulate, replay != nil {
      throw ValidationError("give --simulate or --replay, not both")
    }
    if gpsd != nil, simulate || replay != nil {
      throw ValidationError("--gpsd needs an attached board; remove --simulate or --replay")
    }
    for (name, text) in ports {
      if let fault = ServeKey.fault(of: text, for: name) {
        throw ValidationError("--\(name) \(text): expected \(fault)")
      }
    }
    if let pace, pace != 0, !(0.01...10_000).contains(pace) {
      throw ValidationError("--pace \(pace): expected 0, or 0.01 to 10000")
    }
  }

  /// The options of the command line that the file has too, by their keys.
  private var ports: [String: String] {
    var values = ["gpsd-port": gpsdPort, "nmea-port": nmeaPort, "http-port": httpPort]
      .compactMapValues { $0.map { "\($0)" } }
    values["recording"] = recording.map { URL(fileURLWithPath: $0).path }
    return values
  }

  /// What the options and the file request.
  struct Plan {
    var opening: SourceOpening
    /// The configuration without file and options of servers.
    var usual: ServeConfiguration
    var configuration: ServeConfiguration
    var file: ServeFile?
  }

  /// Reads the file and everything that it names.
  func plan() throws(Failure) -> Plan {
    var options = self
    let environment = ProcessInfo.processInfo.environment
    let isRoot = geteuid() == 0
    do {
      let file = try config.map { path throws(ServeFileError) in try ServeFile(path: path) }
      if let file { try options.merge(file) }
      let state = options.state ?? StatePlace.folder(environment: environment, isRoot: isRoot)
      // An invalid command line is reported before an error of the machine.
      let recording = try ServeConfiguration(socketPath: "", stateFolder: "").with(file, ports)
        .recording
      let opening = try options.opening(state: state, recording)
      guard
        let socket = options.socket
          ?? SocketPath.ofDaemon(environment: environment, isRoot: isRoot)
      else { throw ServeError.noSocketPlace }
      guard let state else { throw ServeError.noStatePlace }
      var usual = ServeConfiguration(socketPath: socket, stateFolder: state)
      usual.gpsd.port = Self.usualGPSDPort
      usual.http.port = Self.usualHTTPPort
      let configuration = try usual.with(file, ports)
      let source = options.simulate ? "--simulate" : options.replay.map { _ in "--replay" }
      if let fault = source.flatMap(configuration.fault(with:)) { throw Failure.usage(fault) }
      return Plan(
        opening: opening, usual: usual, configuration: configuration,
        file: file)
    } catch let error as ServeFileError {
      throw .input("\(error)")
    } catch let error as ServeError {
      throw Failure(error)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .output("\(error)")
    }
  }

  /// The daemon with these options.
  func daemon() throws(Failure) -> Daemon {
    let plan = try plan()
    do throws(ServeError) {
      return try Daemon(
        plan.opening, configuration: plan.configuration, reread: rereading(plan))
    } catch {
      throw Failure(error)
    }
  }

  /// Reads the file again; nil without one.
  private func rereading(
    _ plan: Plan
  ) -> (@Sendable () throws(ServeFileError) -> ServeChange)? {
    guard let first = plan.file else { return nil }
    return { [usual = plan.usual, ports] () throws(ServeFileError) in
      let file = try ServeFile(path: first.path)
      return ServeChange(
        configuration: try usual.with(file, ports), pending: file.keysForRestart(since: first))
    }
  }

  /// gpsd's port.
  /// - Source: IANA, service name gpsd.
  private static let usualGPSDPort = 2947
  /// The port of the web page: that of Signal K, 3000, is often in use on a boat, as is 8080.
  private static let usualHTTPPort = 8090

  /// The source; its calibrations are in the daemon's state folder.
  private func opening(
    state: String?, _ recording: RecordingSettings
  ) throws(Failure) -> SourceOpening {
    if pace != nil, replay == nil { throw .usage("--pace needs a recording; give --replay") }
    let choice: SourceChoice =
      simulate
      ? .simulation
      : replay.map { .replay(path: $0) } ?? gpsd.map { .gpsd($0.address) } ?? .attached
    let isAttached = !simulate && replay == nil
    var configuration = try pipeline.configuration(
      calibrationFolder: state.map { StatePlace.calibrations(in: $0, isLive: isAttached) })
    if isAttached { configuration.receiverAid = state.map { ReceiverAidSettings(folder: $0) } }
    let mayCalibrate = isAttached && configuration.calibration != .assumed
    configuration.onlineCalibration = onlineCalibration.map { $0 == .on } ?? mayCalibrate
    if isAttached, let state, let now = SystemClock.civilTime {
      let last = LastFixFile.stored(in: state)
      configuration.learntQNH = last.flatMap { LearntQNH($0, at: now) }
      configuration.learntBaseline = last.flatMap { LearntBaseline($0) }
    }
    var recording = recording
    recording.program = "lodestar \(Version.text)"
    return SourceOpening(
      choice, pace: pace ?? 1, configuration: configuration, recording: recording)
  }

  /// The configuration of a daemon with a file and without options; what the values name is not
  /// opened.
  /// - Throws: The first value that the daemon would refuse.
  static func configuration(of file: ServeFile) throws -> ServeConfiguration {
    var options = try ServeOptions.parse([])
    try options.merge(file)
    let socket = options.socket ?? SocketPath.system
    var usual = ServeConfiguration(socketPath: socket, stateFolder: options.state ?? "")
    usual.gpsd.port = Self.usualGPSDPort
    usual.http.port = Self.usualHTTPPort
    return try usual.with(file, options.ports)
  }

  private mutating func merge(_ file: ServeFile) throws(ServeFileError) {
    let namesSource = simulate || replay != nil || gpsd != nil
    if !namesSource {
      simulate =
        try file.value("simulate", allowed: "true or false") { ["true": true, "false": false][$0] }
        ?? false
      replay = file["replay"]
      gpsd = try file.value("gpsd", allowed: "gpsd://HOST:PORT/DEVICE or HOST") {
        GPSDArgument(argument: $0)
      }
      let count = [simulate, replay != nil, gpsd != nil].filter { $0 }.count
      if count > 1 {
        throw .refused(
          path: file.path, line: 1, found: "more than one source",
          allowed: "one of simulate, replay, gpsd")
      }
    }
    if replay != nil {
      let given = try file.value("pace", allowed: "0, or 0.01 to 10000") { text in
        Double(text).flatMap { $0 == 0 || (0.01...10_000).contains($0) ? $0 : nil }
      }
      pace = pace ?? given
    }
    socket = socket ?? file["socket"]
    state = state ?? file["state"]
    pipeline.board.board = pipeline.board.board ?? file["board"]
    pipeline.calibration = pipeline.calibration ?? file["calibration"]
    pipeline.load.loadFile = pipeline.load.loadFile ?? file["load-file"]
    try mergePipeline(file)
  }

  private mutating func mergePipeline(_ file: ServeFile) throws(ServeFileError) {
    let mount = try file.value("mount", allowed: "forward,left,up or another mount, or auto") {
      MountArgument(argument: $0)
    }
    pipeline.board.mount = pipeline.board.mount ?? mount
    let gain = try file.value("load-gain", allowed: "X,Y,Z in microtesla") {
      GainArgument(argument: $0)
    }
    pipeline.load.loadGain = pipeline.load.loadGain ?? gain
    let activities = Activity.allCases.map(\.rawValue).joined(separator: ", ")
    let activity = try file.value("activity", allowed: activities) { Activity(rawValue: $0) }
    if pipeline.activity == .other, let activity { pipeline.activity = activity }
    let date = try file.value("date", allowed: "2026.5 or 2026-07-01") {
      DateArgument(argument: $0)
    }
    pipeline.date = pipeline.date ?? date
    let qnh = try file.value("qnh", allowed: "hPa") { Double($0) }
    pipeline.qnh = pipeline.qnh ?? qnh
    let online = try file.value("online-calibration", allowed: "on or off") {
      // `ServeFile` returns YAML's booleans as they are written.
      OnlineCalibrationArgument(rawValue: $0)
    }
    onlineCalibration = onlineCalibration ?? online
  }
}

extension Failure {
  /// The failure for an error of the daemon.
  fileprivate init(_ error: ServeError) {
    switch error {
    case .alreadyServed, .stateInUse: self = .unavailable("\(error)")
    case .noSocketThere, .noSocketPlace, .noStatePlace, .folder, .unknownGroup, .socket:
      self = .output("\(error)")
    }
  }
}

extension ServeConfiguration {
  /// The configuration with the values of a file, and of options, which come first.
  fileprivate func with(
    _ file: ServeFile?, _ options: [String: String]
  ) throws(ServeFileError) -> ServeConfiguration {
    var configuration = self
    try file?.apply(to: &configuration)
    ServeKey.apply(options, to: &configuration)
    return configuration
  }
}
