import Chips
import Configuration
import Quantities

/// A bus that could not be opened at the start: each transfer tries to open it until it is there,
/// such as that of a USB adapter which is plugged in later.
final class AwaitedBus: RegisterBus {
  let name: String
  private let hardware: any BoardHardware
  private var opened: (any RegisterBus)?

  private let sensor: Board.Sensor

  /// Makes the bus of a sensor.
  init(_ sensor: Board.Sensor, hardware: any BoardHardware) {
    (name, self.sensor, self.hardware) = (sensor.bus, sensor, hardware)
  }

  private func bus() throws(BusError) -> any RegisterBus {
    if let opened { return opened }
    let bus = try hardware.bus(of: sensor)
    opened = bus
    return bus
  }

  var now: Timestamp { hardware.now }
  func wait(nanoseconds: UInt64) { opened?.wait(nanoseconds: nanoseconds) }
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    try bus().read(register, of: address, into: bytes)
  }
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    try bus().write(bytes, to: register, of: address)
  }
  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    try bus().receive(from: address)
  }
  func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    try bus().receive(into: bytes, from: address)
  }
  func release() { opened?.release() }
  func releaseIfRemoved() { opened?.releaseIfRemoved() }
}
