import Formats
import Foundation
import Quantities
import TestSupport
import Testing

@Suite("Published values", .timeLimit(.minutes(30)))
struct PublishedValueTests {
  /// The keys of the table below a heading of `Documentation/Formats.md`.
  private func documentedKeys() throws -> Set<String> {
    let file = SharedData.repository.appendingPathComponent("Documentation/Formats.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Estimate JSON").last)
    let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    return Set(
      rows.flatMap { $0.split(separator: "|")[0].matches(of: /`(\w+)`/).map { "\($0.1)" } })
  }

  @Test("Formats.md documents each key of the object, and no other")
  func documentation() throws {
    let keys = PublishedValue.all.filter { $0.decimals != nil }.map { "\($0.key)" }
    let documented = try documentedKeys()
    #expect(Set(keys + ["t", "time"]) == documented)
  }

  @Test("keys, metrics and names in recordings are unique, and a metric's unit is in its name")
  func names() {
    let keys = PublishedValue.all.map { "\($0.key)" }
    #expect(Set(keys).count == keys.count)
    let metrics =
      PublishedValue.all.compactMap { $0.metric?.name }
      + HealthValue.all.compactMap { $0.metric?.name } + DeviceHealthValue.all.map(\.metric.name)
    #expect(Set(metrics).count == metrics.count && metrics.count > 20)
    for value in PublishedValue.all {
      guard let unit = value.definition?.split(separator: " ").first, let name = value.metric?.name
      else { continue }
      let word = ["degrees,": "degrees", "m,": "metres", "m": "metres", "m/s": "metres_per_second"]
      let expected = word["\(unit)"] ?? "\(unit.split(separator: ",")[0])".replacing("/s", with: "")
      #expect(name.contains(expected), "\(name): \(unit)")
    }
  }

  @Test("each value of a filled estimate is in the object, the state, the metrics and a recording")
  func complete() {
    var estimate = Estimate.filled
    // JSON has no number of 1e9 or more.
    estimate.acceleration = SIMD3(1, 2, 3)
    let object = String(decoding: EstimateJSON.object(estimate), as: UTF8.self)
    let state = String(decoding: EstimateJSON.state(estimate, hectopascal: 1013), as: UTF8.self)
    let metrics = String(
      decoding: MetricsText.text(estimate, isOpen: true, viewers: 0), as: UTF8.self)
    for value in PublishedValue.all {
      #expect(object.contains("\"\(value.key)\":") == (value.decimals != nil), "\(value.key)")
      #expect(state.contains("\"\(value.key)\":") == (value.stateDecimals != nil), "\(value.key)")
      if let metric = value.metric {
        #expect(metrics.contains("\nlodestar_\(metric.name)"), "\(metric.name)")
      }
      if value.definition != nil {
        let message = EstimateMessage(estimate, nanoseconds: 0)
        #expect(message[value.snakeCase] == value.number(estimate), "\(value.key)")
      }
    }
  }

  @Test("Home Assistant reads only keys of the state")
  func homeAssistant() throws {
    let discovery = HomeAssistantDiscovery(
      identifier: "a", name: "a", version: "1", topic: "a", lifetime: 1)
    let payload = String(decoding: discovery.payload, as: UTF8.self)
    let read = payload.matches(of: /value_json(?:\.get\('|\.)(\w+)/).map { "\($0.1)" }.filter {
      $0 != "get"
    }
    let keys = PublishedValue.all.filter { $0.stateDecimals != nil }.map { "\($0.key)" }
    let receiver = ["antenna", "interference", "spoofing", "fixLoss", "timeToFirstFix"]
    let health = HealthValue.all.map { "\($0.key)" }
    let known = keys + receiver + health + ["time"]
    #expect(read.count > 10 && Set(read).isSubset(of: known), "\(read)")

    // The units are those of the definitions.
    let units = ["degrees": "°", "hectopascal": "hPa"]
    let object = try JSONSerialization.jsonObject(with: Data(discovery.payload))
    let entities = try #require((object as? [String: Any])?["cmps"] as? [String: [String: Any]])
    var compared = 0
    for entity in entities.values {
      guard let unit = entity["unit_of_meas"] as? String,
        let template = entity["val_tpl"] as? String,
        let value = PublishedValue.all.first(where: { template.contains("get('\($0.key)'") }),
        let defined = value.definition?.prefix(while: { $0 != " " && $0 != "," })
      else { continue }
      #expect(unit == units["\(defined)"] ?? "\(defined)", "\(value.key)")
      compared += 1
    }
    #expect(compared > 8, "\(compared)")
  }
}
