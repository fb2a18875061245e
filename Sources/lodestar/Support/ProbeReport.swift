import Board
import Chips
import FoundationEssentials
import LinuxIO
import Quantities

/// The devices found on the buses as text.
enum ProbeText {
  static func lines(_ inventory: BoardFinder.Inventory) -> [String] {
    var lines = inventory.deviceLines
    lines += ChipModel.cautions(of: inventory.findings.compactMap(\.model))
    if !inventory.ports.isEmpty {
      lines.append("receiver ports: \(inventory.ports.joined(separator: ", "))")
    }
    for finding in inventory.portFindings {
      let speed = finding.baud.map { " at \($0) baud" } ?? ""
      if let module = finding.module {
        lines.append(
          "  \(finding.path)  \(module.rawValue)\(speed)  (chip: \(module.rawValue), bus: \(finding.path), baud: "
            + "\(finding.baud ?? 0))")
      } else if finding.hasReceiver {
        let undecoded =
          finding.undecoded.count == 0 ? "" : "; not decoded: \(finding.undecoded)"
        lines.append("  \(finding.path)  a receiver\(speed)\(undecoded)")
      } else {
        lines.append(
          "  \(finding.fault.map(\.description) ?? "\(finding.path)  nothing is received")")
      }
    }
    if let release = inventory.gpsdRelease {
      lines.append("gpsd \(release) on localhost: its fixes by --gpsd localhost")
    }
    if !inventory.pulseSources.isEmpty {
      lines.append("pulse sources: \(inventory.pulseSources.joined(separator: ", "))")
    }
    for match in inventory.matches {
      let word = match.isAmbiguous ? "perhaps" : "board"
      var line = "\(word): \(match.board.name)  \(match.path)"
      if match.unexplained > 0 {
        line += "  (\(match.unexplained) more chip\(match.unexplained == 1 ? "" : "s") found)"
      }
      lines.append(line)
    }
    if !inventory.matches.contains(where: { !$0.isAmbiguous }),
      inventory.findings.contains(where: { $0.model != nil })
    {
      lines.append("board: no file matches; write one with lodestar probe --write board.yaml")
    }
    return lines
  }
}

/// The devices found on the buses as one JSON object.
enum ProbeJSON {
  private struct Report: Encodable {
    var time: String?
    var buses: [Bus]
    var boards: [Match]
    var receiverPorts: [String]
    var receivers: [Receiver]?
    var gpsdRelease: String?
    var pulseSources: [String]
    var measured: InputSurvey.Record?
  }
  private struct Bus: Encodable {
    var bus: String
    var adapter: String?
    var fault: String?
    var devices: [Device]
  }
  private struct Device: Encodable {
    var address: String
    var name: String
    var chip: String?
    var kernelDriver: String?
    var isBehind: String?
    var remark: String?
    var cautions: [String]?
  }
  private struct Receiver: Encodable {
    var port: String
    var baud: Int?
    var undecoded: [String: Int64]?
  }
  private struct Match: Encodable {
    var board: String
    var file: String
    var unexplainedChips: Int
  }

  static func object(
    _ inventory: BoardFinder.Inventory, _ survey: InputSurvey?
  ) throws -> String {
    var buses = inventory.buses.map { path, adapter in
      Bus(
        bus: path, adapter: adapter,
        devices: inventory.findings.filter { $0.bus == path }.map(device))
    }
    for fault in inventory.faults {
      if let index = buses.firstIndex(where: { $0.bus == fault.device }) {
        buses[index].fault = fault.description
      } else {
        buses.append(Bus(bus: fault.device, fault: fault.description, devices: []))
      }
    }
    let report = Report(
      time: SystemClock.civilTime?.recordText, buses: buses,
      boards: inventory.matches.map {
        Match(board: $0.board.name, file: $0.path, unexplainedChips: $0.unexplained)
      },
      receiverPorts: inventory.ports,
      receivers: inventory.portFindings.isEmpty
        ? nil
        : inventory.portFindings.filter(\.hasReceiver).map {
          Receiver(port: $0.path, baud: $0.baud, undecoded: $0.undecoded.table)
        }, gpsdRelease: inventory.gpsdRelease,
      pulseSources: inventory.pulseSources, measured: survey?.record)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  private static func device(_ finding: Finding) -> Device {
    var driver: String?
    if case .kernel(let name, _) = finding.device { driver = name }
    return Device(
      address: Hexadecimal.text(finding.address), name: finding.name,
      chip: finding.model?.rawValue, kernelDriver: driver, isBehind: finding.isBehind?.rawValue,
      remark: finding.remark,
      cautions: finding.model.flatMap { $0.cautions.isEmpty ? nil : $0.cautions })
  }
}
