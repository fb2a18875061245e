/// What the device of NMEA 2000 counts.
package struct NMEA2000Counts: Equatable, Sendable {
  /// Whether the CAN interface is open.
  package var isOpen = false
  /// The address on the bus; nil while there is none.
  package var address: Int?
  /// The frames that the kernel accepted.
  package var sent = 0
  /// The frames of other devices that were read: claims, requests and commands.
  package var received = 0
  /// The frames that were too old before the bus accepted them.
  package var dropped = 0
  /// How often a device with a lower NAME took the address.
  package var addressLosses = 0

  package init() {}
}

extension MetricsWriter {
  mutating func add(_ counts: NMEA2000Counts) {
    func metric(_ name: String, _ help: String) -> PublishedValue.Metric {
      PublishedValue.Metric(name: "nmea2000_\(name)", help: help, decimals: 0)
    }
    add(metric("open", "1 while the CAN interface is open."), counts.isOpen ? 1 : 0)
    add(metric("address", "The address on the bus."), counts.address.map(Double.init))
    let counters = [
      ("frames_sent_total", "Frames sent.", counts.sent),
      ("frames_received_total", "Claims, requests and commands received.", counts.received),
      ("frames_dropped_total", "Frames too old before the bus accepted them.", counts.dropped),
      ("address_losses_total", "Addresses lost to another device.", counts.addressLosses),
    ]
    for (name, help, count) in counters {
      add(metric(name, help), Double(count), type: .counter)
    }
  }
}
