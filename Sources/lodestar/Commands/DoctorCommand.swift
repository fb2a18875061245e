import ArgumentParser
import Board
import Configuration
import Doctor
import FoundationEssentials
import LinuxIO
import Servers
import Storage

/// `lodestar doctor`: finds what prevents sensors from working, and the remedies.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find and repair what prevents sensors from working on this machine.",
    discussion: """
      Examines buses, serial ports, permissions, GPIO, pulses, time, storage, other programs, power and libraries; \
      the sensors too, through the daemon where one runs. Without --fix nothing is changed: each finding has the \
      commands that repair it.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "nothing worse than a note", .failure: "a warning", .severe: "a fault",
  ])

  @Flag(
    help:
      "Apply the remedies that lose no data and end nothing in use; needs root. Original files are kept as NAME.before-lodestar."
  )
  var fix = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Observe the sensors for some seconds, or do not; by default they are observed where a daemon serves them."
  )
  var live: Bool?

  @Option(
    help: "A board file, or the name of an installed one; by default that of the daemon.",
    completion: .board)
  var board: String?

  @Option(help: "Lines of text, or one JSON object.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "Write a text to attach to an issue, without place, names and serial numbers; - is standard output.",
      valueName: "file"), completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Examine the files below a folder, such as a mounted card, instead of this machine.",
      valueName: "folder"), completion: .directory)
  var root: String?

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    var isFolder = false
    if let root,
      !FileManager.default.fileExists(atPath: root, isDirectory: &isFolder) || !isFolder
    {
      throw ValidationError("--root: \(root) is no folder")
    }
    if root != nil, live == true {
      throw ValidationError("--live: a machine that does not run has no sensors; remove --root")
    }
    if report == "-", format == .json {
      throw ValidationError("--report - and --format json both write to standard output")
    }
  }

  mutating func run() throws {
    // A name that someone typed is no finding about the machine.
    if let board {
      do throws(BoardFileError) { _ = try BoardLibrary.board(named: board) } catch {
        throw Failure.board("\(error)")
      }
    }
    var machine = try examined()
    var findings = CheckCatalogue.findings(on: machine)
    let isText = format == .text && report != "-"
    let out = OutputStream()
    let text = DoctorText(width: DoctorText.width)
    if isText {
      for line in text.lines(findings) { try out.line(line) }
      try out.flush()
    }
    var repairs: [DoctorRepair] = []
    if fix {
      repairs = try repair(findings, machine) { line in
        guard isText else { return }
        try out.line(line)
        try out.flush()
      }
      // What a repair could not mend, or what waits for a restart, decides the exit status.
      if repairs.contains(where: { !$0.done.isEmpty }) {
        machine = try examined()
        findings = CheckCatalogue.findings(on: machine)
      }
    }
    if format == .json {
      try out.line(DoctorJSON.object(findings, repairs))
    } else if isText {
      let command = "sudo lodestar doctor" + (root.map { " --root \($0)" } ?? "") + " --fix"
      for line in text.summary(findings, fixCommand: fix ? nil : command) { try out.line(line) }
    }
    try out.flush()
    if let report { try write(findings, machine, to: report) }
    switch findings.map(\.severity).max() ?? .ok {
    case .ok, .note: return
    case .warning: throw ExitCode(ExitStatus.failure.rawValue)
    case .fault: throw ExitCode(ExitStatus.severe.rawValue)
    }
  }

  // MARK: The machine

  private func examined() throws -> Machine {
    var machine =
      root.map { Machine(root: $0 == "/" ? "" : $0, system: StoredSystem()) } ?? .attached
    configure(&machine)
    guard root == nil else { return machine }
    let observation = SensorObservation(board: machine.board?.board, mayOpenBoard: live == true)
    machine.health = live == false ? nil : observation.health()
    // A scan beside a daemon would share its samples, and on a desktop an SMBus is better left
    // alone.
    if !observation.hasDaemon, live == true || machine.model != nil {
      machine.devices = BoardFinder().inventory(opensBypass: false).findings.map {
        Machine.BusDevice(bus: $0.bus, address: $0.address, name: $0.name)
      }
    }
    return machine
  }

  /// The daemon's file names board and state.
  private func configure(_ machine: inout Machine) {
    var path = board.map(BoardLibrary.path)
    let file = "/etc/lodestar/serve.yaml"
    do {
      if machine.exists(file) {
        let file = try ServeFile(path: machine.root + file)
        path = path ?? file["board"].map { BoardLibrary.path(of: $0) }
        machine.stateFolder = file["state"] ?? machine.stateFolder
        let environment = ["LODESTAR_POLICY": ""]
        let (policy, _) = Policy.loadSafely(
          environment: environment, folder: machine.root + Policy.standardFolder)
        let configuration = try ServeOptions.configuration(of: file)
        machine.placeReaders = PlaceReaders(configuration, policy).lines
        machine.canInterface = configuration.nmea2000.interface
      } else if !machine.exists(machine.stateFolder), root == nil {
        let environment = ProcessInfo.processInfo.environment
        machine.stateFolder = StatePlace.folder(environment: environment) ?? machine.stateFolder
      }
      if let path {
        let folder = board == nil ? machine.root : ""
        machine.board = .init(path: path, board: try Board(path: folder + path))
      }
    } catch {
      machine.configurationFault = "\(error)"
    }
  }

  // MARK: Repairs

  private func repair(
    _ findings: [MachineFinding], _ machine: Machine, _ put: (String) throws -> Void
  ) throws -> [DoctorRepair] {
    let plan = findings.filter { $0.remedy?.isAutomatic == true }
    guard !plan.isEmpty else {
      try put("\n--fix: nothing to apply; the remaining commands need a decision")
      return []
    }
    guard machine.isRoot || !machine.system.runsPrograms else {
      try put("\n--fix: needs root: sudo lodestar doctor --fix")
      return []
    }
    try put("")
    let repair = Repair(machine)
    var repairs: [DoctorRepair] = []
    for finding in plan {
      try put("\(finding.identifier):")
      var result = DoctorRepair(identifier: finding.identifier)
      for step in finding.remedy?.steps ?? [] {
        try put("  will \(step.summary)")
        let done: String?
        do throws(Repair.Fault) {
          done = try repair.apply(step)
        } catch {
          result.fault = "\(error)"
          try put("  failed: \(error)")
          break
        }
        if let done { result.done.append(done) }
        try put(
          done != nil
            ? "  done"
            : step.program != nil
              ? "  not done: on the machine itself run '\(step.command)'" : "  is so already")
      }
      repairs.append(result)
    }
    return repairs
  }

  private func write(_ findings: [MachineFinding], _ machine: Machine, to path: String) throws {
    let file = try OutputStream(path: path)
    for line in MachineReport.lines(findings, of: machine, version: Version.text) {
      try file.line(line)
    }
    try file.close()
    if path != "-" {
      StandardError.say("wrote \(path): read it before you attach it to an issue")
    }
  }
}
