import Formats
import Foundation
import Quantities
import ReceiverProtocols
import Testing

@Suite("The messages for an MQTT broker", .timeLimit(.minutes(30)))
struct MQTTFormatTests {
  @Test("a state has the known values with few decimals")
  func state() {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1))
    #expect(String(decoding: EstimateJSON.state(estimate), as: UTF8.self) == "{}")
    estimate.utc = UTCTime(
      year: 2026, month: 3, day: 23, hour: 12, minute: 34, second: 56, nanosecond: 789_000_000)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 359.96))
    estimate.headingAccuracy = Angle(degrees: 2.345)
    estimate.fixKind = .threeDimensional
    estimate.position = GeodeticPosition(
      latitudeDegrees: 48.117_312_34, longitudeDegrees: -11.516_666_667)
    estimate.horizontalAccuracyMetres = 2.504
    estimate.satellitesUsed = 7
    estimate.calibration = .good
    estimate.isSimulated = true
    let text = String(decoding: EstimateJSON.state(estimate, hectopascal: 1013.254), as: UTF8.self)
    #expect(
      text == #"{"time":"2026-03-23T12:34:56.789Z","magneticHeading":0.0,"headingAccuracy":2.3,"#
        + #""latitude":48.1173123,"longitude":-11.5166667,"horizontalAccuracy":2.50,"fix":"3D","#
        + #""satellites":7,"pressure":1013.25,"calibration":"good","simulated":true}"#)
  }

  @Test("the receiver's condition is part of the state, and of the metrics")
  func condition() {
    var condition = ReceiverCondition()
    let estimate = Estimate(timestamp: Timestamp(nanoseconds: 1))
    func state() -> String {
      String(decoding: EstimateJSON.state(estimate, receiver: condition), as: UTF8.self)
    }
    func metrics() -> String {
      String(
        decoding: MetricsText.text(nil, isOpen: true, viewers: 0, receiver: condition),
        as: UTF8.self)
    }
    #expect(state() == "{}" && !metrics().contains("receiver"))
    (condition.antenna, condition.interferenceLevel) = (.open, 40)
    var quality = ReceiverQuality()
    (quality.overall, quality.processor) = (9, 6)
    condition.quality = quality
    (condition.fixLoss, condition.hasFix) = (
      FixLoss(.antennaOpen, satellites: 0, hadFix: false), false
    )
    #expect(
      state()
        == #"{"antenna":"open","interferenceLevel":40,"quality":9,"qualityProcessor":6,"fixLoss":"antenna open","satellitesReceived":0}"#
    )
    #expect(metrics().contains("lodestar_receiver_antenna{state=\"open\"} 1\n"))
    #expect(metrics().contains("lodestar_receiver_antenna{state=\"good\"} 0\n"))
    #expect(metrics().contains("lodestar_receiver_fix_loss{state=\"antenna open\"} 1\n"))
    #expect(metrics().contains("lodestar_receiver_interference_level 40\n"))
    #expect(metrics().contains("lodestar_receiver_quality 9\n"))
    #expect(!metrics().contains("spoofing"))
    condition = ReceiverCondition()
    (condition.hasFix, condition.spoofing) = (true, SignalState.Spoofing.none)
    condition.firstFix = FirstFix(seconds: 27.04, begin: .start, isAssisted: true)
    #expect(
      state()
        == #"{"spoofing":"none","fixLoss":"none","timeToFirstFix":27.0,"firstFixSince":"start","#
        + #""firstFixAssisted":true}"#)
    #expect(metrics().contains("lodestar_receiver_fix_loss{state=\"none\"} 1\n"))
    #expect(metrics().contains("lodestar_receiver_time_to_first_fix_seconds 27.0\n"))
    #expect(metrics().contains("lodestar_receiver_first_fix_assisted 1\n"))
    var corrections = ReceiverCondition.Corrections()
    (corrections.bytes, corrections.messages) = (4096, [1077: 7, 1005: 2])
    (corrections.ageSeconds, corrections.interruptions) = (0.84, 1)
    condition.corrections = corrections
    #expect(
      metrics().contains(
        "# TYPE lodestar_corrections_messages_total counter\n"
          + "lodestar_corrections_messages_total{type=\"1005\"} 2\n"
          + "lodestar_corrections_messages_total{type=\"1077\"} 7\n"))
    #expect(metrics().contains("lodestar_corrections_bytes_total 4096\n"))
    #expect(metrics().contains("lodestar_corrections_interruptions_total 1\n"))
    #expect(metrics().contains("lodestar_corrections_age_seconds 0.8\n"))
    #expect(
      String(decoding: ReceiverJSON.object(condition), as: UTF8.self).hasSuffix(
        #""corrections":{"bytes":4096,"age":0.8,"interruptions":1,"messages":[{"type":1005,"received":2},"#
          + #"{"type":1077,"received":7}]}}"#))
  }

  @Test(
    "Home Assistant's device has a component for each value, with identifiers that follow from the device's"
  )
  func discovery() throws {
    let discovery = HomeAssistantDiscovery(
      identifier: "boat-1", name: "Albatros \"II\"", version: "1.2.3", topic: "boats/albatros",
      lifetime: 60)
    #expect(discovery.topic(below: "ha") == "ha/device/boat-1/config")
    let data = Data(discovery.payload)
    let message = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let device = try #require(message["dev"] as? [String: Any])
    #expect(device["ids"] as? [String] == ["boat-1"])
    #expect(device["name"] as? String == "Albatros \"II\"" && device["sw"] as? String == "1.2.3")
    // Home Assistant requires the origin's name; a common state topic would be the tracker's state.
    #expect((message["o"] as? [String: Any])?["name"] as? String == "Lodestar")
    #expect(message["stat_t"] == nil)
    let components = try #require(message["cmps"] as? [String: [String: Any]])
    #expect(components.count == 35)
    for (key, component) in components {
      #expect(component["uniq_id"] as? String == "boat-1_\(key)")
      #expect(["sensor", "binary_sensor", "device_tracker"].contains(component["p"] as? String))
    }
    var fewer = discovery
    fewer.removed = ["old"]
    let rest = try JSONSerialization.jsonObject(with: Data(fewer.payload)) as? [String: Any]
    let left = try #require((rest?["cmps"] as? [String: [String: Any]])?["old"])
    #expect(left.count == 1 && left["p"] as? String == "sensor")
    let heading = try #require(components["magneticHeading"])
    #expect(heading["stat_t"] as? String == "boats/albatros/state")
    #expect(heading["avty_t"] as? String == "boats/albatros/status")
    #expect(heading["val_tpl"] as? String == "{{ value_json.get('magneticHeading') }}")
    #expect(heading["unit_of_meas"] as? String == "°" && heading["exp_aft"] as? Int == 60)
    let tracker = try #require(components["tracker"])
    #expect(tracker["stat_t"] == nil && tracker["src_type"] as? String == "gps")
    // Without a place it is unavailable: its attributes alone would keep the last one.
    let availability = try #require(tracker["avty"] as? [[String: String]])
    #expect(availability.map { $0["t"] } == ["boats/albatros/status", "boats/albatros/state"])
    #expect(availability[1]["val_tpl"]?.contains("latitude is defined") == true)
    #expect(tracker["avty_mode"] as? String == "all" && tracker["avty_t"] == nil)
    let connection = try #require(components["connection"])
    #expect(
      connection["stat_t"] as? String == "boats/albatros/status" && connection["avty_t"] == nil)
    let states = components["calibration"]?["ops"] as? [String]
    #expect(states == CalibrationState.allCases.map(\.rawValue))
  }
}
