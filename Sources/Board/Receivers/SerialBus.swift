import Chips
import LinuxIO
import Quantities

/// The serial port of a module, in the place of a bus: its driver speaks the module's protocol by
/// the port. It is opened by the first transfer, and again after a fault.
final class SerialBus: RegisterBus, TimedSerialPort {
  let name: String
  private(set) var baud: Int
  private let hardware: any BoardHardware
  private var opened: (any SerialPort)?

  init(_ name: String, baud: Int, hardware: any BoardHardware) {
    (self.name, self.baud, self.hardware) = (name, baud, hardware)
  }

  var now: Timestamp { hardware.now }

  func wait(nanoseconds: UInt64) { hardware.wait(nanoseconds: nanoseconds) }

  /// Opens the port, if it is not open.
  func open() throws(BusError) { _ = try port() }

  /// Closes the port until the next transfer.
  func release() { opened = nil }

  private func port() throws(BusError) -> any SerialPort {
    if let opened { return opened }
    let port = try hardware.serialPort(name, baud: baud)
    opened = port
    return port
  }

  /// Makes a transfer; after a fault the port is opened again.
  private func transfer<Result>(
    _ body: (any SerialPort) throws(BusError) -> Result
  ) throws(BusError) -> Result {
    do throws(BusError) {
      return try body(try port())
    } catch {
      opened = nil
      throw error
    }
  }

  func setBaud(_ baud: Int) throws(BusError) {
    try transfer { (port) throws(BusError) in try port.setBaud(baud) }
    self.baud = baud
  }
  func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    try transfer { (port) throws(BusError) in try port.read(into: bytes, until: deadline) }
  }
  func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    try transfer { (port) throws(BusError) in try port.write(bytes) }
  }

  // A serial port has no registers: the driver makes them, if the module has some.

  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) { throw noRegisters }
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) { throw noRegisters }
  func receive(from address: UInt8) throws(BusError) -> UInt8 { throw noRegisters }
  private var noRegisters: BusError {
    BusError(.unsupported("no registers"), device: name)
  }
}
