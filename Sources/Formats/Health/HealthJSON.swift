import JSON
import Quantities

/// A board's health as one JSON object, without a line end; unknown values are absent.
package enum HealthJSON {
  /// Decimals of numbers: milliseconds, and tenths of a per cent are within them.
  private static let decimals = 3

  /// The object's bytes.
  /// - Parameters:
  ///   - health: The health.
  ///   - time: The civil time; nil where it is not known.
  /// - Returns: The object.
  package static func object(_ health: BoardHealth, at time: UTCTime?) -> [UInt8] {
    JSONWriter.record(at: time) { json in
      for value in HealthValue.all {
        switch value.content {
        case .number(let number): json.add(value.key, number(health), decimals: decimals)
        case .flag(let flag): json.add(value.key, flag(health))
        case .word(_, let word): json.add(value.key, word(health))
        case .text(let text): json.add(value.key, text(health))
        }
      }
      json.add("devices", health.devices) { device, json in
        json.add("key", device.key)
        json.add("name", device.name)
        json.add("bus", device.bus)
        json.add("state", device.stateWord)
        for value in DeviceHealthValue.all {
          let (number, decimals) = (value.value(device), value.metric.decimals)
          // Counts may be larger than a number with decimals.
          if decimals == 0 {
            json.add(value.key, number.map { Int(bounded: $0) })
          } else {
            json.add(value.key, number, decimals: decimals)
          }
        }
        json.add("fault", device.fault)
      }
    }
  }
}
