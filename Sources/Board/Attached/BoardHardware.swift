import Chips
import Configuration
import LinuxIO
import Quantities

/// The devices that a board is attached to: the kernel's, or emulated ones in a test.
package protocol BoardHardware: Sendable {
  /// The present instant of the clock that stamps the samples.
  var now: Timestamp { get }
  /// Waits at least this long.
  func wait(nanoseconds: UInt64)
  /// The paths of the existing I2C buses.
  var buses: [String] { get }
  /// The serial ports that a receiver may be connected to.
  var receiverPorts: [String] { get }
  /// Whether a server of this process is refused as a receiver: its output would be its input.
  var refusesOwnServers: Bool { get }
  /// The release of this machine's gpsd daemon; nil where none answers.
  var gpsdRelease: String? { get }
  /// The kernel's name of a bus's adapter.
  func adapter(of bus: String) -> String?
  /// The kernel driver that owns an address; nil for none.
  func kernelDriver(bus: String, address: UInt8) -> String?
  /// The chips that the kernel's drivers read, on any bus, each with a remark on how.
  var kernelChips: [KernelChip] { get }
  /// The ranges of a sensor, as its driver sets them.
  func fullScale(of sensor: Board.Sensor) -> SensorFullScale
  /// Opens an I2C bus.
  func bus(_ path: String) throws(BusError) -> any RegisterBus
  /// Opens the bus of a sensor, which for SPI needs the chip's framing.
  func bus(of sensor: Board.Sensor) throws(BusError) -> any RegisterBus
  /// The paths of the existing SPI devices.
  var spiDevices: [String] { get }
  /// Opens an SPI device for a scan.
  func spiDevice(_ path: String) throws(BusError) -> any SPIDevice
  /// Opens a serial port, or a feed of sentences in the network.
  func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort
  /// Whether the device at a path is there; true for a feed in the network and for a line.
  func isPresent(_ path: String) -> Bool
  /// The driver of a sensor: the kernel's own where it owns the chip, else ours.
  func driver(for sensor: Board.Sensor, on bus: any RegisterBus) -> any SensorChip
  /// The paths of the kernel's PPS sources.
  var pulseSources: [String] { get }
  /// Opens a receiver's pulse: a kernel PPS source by its path, or a GPIO line by its name.
  func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource
  /// The wait of a bus's thread: for edges of the named lines, or only for a deadline without
  /// lines.
  func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm
}

extension BoardHardware {
  /// By the machine's clock.
  package func wait(nanoseconds: UInt64) {
    MonotonicClock.sleep(until: MonotonicClock.now.advanced(byNanoseconds: nanoseconds))
  }
  /// By its path.
  package func bus(of sensor: Board.Sensor) throws(BusError) -> any RegisterBus {
    try bus(sensor.bus)
  }
  /// None.
  package var spiDevices: [String] { [] }
  /// None can be opened.
  package func spiDevice(_ path: String) throws(BusError) -> any SPIDevice {
    throw BusError(.missing, device: path)
  }
  /// True.
  package var refusesOwnServers: Bool { true }
  /// No daemon.
  package var gpsdRelease: String? { nil }
  /// No name.
  package func adapter(of bus: String) -> String? { nil }
  /// None.
  package func kernelDriver(bus: String, address: UInt8) -> String? { nil }
  /// None.
  package var kernelChips: [KernelChip] { [] }
  /// As our own driver sets them.
  package func fullScale(of sensor: Board.Sensor) -> SensorFullScale {
    sensor.settings.fullScale(of: sensor.chip)
  }
  /// None.
  package var pulseSources: [String] { [] }
  /// None can be opened.
  package func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource {
    throw BusError(.missing, device: pulse.source)
  }
  /// True.
  package func isPresent(_ path: String) -> Bool { true }
  /// Our own driver.
  package func driver(for sensor: Board.Sensor, on bus: any RegisterBus) -> any SensorChip {
    sensor.driver(on: bus)
  }
}

/// A chip that a kernel driver reads.
package struct KernelChip: Equatable, Sendable {
  /// Where the kernel has it: `/dev/i2c-1`, `spi0.0`.
  package var bus: String
  /// Its address on an I2C bus; 0 elsewhere.
  package var address: UInt8
  /// The kernel's driver.
  package var driver: String
  /// The chip's quantities, each as one of the catalogue's or the kernel's own.
  package var models: [ChipModel]
  /// How its samples are read, and what would make that faster.
  package var access: String

  package init(
    bus: String, address: UInt8, driver: String, models: [ChipModel], access: String
  ) {
    (self.bus, self.address, self.driver) = (bus, address, driver)
    (self.models, self.access) = (models, access)
  }
}

/// Ends a bus thread's sleep: at a deadline, or at the edge of a data-ready line.
package protocol BusAlarm: AnyObject {
  /// Sleeps until an edge or a deadline.
  /// - Returns: The index of the line and the instant of its edge; nil at the deadline.
  func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)?
}
