import JSON
import Quantities
import ReceiverProtocols

/// The message by which Home Assistant finds a device at an MQTT broker: one retained object for
/// all its entities.
/// - Source: Home Assistant, integration "MQTT", device discovery (since 2024.11) and its
///   abbreviations; integrations "MQTT sensor", "MQTT binary sensor", "MQTT device tracker".
public struct HomeAssistantDiscovery: Sendable {
  /// The device's name for Home Assistant, which never changes; letters, digits, `_` and `-`.
  public var identifier: String
  /// The device's name for people.
  public var name: String
  /// The version of the program.
  public var version: String
  /// The prefix of the device's topics; `/state` and `/status` follow.
  public var topic: String
  /// Seconds after which a value that was not repeated is unknown.
  public var lifetime: Int

  /// Makes a description of a device.
  public init(identifier: String, name: String, version: String, topic: String, lifetime: Int) {
    (self.identifier, self.name, self.version) = (identifier, name, version)
    (self.topic, self.lifetime) = (topic, lifetime)
  }

  /// The topic of the message below a prefix, usually `homeassistant`.
  public func topic(below prefix: String) -> String { "\(prefix)/device/\(identifier)/config" }

  /// One sensor: its key in `EstimateJSON.state`, and how it is shown.
  private struct Sensor {
    let key: StaticString
    let name: String
    var unit: String?
    var deviceClass: String?
    /// Nil for an angle: Home Assistant has a class for it since 2025.4 only, and would average it
    /// as a number.
    var stateClass: String?
    var decimals: Int?
    var icon: String?
    var isDiagnostic = false
    var options: [String] = []
    /// What an absent value means; nil: it is unknown.
    var absent: String?
  }

  private static let sensors = [
    Sensor(
      key: "magneticHeading", name: "Heading", unit: "°", decimals: 0, icon: "mdi:compass"),
    Sensor(
      key: "trueHeading", name: "True heading", unit: "°", decimals: 0, icon: "mdi:compass-outline"),
    Sensor(
      key: "headingAccuracy", name: "Heading accuracy", unit: "°", stateClass: "measurement",
      decimals: 1, icon: "mdi:plus-minus", isDiagnostic: true),
    Sensor(
      key: "pitch", name: "Pitch", unit: "°", stateClass: "measurement", decimals: 1,
      icon: "mdi:angle-acute"),
    Sensor(
      key: "roll", name: "Roll", unit: "°", stateClass: "measurement", decimals: 1,
      icon: "mdi:angle-acute"),
    Sensor(
      key: "altitude", name: "Altitude", unit: "m", deviceClass: "distance",
      stateClass: "measurement", decimals: 1, icon: "mdi:altimeter"),
    Sensor(
      key: "speed", name: "Speed", unit: "m/s", deviceClass: "speed", stateClass: "measurement",
      decimals: 1),
    Sensor(
      key: "pressure", name: "Pressure", unit: "hPa", deviceClass: "atmospheric_pressure",
      stateClass: "measurement", decimals: 1),
    Sensor(
      key: "horizontalAccuracy", name: "Fix accuracy", unit: "m", deviceClass: "distance",
      stateClass: "measurement", decimals: 1, icon: "mdi:crosshairs-gps", isDiagnostic: true),
    Sensor(
      key: "satellites", name: "Satellites", stateClass: "measurement", decimals: 0,
      icon: "mdi:satellite-variant", isDiagnostic: true),
    Sensor(
      key: "calibration", name: "Calibration", deviceClass: "enum", icon: "mdi:compass-rose",
      isDiagnostic: true, options: CalibrationState.allCases.map(\.rawValue)),
    Sensor(
      key: "headingState", name: "Heading source", deviceClass: "enum", icon: "mdi:compass-off",
      isDiagnostic: true, options: SourceState.allCases.map(\.rawValue), absent: "live"),
    Sensor(
      key: "positionState", name: "Position source", deviceClass: "enum",
      icon: "mdi:crosshairs-question", isDiagnostic: true,
      options: SourceState.allCases.map(\.rawValue), absent: "live"),
    Sensor(
      key: "fixLoss", name: "Reason for no fix", deviceClass: "enum",
      icon: "mdi:crosshairs-question", isDiagnostic: true,
      options: [ReceiverJSON.noLoss] + FixLoss.Cause.allCases.map(\.rawValue)),
    Sensor(
      key: "antenna", name: "GNSS antenna", deviceClass: "enum", icon: "mdi:antenna",
      isDiagnostic: true, options: SignalState.Antenna.allCases.map(\.word)),
    Sensor(
      key: "interference", name: "GNSS interference", deviceClass: "enum",
      icon: "mdi:signal-variant", isDiagnostic: true,
      options: SignalState.Interference.allCases.map(\.word)),
    Sensor(
      key: "spoofing", name: "GNSS spoofing", deviceClass: "enum", icon: "mdi:satellite-uplink",
      isDiagnostic: true, options: SignalState.Spoofing.allCases.map(\.word)),
    Sensor(
      key: "timeToFirstFix", name: "Time to first fix", unit: "s", deviceClass: "duration",
      stateClass: "measurement", decimals: 0, icon: "mdi:timer-outline", isDiagnostic: true),
  ]

