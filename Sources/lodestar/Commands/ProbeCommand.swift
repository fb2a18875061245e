import ArgumentParser
import Board
import Chips
import Configuration
import Formats
import FoundationEssentials

/// `lodestar probe`: finds the chips on the buses.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Find the chips on the I2C buses, and the matching board.",
    discussion: """
      Writes to no chip, with three exceptions (not with --read-only): an identified motion unit \
      with other chips behind it is woken and its bus bypass is switched on; a sleeping BMM150, \
      which then has no identity, is woken; and an ICP-10125, which has no registers, gets the \
      command for its identity. --port writes to the serial ports that it names, and to no other. --measure \
      starts the chips.

      \(statuses)
      """)

  private static let statuses = ExitStatus.help([
    .success: "a device was found", .unavailable: "nothing was found", .board: "a bus failed",
  ])

  @Option(
    help: "A bus, such as /dev/i2c-1; may be given more than once. All buses by default.",
    completion: .bus)
  var bus: [String] = []

  @Flag(help: "Write to no chip at all: chips behind a motion unit are not found.")
  var readOnly = false

  @Flag(
    help: """
      Also listen on the serial ports for receivers and for modules that send by themselves (WitMotion), some seconds a port.
      """)
  var listen = false

  @Option(
    help: ArgumentHelp(
      """
      Also ask on a serial port whether a BNO055 or BNO085 is there; may be given more than once. It is started, \
      so name no port of another device.
      """, valueName: "device"),
    completion: .file())
  var port: [String] = []

  @Option(
    help: ArgumentHelp("Write a board file for the chips found.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var write: String?

  @Flag(help: "Overwrite an existing board file.")
  var force = false

  @Option(
    help: ArgumentHelp(
      """
      Start the chips and measure for so many seconds, 1 to 600: what they measure, and whether physics confirms their axes and \
      units. Turn the board meanwhile.
      """, valueName: "seconds"))
  var measure: Double?

  @Option(help: "Lines of text, or one JSON object.")
  var format: ProbeFormat = .text

  enum ProbeFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    guard port.isEmpty || !readOnly else {
      throw ValidationError("--port writes to the port; give it without --read-only")
    }
    if let measure {
      guard !readOnly else {
        throw ValidationError("--measure starts the chips; give it without --read-only")
      }
      guard (1...600).contains(measure) else {
        throw ValidationError("--measure: 1 to 600 seconds, not \(measure)")
      }
    }
  }

  /// A bus by its path, its name below /dev, or the number of an I2C bus.
  private static func path(_ bus: String) -> String {
    if bus.hasPrefix("/") { return bus }
    return bus.allSatisfy(\.isNumber) ? "/dev/i2c-\(bus)" : "/dev/\(bus)"
  }

  mutating func run() throws {
    let progress = ProgressLine()
    var inventory = BoardFinder().inventory(
      buses: bus.isEmpty ? nil : bus.map(Self.path),
      opensBypass: !readOnly, asksGPSD: true
    ) { bus, address in
      progress.show("\(bus) \(Hexadecimal.text(address))")
    }
    let named = BoardFinder().askedModules(on: port) { progress.show($0) }
    if listen {
      let finder = BoardFinder()
      let ports = inventory.ports.filter { $0.hasPrefix("/dev/") && !port.contains($0) }
      inventory.portFindings = finder.modules(on: ports) { progress.show($0) }
      // A port with a module has no receiver.
      let others = inventory.portFindings.filter { $0.module == nil && $0.fault == nil }.map(\.path)
      for finding in finder.receivers(on: others, progress: { progress.show($0) }) {
        inventory.portFindings.removeAll { $0.path == finding.path }
        inventory.portFindings.append(finding)
      }
    }
    inventory.portFindings += named
    progress.clear()
    let out = OutputStream()
    let measured = try survey(inventory)
    switch format {
    case .text:
      for line in ProbeText.lines(inventory) + (measured?.lines ?? []) { try out.line(line) }
    case .json: try out.line(ProbeJSON.object(inventory, measured))
    }
    for fault in inventory.refusedFiles { StandardError.say("board file ignored: \(fault)") }
    if let write { try writeBoard(inventory, to: write, out) }
    try out.flush()
    guard inventory.findings.isEmpty, named.allSatisfy({ $0.module == nil }) else { return }
    if let fault = named.compactMap(\.fault).first { throw Failure.board("\(fault)") }
    if let fault = inventory.faults.first { throw Failure.board("\(fault)") }
    throw Failure.unavailable(
      inventory.buses.isEmpty
        ? "no I2C bus on this machine; on a Raspberry Pi enable it with "
          + "'sudo raspi-config nonint do_i2c 0' and probe again"
        : "no device answers on \(inventory.buses.map(\.path).joined(separator: ", ")); check the "
          + "wires (SDA, SCL, power, ground) and the pull-up resistors")
  }

  /// The board that was found: the first file that matches, else the chips.
  private func board(_ inventory: BoardFinder.Inventory) -> Board {
    inventory.matches.first { !$0.isAmbiguous }?.board
      ?? Board(findings: inventory.findings, port: inventory.ports.first)
  }

  private func survey(_ inventory: BoardFinder.Inventory) throws -> InputSurvey? {
    let board = board(inventory)
    guard let measure, !board.sensors.isEmpty else { return nil }
    return try InputSurvey(of: board, seconds: measure)
  }

  private func writeBoard(
    _ inventory: BoardFinder.Inventory, to path: String, _ out: OutputStream
  ) throws {
    if FileManager.default.fileExists(atPath: path), !force {
      throw Failure.usage("\(path): the file exists; give --force to overwrite it")
    }
    let board = board(inventory)
    guard !board.sensors.isEmpty else {
      throw Failure.unavailable(
        "\(path): not written: no supported chip was found; check the wires")
    }
    try board.write(to: path)
    if board.hasUnknownMount {
      StandardError.say(
        "\(path) has 'mount: auto': the forward direction is not known; set it by axis words, such as "
          + "{x: forward, y: left, z: up}")
    }
  }
}
