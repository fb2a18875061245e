import Chips
import Configuration
import FoundationEssentials
import LinuxIO
import Quantities

/// This machine's buses, ports and lines.
package struct LinuxHardware: BoardHardware {
  package let refusesOwnServers: Bool
  /// Where the serial ports of the board file are plugged in, by their paths.
  private let places = Locked<[String: USBPlace]>([:])
  /// The kernel's devices that several sensors of the board are read from.
  private let sharing = IIOSharing()

  /// This machine's hardware. `refusesOwnServers` is false only in tests, whose server runs in the
  /// same process.
  package init(refusesOwnServers: Bool = true) { self.refusesOwnServers = refusesOwnServers }

  package var now: Timestamp { MonotonicClock.now }

  package var buses: [String] { LinuxI2CBus.buses() }

  package var receiverPorts: [String] {
    // An on-board port is taken for a receiver's if it has the usual name. A USB modem is most
    // likely a receiver.
    let pins = SerialPortNames.header(serial0: SystemFiles.linkTarget(of: "/dev/serial0"))
    let named = [pins, "/dev/gps0"].filter { FileManager.default.fileExists(atPath: $0) }
    let plugged: [String]
    do {
      plugged = try FileManager.default.contentsOfDirectory(atPath: "/dev").filter {
        $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB")
      }
    } catch {
      plugged = []
    }
    return named + plugged.sorted().map { "/dev/\($0)" }
  }

  package var gpsdRelease: String? { GPSDProbe.release(of: GPSDAddress()) }

  package func adapter(of bus: String) -> String? { LinuxI2CBus.adapterName(of: bus) }

  package func kernelDriver(bus: String, address: UInt8) -> String? {
    LinuxI2CBus.kernelDriver(at: address, of: bus)
  }

  package var kernelChips: [KernelChip] {
    IIODevice.all().compactMap { device in
      let models = device.models
      guard let first = models.first else { return nil }
      return KernelChip(
        bus: device.bus, address: device.address, driver: device.driver, models: models,
        access: device.access(to: first).description)
    }
  }

  package func driver(for sensor: Board.Sensor, on bus: any RegisterBus) -> any SensorChip {
    guard !sensor.isSerial else { return sensor.driver(on: bus) }
    if let device = kernelDevice(of: sensor),
      let driver = device.driver(for: sensor.chip, settings: sensor.settings, sharing: sharing)
    {
      return driver
    }
    return sensor.chip.isOfKernel
      ? AbsentKernelChip(sensor)
      : sensor.driver(on: bus)
  }

  package func fullScale(of sensor: Board.Sensor) -> SensorFullScale {
    kernelDevice(of: sensor)?.fullScale(of: sensor.chip, settings: sensor.settings)
      ?? sensor.settings.fullScale(of: sensor.chip)
  }

  /// The kernel's device of a sensor; nil where the kernel does not own the chip.
  private func kernelDevice(of sensor: Board.Sensor) -> IIODevice? {
    if sensor.chip.isOfKernel {
      return IIODevice.all().first {
        $0.reads(sensor.chip) && [$0.bus, Board.anyPlace].contains(sensor.bus)
          && [$0.address, 0].contains(sensor.address)
      }
    }
    // An AK8963 is read through the MPU-9250 that contains it.
    let places = [sensor.address] + (sensor.chip == .ak8963 ? ChipModel.mpu9250.addresses : [])
    for address in places {
      do throws(BusError) {
        if let device = try IIODevice.find(bus: sensor.bus, address: address),
          device.reads(sensor.chip)
        {
          return device
        }
      } catch {
        // Our own driver will report the error at this address.
      }
    }
    return nil
  }

  package func bus(_ path: String) throws(BusError) -> any RegisterBus {
    try LinuxI2CBus(path: path)
  }

  package func bus(of sensor: Board.Sensor) throws(BusError) -> any RegisterBus {
    guard Board.isSPI(sensor.bus), let framing = sensor.chip.spi else { return try bus(sensor.bus) }
    let hertz = sensor.spiHertz ?? min(LinuxSPIDevice.usualHertz, framing.fastestHertz)
    return SPIRegisterBus(
      device: try LinuxSPIDevice(path: sensor.bus, hertz: hertz), framing: framing)
  }

  package var spiDevices: [String] { LinuxSPIDevice.devices() }

  package func spiDevice(_ path: String) throws(BusError) -> any SPIDevice {
    try LinuxSPIDevice(path: path)
  }

  package func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
    if let place = I2CReceiver(path) {
      return UBloxI2CPort(bus: try LinuxI2CBus(path: place.bus), address: place.address)
    }
    if Board.isSPI(path) {
      let hertz = UBloxSPIPort<LinuxSPIDevice>.usualHertz
      return UBloxSPIPort(device: try LinuxSPIDevice(path: path, hertz: hertz, mode: .mode0))
    }
    return switch SentenceFeed(path) {
    case nil: try localPort(path, baud: baud)
    case .tcp(let host, let port): try NetworkPort(host: host, port: port, name: path)
    case .udp(let address, let port): try NetworkPort(address: address, port: port, name: path)
    }
  }

  private func localPort(_ path: String, baud: Int) throws(BusError) -> LinuxSerialPort {
    let current = currentPath(of: path)
    let port = try LinuxSerialPort(path: current, baud: baud)
    places.withLock { $0[path] = USBPlace(of: current) }
    return port
  }

  /// The path itself; where it is missing, that of the same USB adapter, which may return with
  /// another number.
  private func currentPath(of path: String) -> String {
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    return places.withLock { $0[path] }?.path ?? path
  }

  package func isPresent(_ path: String) -> Bool {
    let device = I2CReceiver(path)?.bus ?? path
    return !device.hasPrefix("/")
      || FileManager.default.fileExists(atPath: currentPath(of: device))
  }

  package var pulseSources: [String] { LinuxPPS.sources() }

  package func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource {
    pulse.source.hasPrefix("/")
      ? try KernelPulse(path: pulse.source)
      : try LinePulse(name: pulse.source, edge: pulse.edge)
  }

  package func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
    var lines: [LinuxGPIOLine] = []
    for name in dataReadyLines {
      lines.append(try LinuxGPIOLine(name: name, direction: .edges(.rising)))
    }
    return lines.isEmpty ? TimeAlarm() : EdgeAlarm(wait: try LinuxEdgeWait(lines))
  }

  /// Waits for the deadline only.
  private final class TimeAlarm: BusAlarm {
    func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)? {
      MonotonicClock.sleep(until: deadline)
      return nil
    }
  }

  /// Waits for edges of data-ready lines.
  private final class EdgeAlarm: BusAlarm {
    private let lines: LinuxEdgeWait
    init(wait lines: LinuxEdgeWait) { self.lines = lines }

    func wait(until deadline: Timestamp) throws(BusError) -> (line: Int, edge: Timestamp)? {
      try lines.wait(until: deadline).map { ($0.line, $0.edge.timestamp) }
    }
  }
}
