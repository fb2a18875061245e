import BoardFile
import Bus
import Chips
import Quantities

/// What a board is attached to: the kernel's devices, or emulated ones in a test.
package protocol BoardHardware: Sendable {
  /// The present instant of the clock that samples are stamped with.
  var now: Timestamp { get }
  /// The I2C buses that there are.
  var buses: [String] { get }
  /// The serial ports at which a receiver can be.
  var receiverPorts: [String] { get }
  /// The release of the gpsd daemon of this machine; nil where none answers.
  var gpsdRelease: String? { get }
  /// What the kernel calls a bus's adapter.
  func adapter(of bus: String) -> String?
  /// The kernel driver that owns an address; nil for none.
  func kernelDriver(bus: String, address: UInt8) -> String?
  /// The chip that can be read through a kernel driver; nil where it cannot.
  func kernelChip(bus: String, address: UInt8) -> ChipModel?
  /// Opens an I2C bus.
  func bus(_ path: String) throws(BusError) -> any RegisterBus
  /// Opens a serial port.
  func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort
  /// The driver of a sensor: the kernel's own where it owns the chip, else ours.
  func driver(for sensor: Board.Sensor, on bus: any RegisterBus) -> any SensorChip
  /// The kernel's sources of pulses.
  var pulseSources: [String] { get }
  /// Opens a receiver's pulse: a source of the kernel by its path, or a GPIO line by its name.
  func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource
  /// What a bus's thread waits by: edges of the named lines, or nothing but time where there are none.
  func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm
}

extension BoardHardware {
  /// No daemon.
  package var gpsdRelease: String? { nil }
  /// No name.
  package func adapter(of bus: String) -> String? { nil }
  /// None.
  package func kernelDriver(bus: String, address: UInt8) -> String? { nil }
  /// None.
  package func kernelChip(bus: String, address: UInt8) -> ChipModel? { nil }
  /// None.
  package var pulseSources: [String] { [] }
  /// None can be opened.
  package func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource {
    throw BusError(.missing, device: pulse.source)
  }
  /// Our own driver.
  package func driver(for sensor: Board.Sensor, on bus: any RegisterBus) -> any SensorChip {
    sensor.chip.driver(bus: bus, address: sensor.address, settings: sensor.settings)
  }
}

/// Ends a bus thread's sleep: at a deadline, or when a chip says that its data is ready.
package protocol BusAlarm: AnyObject {
  /// Sleeps until an edge comes or a deadline passes.
  /// - Returns: Which of the lines rose and when; nil at the deadline.
  func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)?
}
