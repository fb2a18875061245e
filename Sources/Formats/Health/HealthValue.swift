import Quantities

/// A value of a board's health, once for all formats: its key in JSON, its content, its metric, and
/// its entity of Home Assistant.
package struct HealthValue: Sendable {
  /// How the value follows from the health; nil is unknown.
  package enum Content: Sendable {
    case number(@Sendable (BoardHealth) -> Double?)
    /// True means trouble.
    case flag(@Sendable (BoardHealth) -> Bool)
    case word([String], @Sendable (BoardHealth) -> String)
    /// A text is no metric.
    case text(@Sendable (BoardHealth) -> String)
  }

  /// The key of JSON.
  package let key: StaticString
  package let content: Content
  /// Nil for a text.
  package let metric: PublishedValue.Metric?
  /// How Home Assistant shows it; the unit is that of the key.
  let entity: HomeAssistantEntity

  private init(
    _ key: StaticString, _ content: Content, metric: PublishedValue.Metric? = nil,
    name: String, unit: String? = nil, deviceClass: String? = nil, decimals: Int? = nil,
    icon: String? = nil
  ) {
    (self.key, self.content, self.metric) = (key, content, metric)
    var entity = HomeAssistantEntity(key: key, name: name)
    (entity.unit, entity.deviceClass, entity.decimals) = (unit, deviceClass, decimals)
    (entity.icon, entity.isDiagnostic, entity.isHealth) = (icon, true, true)
    switch content {
    case .number: entity.stateClass = "measurement"
    case .flag: entity.isFlag = true
    case .word(let words, _): entity.options = words
    case .text: break
    }
    self.entity = entity
  }

  /// In the order of the object.
  package static let all: [HealthValue] = [
    HealthValue(
      "version", .text(\.version), name: "Version", icon: "mdi:package-variant"),
    HealthValue(
      "uptime", .number(\.uptimeSeconds),
      metric: PublishedValue.Metric(
        name: "uptime_seconds", help: "Time since the daemon's start.", decimals: 1),
      name: "Uptime", unit: "s", deviceClass: "duration", decimals: 0),
    HealthValue(
      "source", .word(BoardHealth.Source.allCases.map(\.rawValue)) { $0.source.rawValue },
      metric: PublishedValue.Metric(
        name: "source_kind", help: "Kind of the source; none while none is open."),
      name: "Source", deviceClass: "enum", icon: "mdi:chip"),
    HealthValue(
      "trouble", .text { $0.trouble ?? "none" }, name: "Trouble", icon: "mdi:alert-circle-outline"),
    HealthValue(
      "clockUnset", .flag { !$0.isClockBelieved },
      metric: PublishedValue.Metric(
        name: "clock_unset",
        help: "1 while the clock is neither synchronised nor agrees with a battery clock."),
      name: "Clock not set", deviceClass: "problem", icon: "mdi:clock-alert-outline"),
    HealthValue(
      "clockError", .number(\.clockErrorSeconds),
      metric: PublishedValue.Metric(
        name: "clock_error_seconds", help: "The kernel's bound of the clock's error."),
      name: "Clock error", unit: "s", deviceClass: "duration", decimals: 3),
    HealthValue(
      "calibrationAge", .number(\.calibrationAgeSeconds),
      metric: PublishedValue.Metric(
        name: "calibration_age_seconds",
        help: "Age of the magnetometer's stored calibration.", decimals: 0),
      name: "Calibration age", unit: "s", deviceClass: "duration", decimals: 0),
    HealthValue(
      "storageFault", .flag { $0.storageFault != nil },
      metric: PublishedValue.Metric(
        name: "storage_fault", help: "1 while the state, or a part of it, is not stored."),
      name: "State not stored", deviceClass: "problem", icon: "mdi:harddisk"),
    HealthValue(
      "diskFree", .number(\.freePercent), name: "Disk free", unit: "%", decimals: 0,
      icon: "mdi:harddisk"),
  ]
}

/// A value of one device's health, once for all formats.
package struct DeviceHealthValue: Sendable {
  /// The key of JSON.
  package let key: StaticString
  package let metric: PublishedValue.Metric
  let type: MetricsWriter.Kind
  let value: @Sendable (DeviceHealth) -> Double?

  private init(
    _ key: StaticString, _ name: String, _ help: String, decimals: Int = 0,
    type: MetricsWriter.Kind = .counter, _ value: @escaping @Sendable (DeviceHealth) -> Double?
  ) {
    self.key = key
    metric = PublishedValue.Metric(name: name, help: help, decimals: decimals)
    (self.type, self.value) = (type, value)
  }

  /// The numbers; the state is a word.
  package static let all: [DeviceHealthValue] = [
    DeviceHealthValue(
      "age", "device_sample_age_seconds", "Age of the device's newest sample.", decimals: 1,
      type: .gauge, \.ageSeconds),
    DeviceHealthValue(
      "samples", "device_samples_total", "Samples, epochs or headings of the device."
    ) { Double($0.samples) },
    DeviceHealthValue(
      "errors", "device_errors_total", "Failed transfers or rejected sentences of the device."
    ) { Double($0.errors) },
    DeviceHealthValue(
      "restarts", "device_restarts_total", "How often the device was in service after a loss."
    ) { Double($0.restarts) },
  ]

  /// The metric of the state, with a sample for each word.
  static let state = PublishedValue.Metric(
    name: "device_state", help: "State of the device.", decimals: 0)
}
