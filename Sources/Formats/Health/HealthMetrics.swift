import Quantities

extension MetricsWriter {
  /// The metrics of a board's health.
  mutating func add(_ health: BoardHealth) {
    add(
      PublishedValue.Metric(name: "build_info", help: "The program's version.", decimals: 0),
      [Sample(labels: ["version": health.version], value: 1)])
    for value in HealthValue.all {
      guard let metric = value.metric else { continue }
      switch value.content {
      case .number(let number): add(metric, number(health))
      case .flag(let flag):
        add(metric.counting, flag(health) ? 1 : 0)
      case .word(let words, let word):
        add(metric.counting, Self.states(word(health), of: words, label: "\(value.key)"))
      case .text: break
      }
    }
    add(
      PublishedValue.Metric(
        name: "disk_free_bytes", help: "Space that the daemon may use, by the folder's use.",
        decimals: 0),
      health.disks.map { Sample(labels: ["folder": $0.use], value: $0.freeBytes) })
    add(
      PublishedValue.Metric(
        name: "disk_size_bytes", help: "Size of the file system, by the folder's use.",
        decimals: 0),
      health.disks.map { Sample(labels: ["folder": $0.use], value: $0.sizeBytes) })
    add(health.buses)
    add(health.devices)
    add(
      PublishedValue.Metric(
        name: "trouble", help: "1 for each device, set-up or feed with a trouble.", decimals: 0),
      Set(health.troubles.map(\.device)).sorted().map { Sample(labels: ["device": $0], value: 1) })
  }

  private mutating func add(_ buses: [BoardHealth.Bus]) {
    func samples(_ value: (BoardHealth.Bus) -> Double?) -> [Sample] {
      buses.compactMap { bus in
        value(bus).map { Sample(labels: ["bus": bus.name], value: $0) }
      }
    }
    add(
      PublishedValue.Metric(
        name: "bus_wake_delay_median_seconds",
        help: "How late the bus's thread wakes, median of its last wake-ups.", decimals: 6),
      samples(\.medianDelaySeconds))
    add(
      PublishedValue.Metric(
        name: "bus_wake_delay_worst_seconds",
        help: "How late the bus's thread wakes, largest of its last wake-ups.", decimals: 6),
      samples(\.worstDelaySeconds))
    add(
      PublishedValue.Metric(
        name: "bus_data_ready_lost",
        help: "1 where the bus's data-ready lines are lost and its chips are polled.", decimals: 0),
      samples { $0.hasLostDataReady ? 1 : 0 })
  }

  private mutating func add(_ devices: [DeviceHealth]) {
    add(
      DeviceHealthValue.state,
      devices.flatMap { device in
        DeviceHealth.stateWords.map { word in
          Sample(
            labels: [
              "device": device.name, "bus": device.bus, "kind": device.kind.rawValue,
              "state": word,
            ], value: word == device.stateWord ? 1 : 0)
        }
      })
    for value in DeviceHealthValue.all {
      add(
        value.metric,
        devices.compactMap { device in
          value.value(device).map {
            Sample(
              labels: [
                "device": device.name, "bus": device.bus, "kind": device.kind.rawValue,
              ], value: $0)
          }
        }, type: value.type)
    }
  }
}

extension PublishedValue.Metric {
  /// The same for whole numbers.
  fileprivate var counting: PublishedValue.Metric {
    var metric = self
    metric.decimals = 0
    return metric
  }
}
