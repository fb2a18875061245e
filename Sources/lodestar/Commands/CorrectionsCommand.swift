import ArgumentParser
import Configuration
import Corrections
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// `lodestar corrections`: what a caster offers, and whether corrections come.
struct CorrectionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "corrections",
    abstract: "List what an NTRIP caster offers, or test a source of corrections (RTCM 3).",
    usage: """
      lodestar corrections --list [SOURCE] [--location LAT,LON] [--format text|json]
      lodestar corrections [--check] [SOURCE] [--seconds S] [--credentials FILE] [--format text|json]
      """,
    discussion: """
      SOURCE is ntrip://HOST[:PORT]/MOUNT, ntrips://HOST:PORT/MOUNT (TLS), tcp://HOST:PORT, a serial port with --baud, \
      or a file; without it that of the board file is taken. Nothing is sent to a receiver. The position is sent \
      to the caster only with --send-position.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "the list, or messages, have come",
    .unavailable: "no source, no list or no message",
    .interrupted: "ended by Ctrl-C before a message",
  ])

  @Flag(help: "List the mount points of a caster, with --location the nearest first.")
  var list = false

  @Flag(help: "Connect and count the messages; this is the default with a mount point.")
  var check = false

  @Argument(help: "The source; by default that of the board file.")
  var source: String?

  @Option(
    help: "A board file, or the name of an installed one; by default that of the daemon.",
    completion: .board)
  var board: String?

  @Option(
    help: ArgumentHelp(
      "A file with USER:PASSWORD that other users cannot read.", valueName: "file"),
    completion: .file())
  var credentials: String?

  @Option(
    help: ArgumentHelp(
      "A file with the certificates to trust (PEM); those of the system by default.",
      valueName: "file"), completion: .file())
  var certificates: String?

  @Option(
    help: ArgumentHelp(
      "The revision of NTRIP, 1 or 2; by default 2, then 1 where the caster does not answer.",
      valueName: "revision"))
  var ntripVersion: Revision?

  @Option(help: ArgumentHelp("Bits per second of a serial port.", valueName: "baud"))
  var baud: Int?

  @Option(
    help: ArgumentHelp(
      "Your place, degrees north and east positive, for distances and for mount-point: nearest.",
      valueName: "lat,lon"))
  var location: LocationArgument?

  @Flag(help: "Send --location to the caster every 10 s, as a virtual station requires.")
  var sendPosition = false

  @Option(help: ArgumentHelp("The time to count, 1 to 3600 s.", valueName: "seconds"))
  var seconds = 10.0

  @Option(help: "Lines of text, or JSON.")
  var format: Format = .text

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  /// The revisions as values of the option.
  struct Revision: ExpressibleByArgument {
    let version: NTRIPSource.Version
    static var allValueStrings: [String] { NTRIPSource.Version.allCases.map(\.rawValue) }
    init?(argument: String) {
      guard let version = NTRIPSource.Version(rawValue: argument) else { return nil }
      self.version = version
    }
  }

  /// The interval of positions, s: casters expect one at least every 10 to 60 s.
  private static let positionInterval = 10.0

  func validate() throws {
    guard !list || !check else { throw ValidationError("give --list or --check, not both") }
    guard (1...3600).contains(seconds) else {
      throw ValidationError("--seconds: 1 to 3600, not \(seconds)")
    }
    if sendPosition, location == nil {
      throw ValidationError("--send-position: give the place with --location")
    }
    if let baud, !LinuxSerialPort.speeds.contains(baud) {
      let speeds = LinuxSerialPort.speeds.map(String.init).joined(separator: ", ")
      throw ValidationError("--baud \(baud): expected one of \(speeds)")
    }
    if let credentials, NTRIPSource.isPassword(credentials) {
      throw ValidationError(
        "--credentials: a password, which other users see in the list of processes; expected the name of a file "
          + "with USER:PASSWORD")
    }
    if let source {
      guard !NTRIPSource.hasCredentials(source) else {
        throw ValidationError(
          "SOURCE has a password, which other users see in the list of processes; write USER:PASSWORD into a file "
            + "and give --credentials FILE")
      }
      guard Board.CorrectionSource(source, baud: baud) != nil else {
        throw ValidationError("'\(source)': expected \(Board.CorrectionSource.form)")
      }
    }
  }

  func run() throws {
    let source = try configured()
    if case .ntrip(let ntrip) = source.origin, list || (!check && ntrip.mountPoint == nil) {
      try writeList(of: ntrip)
      return
    }
    guard !list else { throw Failure.usage("\(source): only a caster (ntrip://HOST) has a list") }
    try writeCheck(of: source)
  }

  // MARK: The source

  private func configured() throws(Failure) -> Board.CorrectionSource {
    var source = try named()
    guard case .ntrip(var ntrip) = source.origin else {
      let given = [
        ("--credentials", credentials != nil), ("--certificates", certificates != nil),
        ("--ntrip-version", ntripVersion != nil), ("--send-position", sendPosition),
      ].first { $0.1 }
      if let given { throw .usage("\(given.0): only for a caster, ntrip://HOST:PORT/MOUNT") }
      return source
    }
    if certificates != nil, !ntrip.isEncrypted {
      throw .usage(
        "--certificates: without TLS they have no effect; expected ntrips://HOST:PORT/MOUNT")
    }
    ntrip.credentialsPath = credentials ?? ntrip.credentialsPath
    ntrip.certificatesPath = certificates ?? ntrip.certificatesPath
    ntrip.version = ntripVersion?.version ?? ntrip.version
    ntrip.positionIntervalSeconds = sendPosition ? Self.positionInterval : nil
    source.origin = .ntrip(ntrip)
    return source
  }

  private func named() throws(Failure) -> Board.CorrectionSource {
    if let source {
      // The form was checked by `validate`.
      guard let found = Board.CorrectionSource(source, baud: baud) else {
        throw .usage("'\(source)': expected \(Board.CorrectionSource.form)")
      }
      return found
    }
    let ofDaemon = board == nil ? try BoardOptions.ofDaemon() : nil
    guard let file = board ?? ofDaemon else {
      throw .unavailable(
        "no source: give one, such as ntrip://HOST/MOUNT, or name a board file with --board")
    }
    guard let found = try BoardOptions.parsed(file).receiver?.corrections else {
      throw .unavailable("\(file): its receiver has no 'corrections'; give a source")
    }
    return found
  }

  // MARK: The list

  private func writeList(of source: NTRIPSource) throws {
    let signals = StopSignals()
    defer { signals.end() }
    let progress = ProgressLine(name: "corrections")
    progress.show("asking \(source)")
    let table: SourceTable
    do throws(CorrectionFault) {
      table = try SourceTable.fetch(source) { signals.isStopped }
    } catch {
      progress.clear()
      if error == .stopped { throw ExitCode(ExitStatus.interrupted.rawValue) }
      throw Failure.unavailable("\(source): \(error)")
    }
    progress.clear()
    let listing = SourceTableListing(table, from: location?.position)
    let out = OutputStream()
    switch format {
    case .text: for line in listing.lines { try out.line(line) }
    case .json: for object in listing.objects { try out.line(object) }
    }
    try out.flush()
    if !table.isComplete { StandardError.say("\(source): the list is cut") }
  }

  // MARK: The check

  private func writeCheck(of source: Board.CorrectionSource) throws {
    var source = source
    source.timeoutSeconds = max(source.timeoutSeconds, seconds)
    let signals = StopSignals()
    defer { signals.end() }
    let progress = ProgressLine(name: "corrections")
    let count = CorrectionCount(
      seconds: seconds, place: location?.position, isStopped: { signals.isStopped },
      progress: { progress.show($0) })
    let fault = try count.run(source)
    progress.clear()
    let out = OutputStream()
    let report = count.report(of: "\(source)", fault)
    switch format {
    case .text:
      // Without a message the error has the reason.
      if report.statistics.frames > 0 { for line in report.lines { try out.line(line) } }
    case .json: try out.line(report.object)
    }
    try out.flush()
    guard report.statistics.frames == 0 else { return }
    if signals.isStopped { throw ExitCode(ExitStatus.interrupted.rawValue) }
    let reason = fault.map { "\($0)" } ?? "no RTCM 3 message in \(Int(bounded: seconds)) s"
    throw Failure.unavailable("\(source): \(reason)")
  }
}