  /// The message.
  public var payload: [UInt8] {
    JSONWriter.object { json in
      json.add("dev", object: device)
      json.add("o", object: origin)
      json.add("qos", 1)
      json.add("cmps", object: components)
    }
  }

  private var state: String { topic + "/state" }
  private var status: String { topic + "/status" }

  private var device: [UInt8] {
    JSONWriter.object {
      $0.add("ids", [identifier])
      $0.add("name", name)
      $0.add("mf", "Lodestar")
      $0.add("mdl", "Compass and position")
      $0.add("sw", version)
    }
  }

  private var origin: [UInt8] {
    JSONWriter.object {
      $0.add("name", "Lodestar")
      $0.add("sw", version)
    }
  }

  private var components: [UInt8] {
    JSONWriter.object { json in
      for sensor in Self.sensors { json.add(sensor.key, object: object(sensor)) }
      json.add("tracker", object: tracker)
      json.add("connection", object: connection)
    }
  }

  private func begin(_ json: inout JSONWriter, _ platform: String, _ key: String, _ name: String) {
    json.add("p", platform)
    json.add("uniq_id", "\(identifier)_\(key)")
    json.add("name", name)
  }

  private func object(_ sensor: Sensor) -> [UInt8] {
    JSONWriter.object { json in
      begin(&json, "sensor", "\(sensor.key)", sensor.name)
      json.add("stat_t", state)
      json.add("avty_t", status)
      // `None` is Home Assistant's text for an unknown value.
      let absent = sensor.absent.map { ", '\($0)'" } ?? ""
      json.add("val_tpl", "{{ value_json.get('\(sensor.key)'\(absent)) }}")
      json.add("exp_aft", lifetime)
      json.add("unit_of_meas", sensor.unit)
      json.add("dev_cla", sensor.deviceClass)
      json.add("stat_cla", sensor.stateClass)
      json.add("sug_dsp_prc", sensor.decimals)
      json.add("ic", sensor.icon)
      json.add("ops", sensor.options)
      if sensor.isDiagnostic { json.add("ent_cat", "diagnostic") }
    }
  }

  /// The place, as attributes, from which Home Assistant finds the zone. A state topic, also a
  /// common one of all components, would be the zone's name.
  private var tracker: [UInt8] {
    JSONWriter.object { json in
      begin(&json, "device_tracker", "tracker", "Position")
      json.add("avty_t", status)
      json.add("src_type", "gps")
      json.add("json_attr_t", state)
      json.add(
        "json_attr_tpl",
        "{% if value_json.latitude is defined %}{{ {'latitude': value_json.latitude, "
          + "'longitude': value_json.longitude, 'gps_accuracy': value_json.get('horizontalAccuracy', 0)} | tojson }}"
          + "{% else %}{}{% endif %}")
    }
  }

  /// Without an availability topic, so that it shows `off` instead of becoming unavailable.
  private var connection: [UInt8] {
    JSONWriter.object { json in
      begin(&json, "binary_sensor", "connection", "Connection")
      json.add("stat_t", status)
      json.add("pl_on", "online")
      json.add("pl_off", "offline")
      json.add("dev_cla", "connectivity")
      json.add("ent_cat", "diagnostic")
    }
  }
}
