import Chips

/// The device that a scan found at one address of a bus.
public struct Finding: Equatable, Sendable {
  /// The bus's device.
  public var bus: String
  /// The address, 7 bits.
  public var address: UInt8
  /// The kind of device.
  public var device: Device
  /// A note for the user: a clone's name, an alternative or a remedy; nil for none.
  public var remark: String?
  /// The motion unit whose bypass must be enabled for this device to answer; nil on the main bus.
  public var isBehind: ChipModel?

  package init(
    bus: String, address: UInt8, device: Device, remark: String? = nil, isBehind: ChipModel? = nil
  ) {
    (self.bus, self.address, self.device) = (bus, address, device)
    (self.remark, self.isBehind) = (remark, isBehind)
  }

  /// The kinds of devices at an address.
  public enum Device: Equatable, Sendable {
    /// A chip with a driver.
    case chip(ChipModel)
    /// A chip identified by its register, without a driver.
    case known(String)
    /// A chip owned by a kernel driver: the driver's name, and the model if it is readable through
    /// IIO, which may be one that only the kernel has a driver for.
    case kernel(driver: String, ChipModel?)
    /// A u-blox receiver that sends valid messages.
    case receiver
    /// A device answers, but no identity register matches.
    case unknown
  }

  /// The model, if samples can be read from it.
  public var model: ChipModel? {
    switch device {
    case .chip(let model), .kernel(_, let model?): model
    default: nil
    }
  }

  /// The port of a receiver, as board files name it; nil for another device.
  public var receiverPort: String? {
    device == .receiver ? "\(bus)@\(Hexadecimal.text(address))" : nil
  }

  /// The name to display.
  public var name: String {
    switch device {
    case .chip(let model): model.rawValue
    case .known(let name): "\(name), no driver yet"
    case .kernel(let driver, let model?) where model.isOfKernel:
      "\(model.rawValue), \(model.quantity.rawValue) of the kernel's driver \(driver)"
    case .kernel(let driver, let model?):
      "\(model.rawValue), owned by the kernel's driver \(driver)"
    case .kernel(let driver, nil): "owned by the kernel's driver \(driver)"
    case .receiver: "u-blox receiver"
    case .unknown: "unknown device"
    }
  }
}

extension Finding {
  /// The chips that stretch the clock of the bus for long, whose transfers a Raspberry Pi's
  /// controller breaks.
  private static var stretching: [ChipModel] { [.bno055, .bno085] }

  /// The finding with a remark where the controller of its bus cannot stretch the clock as its chip
  /// needs.
  /// - Source: Raspberry Pi documentation, "BCM2835 ARM Peripherals errata" (I2C clock stretching
  ///   works only in some phases, too short a pulse follows in others); Adafruit, "Raspberry Pi I2C
  ///   Clock Stretching Fixes". The Raspberry Pi 5 has another controller.
  /// - Parameter adapter: The kernel's name of the bus's adapter.
  /// - Returns: The finding.
  package func withStretchingRemark(adapter: String?) -> Finding {
    guard let model, Self.stretching.contains(model), adapter?.hasPrefix("bcm2835") == true else {
      return self
    }
    var finding = self
    let text =
      "it stretches the clock, which this Raspberry Pi's I2C controller cannot do at all times: bytes are wrong now and "
      + "then; wire it to a serial port with PS1 high ('bus: /dev/serial0' in the board file), or make a bus of GPIO lines (dtoverlay=i2c-gpio,bus=3 in config.txt), or lower the speed "
      + "(dtparam=i2c_arm_baudrate=10000)"
    finding.remark = remark.map { "\($0); \(text)" } ?? text
    return finding
  }
}
