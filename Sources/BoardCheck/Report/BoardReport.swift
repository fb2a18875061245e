import Configuration
import Quantities

/// The text about a board for an issue, by which the board can be listed as verified.
///
/// It has chips with bus and address, figures and findings: no position, no time, no serial number,
/// no name of the board file's author. The names of ports and of the machine are filtered by the
/// caller, who knows them.
package enum BoardReport {
  /// The version of this format.
  package static let version = 1

  /// The lines of the report.
  /// - Parameters:
  ///   - outcome: The result.
  ///   - board: The board by its file.
  ///   - file: The name of the installed board file; nil for another one.
  ///   - program: The program with its version.
  ///   - machine: Lines about the machine.
  /// - Returns: The lines, without line ends.
  package static func lines(
    _ outcome: CheckOutcome, board: Board, file: String?, program: String, machine: [String]
  ) -> [String] {
    var lines = ["board report \(version), \(program)\(outcome.isSimulated ? ", SIMULATED" : "")"]
    let count = outcome.findings.count
    lines.append(
      "result: \(outcome.isPassed ? "pass" : "\(count) finding\(count == 1 ? "" : "s")")")
    lines += section("machine", machine)
    lines += section(
      "board file", ["file: \(file ?? "the user's own, or none")"] + sensors(of: board))
    lines += section("steps", outcome.steps.map(step))
    lines += section("figures", outcome.figures.map { "\($0.name): \($0.text)" })
    lines += section("findings", outcome.findings.map { "\($0.kind.rawValue): \($0.text)" })
    lines += section("notes", outcome.notes)
    return lines
  }

  /// A step with its result.
  package static func step(_ step: CheckOutcome.Step) -> String {
    let result =
      step.isRecorded
      ? step.isDone ? "shown" : "not shown by this recording"
      : step.isDone ? "done" : step.reason == nil ? "not completed" : "left out"
    return "\(step.step.rawValue): \(result), \(CheckFigures.fixed(step.seconds, 0)) s"
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  \($0)" }
  }

  private static func sensors(of board: Board) -> [String] {
    var lines = [mount(board.mount, "board")]
    for sensor in board.sensors {
      lines.append(mount(sensor.mount, sensor.label))
    }
    for receiver in board.receivers {
      // A name of the kernel is no secret; one by the device has its serial number.
      let isPlain = receiver.port.hasPrefix("/dev/") && !receiver.port.contains("by-id")
      lines.append(
        "receiver at \(isPlain ? receiver.port : "a named port or the network")"
          + (receiver.baud.map { ", \($0) baud" } ?? ""))
    }
    return lines
  }

  private static func mount(_ mounting: Mounting, _ name: String) -> String {
    switch mounting {
    case .axes(let mount):
      "\(name): x \(mount.x.rawValue), y \(mount.y.rawValue), z \(mount.z.rawValue)"
    case .rotation: "\(name): mounted by angles"
    case .automatic: "\(name): mount by gravity"
    }
  }
}
