import Formats
import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The alert rules and the dashboard read metrics that exist. `Tests/Peers/prometheus-fleet` runs
/// them.
@Suite("Files for a fleet", .timeLimit(.minutes(30)))
struct FleetFilesTests {
  /// The names of all metrics.
  private static let metrics: Set<String> = {
    var health = BoardHealth(version: "1", uptimeSeconds: 1)
    (health.clockErrorSeconds, health.calibrationAgeSeconds) = (0, 0)
    health.disks = [BoardHealth.Disk(use: "state", freeBytes: 1, sizeBytes: 1)]
    var device = DeviceHealth(kind: .chip, name: "a", bus: "b", state: .live)
    device.ageSeconds = 0
    health.devices = [device]
    health.troubles = [BoardHealth.Trouble(device: "a", text: "a lost")]
    let text = MetricsText.text(.filled, isOpen: true, viewers: 0, health: health)
    return names(in: String(decoding: text, as: UTF8.self))
  }()

  private static func names(in text: String) -> Set<String> {
    Set(text.matches(of: /lodestar_[a-z_]+/).map { "\($0.0)" })
  }

  private func text(_ path: String) throws -> String {
    let file = SharedData.repository.appendingPathComponent("Packaging/\(path)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test(
    "each metric of the rules and of the dashboard exists",
    arguments: [("prometheus/lodestar.rules.yml", 10), ("grafana/lodestar-fleet.json", 10)])
  func metrics(path: String, least: Int) throws {
    let read = Self.names(in: try text(path)).subtracting(["lodestar_receiver_fix_loss"])
    #expect(read.count >= least && read.subtracting(Self.metrics).isEmpty, "\(read)")
  }

  @Test("each state that a rule or panel asks for is a word of its metric")
  func words() throws {
    let known = Set(DeviceHealth.stateWords + CalibrationState.allCases.map(\.rawValue))
    for path in ["prometheus/lodestar.rules.yml", "grafana/lodestar-fleet.json"] {
      let words = try text(path).matches(of: /[{, ]state=~?\\?"([a-z|]+)\\?"/).flatMap {
        $0.1.split(separator: "|").map(String.init)
      }
      #expect(words.count >= 3 && Set(words).isSubset(of: known), "\(path): \(words)")
    }
  }

  @Test("each alert is tested")
  func alerts() throws {
    let rules = try text("prometheus/lodestar.rules.yml").matches(of: /alert: (\w+)/).map {
      "\($0.1)"
    }
    let tests = try text("prometheus/lodestar.rules.test.yml")
    #expect(rules.count >= 10)
    for rule in rules { #expect(tests.contains("alertname: \(rule)\n"), "\(rule)") }
  }
}
