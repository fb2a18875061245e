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
    /// A chip owned by a kernel driver: the driver's name, and the model if it is readable through IIO, which may be one that
    /// only the kernel has a driver for.
    case kernel(driver: String, ChipModel?)
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
    case .unknown: "unknown device"
    }
  }
}
