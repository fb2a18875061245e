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
  /// The prefix of the device's topics; `/state`, `/health` and `/status` follow.
  public var topic: String
  /// Seconds after which a value that was not repeated is unknown.
  public var lifetime: Int
  /// Seconds after which a value of the health that was not repeated is unknown.
  package static let healthLifetime = 200
  /// The devices of the board, of which each has an entity; by `DeviceHealth.key`.
  package var devices: [DeviceHealth] = []
  /// The keys of earlier devices: Home Assistant removes their entities.
  package var removed: [String] = []

  /// Makes a description of a device.
  public init(identifier: String, name: String, version: String, topic: String, lifetime: Int) {
    (self.identifier, self.name, self.version) = (identifier, name, version)
    (self.topic, self.lifetime) = (topic, lifetime)
  }

  /// The topic of the message below a prefix, usually `homeassistant`.
  public func topic(below prefix: String) -> String { "\(prefix)/device/\(identifier)/config" }

  private static let sensors = [
    HomeAssistantEntity(
      key: "magneticHeading", name: "Heading", unit: "°", decimals: 0, icon: "mdi:compass"),
    HomeAssistantEntity(
      key: "trueHeading", name: "True heading", unit: "°", decimals: 0, icon: "mdi:compass-outline"),
    HomeAssistantEntity(
      key: "headingAccuracy", name: "Heading accuracy", unit: "°", stateClass: "measurement",
      decimals: 1, icon: "mdi:plus-minus", isDiagnostic: true),
    HomeAssistantEntity(
      key: "pitch", name: "Pitch", unit: "°", stateClass: "measurement", decimals: 1,
      icon: "mdi:angle-acute"),
    HomeAssistantEntity(
      key: "roll", name: "Roll", unit: "°", stateClass: "measurement", decimals: 1,
      icon: "mdi:angle-acute"),
    HomeAssistantEntity(
      key: "altitude", name: "Altitude", unit: "m", deviceClass: "distance",
      stateClass: "measurement", decimals: 1, icon: "mdi:altimeter"),
    HomeAssistantEntity(
      key: "speed", name: "Speed", unit: "m/s", deviceClass: "speed", stateClass: "measurement",
      decimals: 1),
    HomeAssistantEntity(
      key: "pressure", name: "Pressure", unit: "hPa", deviceClass: "atmospheric_pressure",
      stateClass: "measurement", decimals: 1),
    HomeAssistantEntity(
      key: "pressureTendency", name: "Pressure change in 3 h", unit: "hPa",
      stateClass: "measurement", decimals: 1, icon: "mdi:trending-up"),
    HomeAssistantEntity(
      key: "pressureCharacteristic", name: "Pressure characteristic (WMO 0200)",
      stateClass: "measurement", decimals: 0, icon: "mdi:chart-line"),
    HomeAssistantEntity(
      key: "waveHeight", name: "Significant wave height", unit: "m", deviceClass: "distance",
      stateClass: "measurement", decimals: 1, icon: "mdi:waves"),
    HomeAssistantEntity(
      key: "wavePeakPeriod", name: "Wave peak period", unit: "s", deviceClass: "duration",
      stateClass: "measurement", decimals: 1, icon: "mdi:sine-wave"),
    HomeAssistantEntity(
      key: "waveMeanPeriod", name: "Wave mean period", unit: "s", deviceClass: "duration",
      stateClass: "measurement", decimals: 1, icon: "mdi:sine-wave"),
    HomeAssistantEntity(
      key: "waveDirection", name: "Waves from", unit: "°", decimals: 0, icon: "mdi:compass"),
    HomeAssistantEntity(
      key: "horizontalAccuracy", name: "Fix accuracy", unit: "m", deviceClass: "distance",
      stateClass: "measurement", decimals: 1, icon: "mdi:crosshairs-gps", isDiagnostic: true),
    HomeAssistantEntity(
      key: "satellites", name: "Satellites", stateClass: "measurement", decimals: 0,
      icon: "mdi:satellite-variant", isDiagnostic: true),
    HomeAssistantEntity(
      key: "calibration", name: "Calibration", deviceClass: "enum", icon: "mdi:compass-rose",
      isDiagnostic: true, options: CalibrationState.allCases.map(\.rawValue)),
    HomeAssistantEntity(
      key: "headingState", name: "Heading source", deviceClass: "enum", icon: "mdi:compass-off",
      isDiagnostic: true, options: SourceState.allCases.map(\.rawValue), absent: "live"),
    HomeAssistantEntity(
      key: "positionState", name: "Position source", deviceClass: "enum",
      icon: "mdi:crosshairs-question", isDiagnostic: true,
      options: SourceState.allCases.map(\.rawValue), absent: "live"),
    HomeAssistantEntity(
      key: "fixLoss", name: "Reason for no fix", deviceClass: "enum",
      icon: "mdi:crosshairs-question", isDiagnostic: true,
      options: [ReceiverJSON.noLoss] + FixLoss.Cause.allCases.map(\.rawValue)),
    HomeAssistantEntity(
      key: "antenna", name: "GNSS antenna", deviceClass: "enum", icon: "mdi:antenna",
      isDiagnostic: true, options: SignalState.Antenna.allCases.map(\.word)),
    HomeAssistantEntity(
      key: "interference", name: "GNSS interference", deviceClass: "enum",
      icon: "mdi:signal-variant", isDiagnostic: true,
      options: SignalState.Interference.allCases.map(\.word)),
    HomeAssistantEntity(
      key: "spoofing", name: "GNSS spoofing", deviceClass: "enum", icon: "mdi:satellite-uplink",
      isDiagnostic: true, options: SignalState.Spoofing.allCases.map(\.word)),
    HomeAssistantEntity(
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
  private var health: String { topic + "/health" }

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
      for value in HealthValue.all { json.add(value.entity.key, object: object(value.entity)) }
      for device in devices { json.add(name: device.key, object: object(device)) }
      // A component with nothing but its platform is removed.
      for key in removed {
        json.add(name: key, object: JSONWriter.object { $0.add("p", "sensor") })
      }
      json.add("tracker", object: tracker)
      json.add("connection", object: connection)
    }
  }

  private func begin(_ json: inout JSONWriter, _ platform: String, _ key: String, _ name: String) {
    json.add("p", platform)
    json.add("uniq_id", "\(identifier)_\(key)")
    json.add("name", name)
  }

  private func object(_ entity: HomeAssistantEntity) -> [UInt8] {
    JSONWriter.object { json in
      begin(&json, entity.isFlag ? "binary_sensor" : "sensor", "\(entity.key)", entity.name)
      json.add("stat_t", entity.isHealth ? health : state)
      json.add("avty_t", status)
      json.add("val_tpl", entity.template)
      json.add("exp_aft", entity.isHealth ? Self.healthLifetime : lifetime)
      json.add("unit_of_meas", entity.unit)
      json.add("dev_cla", entity.deviceClass)
      json.add("stat_cla", entity.stateClass)
      json.add("sug_dsp_prc", entity.decimals)
      json.add("ic", entity.icon)
      json.add("ops", entity.options)
      if entity.isDiagnostic { json.add("ent_cat", "diagnostic") }
    }
  }

  /// The state of one device of the board, with its other values as attributes.
  private func object(_ device: DeviceHealth) -> [UInt8] {
    JSONWriter.object { json in
      let found = "(value_json.devices | selectattr('key', 'eq', '\(device.key)') | list)"
      begin(&json, "sensor", device.key, device.name)
      json.add("stat_t", health)
      json.add("avty_t", status)
      json.add("val_tpl", "{{ (\(found) | first | default({})).get('state') }}")
      json.add("json_attr_t", health)
      json.add("json_attr_tpl", "{{ \(found) | first | default({}) | tojson }}")
      json.add("exp_aft", Self.healthLifetime)
      json.add("dev_cla", "enum")
      json.add("ops", DeviceHealth.stateWords)
      json.add("ic", "mdi:chip")
      json.add("ent_cat", "diagnostic")
    }
  }

  /// The place as attributes, from which Home Assistant finds the zone: the text of a state topic
  /// would be taken for the zone's name. Without a place the tracker is unavailable, because since
  /// 2025.5 Home Assistant keeps the last place if the attributes contain none.
  private var tracker: [UInt8] {
    JSONWriter.object { json in
      begin(&json, "device_tracker", "tracker", "Position")
      json.add("avty_mode", "all")
      let hasPlace = "{{ 'online' if value_json.latitude is defined else 'offline' }}"
      json.add("avty", [(status, nil), (state, hasPlace)]) { topic, json in
        json.add("t", topic.0)
        json.add("val_tpl", topic.1)
      }
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
