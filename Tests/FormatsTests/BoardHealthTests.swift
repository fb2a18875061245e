import Formats
import Foundation
import Quantities
import Testing

/// The health of a board, as the monitoring of a fleet sees it.
@Suite("Board health in formats", .timeLimit(.minutes(30)))
struct BoardHealthTests {
  private var health: BoardHealth {
    var health = BoardHealth(version: "1.2.3", uptimeSeconds: 3661.25)
    health.source = .sensors
    health.clockErrorSeconds = 0.0125
    health.calibrationAgeSeconds = 86_400
    health.disks = [BoardHealth.Disk(use: "state", freeBytes: 3e11, sizeBytes: 1e12)]
    var bus = BoardHealth.Bus(name: "/dev/i2c-1")
    (bus.medianDelaySeconds, bus.worstDelaySeconds) = (0.000_08, 0.004)
    health.buses = [bus]
    var chip = DeviceHealth(
      kind: .chip, name: "LIS3MDL at 0x1C of /dev/i2c-1", bus: "/dev/i2c-1", state: .lost)
    (chip.ageSeconds, chip.samples, chip.errors, chip.restarts) = (42.5, 3_000_000_000, 7, 2)
    chip.fault = "no answer"
    let receiver = DeviceHealth(
      kind: .receiver, name: "the \"bow\" \\ mast", bus: "/dev/ttyAMA0", state: nil)
    health.devices = [chip, receiver]
    health.troubles = [BoardHealth.Trouble(device: chip.name, text: "\(chip.name) lost")]
    return health
  }

  private func metrics(_ health: BoardHealth) -> String {
    String(
      decoding: MetricsText.text(nil, isOpen: true, viewers: 0, health: health), as: UTF8.self)
  }

  @Test("a lost device has its state, age, errors and restarts in the metrics")
  func device() {
    let text = metrics(health)
    let labels =
      "device=\"LIS3MDL at 0x1C of /dev/i2c-1\",bus=\"/dev/i2c-1\",kind=\"chip\""
    #expect(text.contains("lodestar_device_state{\(labels),state=\"lost\"} 1\n"), "\(text)")
    #expect(text.contains("lodestar_device_state{\(labels),state=\"live\"} 0\n"))
    #expect(text.contains("lodestar_device_sample_age_seconds{\(labels)} 42.5\n"))
    #expect(text.contains("lodestar_device_samples_total{\(labels)} 3000000000\n"))
    #expect(text.contains("lodestar_device_errors_total{\(labels)} 7\n"))
    #expect(text.contains("lodestar_device_restarts_total{\(labels)} 2\n"))
    #expect(text.contains("lodestar_trouble{device=\"LIS3MDL at 0x1C of /dev/i2c-1\"} 1\n"))
  }

  @Test("build, uptime, clock, calibration, bus and disk are metrics")
  func machine() {
    let text = metrics(health)
    for line in [
      "lodestar_build_info{version=\"1.2.3\"} 1", "lodestar_uptime_seconds 3661.3",
      "lodestar_source_kind{source=\"sensors\"} 1", "lodestar_source_kind{source=\"none\"} 0",
      "lodestar_clock_unset 1", "lodestar_clock_error_seconds 0.013",
      "lodestar_calibration_age_seconds 86400", "lodestar_storage_fault 0",
      "lodestar_disk_free_bytes{folder=\"state\"} 300000000000",
      "lodestar_disk_size_bytes{folder=\"state\"} 1000000000000",
      "lodestar_bus_wake_delay_worst_seconds{bus=\"/dev/i2c-1\"} 0.004000",
      "lodestar_bus_data_ready_lost{bus=\"/dev/i2c-1\"} 0",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line): \(text)")
    }
  }

  @Test("a name with quotation marks and backslashes is escaped, a resting receiver has its word")
  func names() {
    let text = metrics(health)
    #expect(
      text.contains(
        #"{device="the \"bow\" \\ mast",bus="/dev/ttyAMA0",kind="receiver",state="resting"} 1"#))
  }

  @Test("the object for MQTT has the same, with a key for each device")
  func object() throws {
    let bytes = HealthJSON.object(health, at: UTCTime(nanosecondsSince1970: 0))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(object["version"] as? String == "1.2.3" && object["uptime"] as? Double == 3661.25)
    #expect(object["clockUnset"] as? Bool == true && object["storageFault"] as? Bool == false)
    #expect(object["diskFree"] as? Double == 30 && object["source"] as? String == "sensors")
    #expect(object["trouble"] as? String == "LIS3MDL at 0x1C of /dev/i2c-1 lost")
    let devices = try #require(object["devices"] as? [[String: Any]])
    #expect(devices[0]["key"] as? String == "chip_lis3mdl_at_0x1c_of__dev_i2c_1")
    #expect(devices[0]["samples"] as? Int == 3_000_000_000 && devices[0]["age"] as? Double == 42.5)
    #expect(devices[0]["fault"] as? String == "no answer")
    #expect(devices[1]["state"] as? String == "resting" && devices[1]["age"] == nil)
  }

  @Test("Home Assistant has a diagnostic entity for each value of the health, and each device")
  func discovery() throws {
    var discovery = HomeAssistantDiscovery(
      identifier: "boat", name: "boat", version: "1", topic: "boats/a", lifetime: 60)
    discovery.devices = health.devices
    let message = try #require(
      try JSONSerialization.jsonObject(with: Data(discovery.payload)) as? [String: Any])
    let components = try #require(message["cmps"] as? [String: [String: Any]])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(HealthJSON.object(health, at: nil)))
        as? [String: Any])
    for key in object.keys where key != "devices" {
      let component = try #require(components[key], "\(key)")
      #expect(component["ent_cat"] as? String == "diagnostic")
      #expect(component["stat_t"] as? String == "boats/a/health")
      #expect(component["avty_t"] as? String == "boats/a/status")
    }
    for device in health.devices {
      let component = try #require(components[device.key])
      #expect(component["ops"] as? [String] == DeviceHealth.stateWords)
      #expect(component["json_attr_t"] as? String == "boats/a/health")
      #expect((component["val_tpl"] as? String)?.contains("'\(device.key)'") == true)
    }
  }

  @Test("what only counts on is no change of the health, a state is")
  func standing() {
    var later = health
    later.uptimeSeconds += 5
    later.devices[0].ageSeconds = 47.5
    later.devices[0].errors += 1
    later.disks[0].freeBytes -= 4096
    #expect(later.standing == health.standing)
    later.devices[0].state = .live
    #expect(later.standing != health.standing)
  }

  @Test("a device without a fault is live, late, then lost by the age of its newest sample")
  func ages() {
    let state = { SourceState(age: $0, late: 1.5, lost: 3) }
    #expect(state(nil) == .awaited && state(0.1) == .live && state(1.5) == .live)
    #expect(state(1.6) == .late && state(3.1) == .lost)
  }
}
