import Chips
import Configuration

extension Board {
  /// The buses and ports that a reader of the board opens.
  public var devices: [String] {
    // The kernel's own drivers may be read by several programs, or the kernel reports who has the buffer.
    let named =
      sensors.filter { !$0.chip.isOfKernel }.map(\.bus)
      + [receiver?.port, compass?.port].compactMap { $0 }
    return named.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Board.Sensor {
  /// Model, address and bus: `MPU-6050 at 0x68 of /dev/i2c-1`.
  /// Without an address `LIS3MDL on /dev/spidev0.0`, and of a chip of the kernel anywhere `dps310 of the kernel`.
  package var label: String {
    if bus == Board.anyPlace, address == 0 { return "\(chip.rawValue) of the kernel" }
    return address == 0
      ? "\(chip.rawValue) on \(bus)"
      : "\(chip.rawValue) at \(Hexadecimal.text(address)) of \(bus)"
  }

  /// The name of the thread that reads it: its bus, whose chips take turns. Each chip of the kernel has a thread of its own,
  /// as its driver may wait for each sample.
  var thread: String {
    chip.isOfKernel ? "\(chip.rawValue) \(Hexadecimal.text(address)) \(bus)" : bus
  }
}
