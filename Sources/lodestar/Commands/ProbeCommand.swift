import ArgumentParser
import BoardFile
import Bus
import Engine
import Foundation
import Outputs

/// `lodestar probe`: what is on the buses.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Find the chips on the I2C buses, and the board that they make.",
    discussion: """
      Reads only. Only a motion unit that has been identified and hides other chips is written to: it is woken \
      and lets the bus through to them (--read-only leaves that out). Ends with status 69 where \
      nothing was found, 71 where a bus is at fault.
      """)

  @Option(help: "A bus, such as /dev/i2c-1; may be given more than once. All of them if left out.")
  var bus: [String] = []

  @Flag(help: "Write nothing at all to any chip: those behind a motion unit stay hidden.")
  var readOnly = false

  @Option(help: "Write a board file for what was found.")
  var write: String?

  @Flag(help: "Overwrite the board file where there is one.")
  var force = false

  @Option(help: "text or json.")
  var format: ProbeFormat = .text

  enum ProbeFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

  mutating func run() throws {
    let progress = ProgressLine()
    let inventory = BoardFinder().inventory(
      buses: bus.isEmpty ? nil : bus.map { $0.hasPrefix("/") ? $0 : "/dev/\($0)" },
      opensBypass: !readOnly, asksGPSD: true
    ) { bus, address in
      progress.show("\(bus) \(Hexadecimal.text(address))")
    }
    progress.clear()
    let out = OutputStream()
    switch format {
    case .text: for line in ProbeText.lines(inventory) { try out.line(line) }
    case .json: try out.line(ProbeJSON.object(inventory))
    }
    for fault in inventory.refusedFiles { StandardError.say("board file passed over: \(fault)") }
    if let write { try writeBoard(inventory, to: write, out) }
    try out.flush()
    guard inventory.findings.isEmpty else { return }
    if let fault = inventory.faults.first { throw Failure.board("\(fault)") }
    throw Failure.unavailable(
      inventory.buses.isEmpty
        ? "this machine has no I2C bus; on a Raspberry Pi switch it on with "
          + "'sudo raspi-config nonint do_i2c 0' and look again"
        : "no device answers on \(inventory.buses.map(\.path).joined(separator: ", ")); check the "
          + "wires (SDA, SCL, power, ground) and the pull-up resistors")
  }

  private func writeBoard(
    _ inventory: BoardFinder.Inventory, to path: String, _ out: OutputStream
  ) throws {
    if FileManager.default.fileExists(atPath: path), !force {
      throw Failure.usage("\(path): the file exists; give --force to overwrite it")
    }
    let board =
      inventory.matches.first { !$0.isAmbiguous }?.board
      ?? Board(findings: inventory.findings, port: inventory.ports.first)
    guard !board.sensors.isEmpty else {
      throw Failure.unavailable("\(path): not written: no chip that can be read was found")
    }
    do {
      try Data(board.yaml.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure.output("\(path): cannot be written: \(error.localizedDescription)")
    }
    StandardError.say("wrote \(path)")
    if board.hasUnknownMount {
      StandardError.say(
        "the file says 'mount: auto': nobody knows yet where forward is; set it by axis words, such as "
          + "{x: forward, y: left, z: up}")
    }
  }
}
