import Chips
import Configuration

extension Board {
  /// The buses and ports that a reader of the board opens.
  public var devices: [String] {
    let named = sensors.map(\.bus) + [receiver?.port, compass?.port].compactMap { $0 }
    return named.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Board.Sensor {
  /// Model, address and bus: `MPU-6050 at 0x68 of /dev/i2c-1`.
  package var label: String { "\(chip.rawValue) at \(Hexadecimal.text(address)) of \(bus)" }
}
