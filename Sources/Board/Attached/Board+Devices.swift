import Chips
import Configuration
import LinuxIO

extension Board {
  /// The buses and ports that a reader of the board opens.
  public var devices: [String] {
    // The kernel's own drivers may be read by several programs, or the kernel reports who has the
    // buffer.
    let named =
      sensors.filter { !$0.chip.isOfKernel }.map(\.bus)
      + receivers.map(\.port) + compasses.compactMap(\.port)
    return named.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Board.Sensor {
  /// Model, address and bus: `MPU-6050 at 0x68 of /dev/i2c-1`. Without an address `LIS3MDL on
  /// /dev/spidev0.0`, and of a chip of the kernel anywhere `dps310 of the kernel`.
  package var label: String {
    if bus == Board.anyPlace, address == 0 { return "\(chip.rawValue) of the kernel" }
    return address == 0 || isSerial
      ? "\(chip.rawValue) on \(bus)"
      : "\(chip.rawValue) at \(Hexadecimal.text(address)) of \(bus)"
  }

  /// The name of the thread that reads it: its bus, whose chips take turns. Each chip of the kernel
  /// has a thread of its own, as its driver may wait for each sample.
  var thread: String {
    chip.isOfKernel ? "\(chip.rawValue) \(Hexadecimal.text(address)) \(bus)" : bus
  }
}

extension Board {
  /// Whether a module delivers the heading of its own firmware.
  package var hasModuleAttitude: Bool { sensors.contains { $0.settings.usesOwnAttitude } }
}

extension Board.Sensor {
  /// Our own driver, of the chip on an I2C bus or of the module on a serial port.
  package func driver(on bus: any RegisterBus) -> any SensorChip {
    let settings = settingsWithImage
    if let line = bus as? any TimedSerialPort,
      let driver = chip.driver(port: line, settings: settings)
    {
      return driver
    }
    return chip.driver(bus: bus, address: address, settings: settings)
  }

  /// The files in which the image of a BMI270 is looked for: the names by which Linux's driver
  /// loads it.
  private static let usualImages = [
    "/usr/lib/firmware/bmi270-init-data.fw", "/lib/firmware/bmi270-init-data.fw",
  ]

  /// The settings with the content of the image's file; without an image where no file can be read,
  /// which the driver reports.
  private var settingsWithImage: ChipSettings {
    var settings = settings
    guard chip == .bmi270, settings.image.isEmpty else { return settings }
    for path in imagePath.map({ [$0] }) ?? Self.usualImages {
      do throws(FileFault) {
        settings.image = try LinuxFiles().content(of: path)
        break
      } catch { continue }
    }
    return settings
  }
}
