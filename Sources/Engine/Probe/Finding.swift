import Bus
import Chips

/// What a scan found at one address of a bus.
public struct Finding: Equatable, Sendable {
  /// The bus's device.
  public var bus: String
  /// The address, 7 bits.
  public var address: UInt8
  /// What it is.
  public var device: Device
  /// What a person should know of it: a clone's name, an alternative, a remedy. Nil for nothing.
  public var remark: String?
  /// The chip whose bypass has to be on for this one to answer.
  public var isBehind: ChipModel?

  /// What can be at an address.
  public enum Device: Equatable, Sendable {
    /// A chip that there is a driver for.
    case chip(ChipModel)
    /// A chip that is known by its identity register and has no driver yet.
    case known(String)
    /// A chip that a kernel driver owns: the driver's name, and the chip where it can be read through IIO.
    case kernel(driver: String, ChipModel?)
    /// Something answers that no identity register tells.
    case unknown
  }

  /// The chip, where samples can be read from it.
  public var model: ChipModel? {
    switch device {
    case .chip(let model), .kernel(_, let model?): model
    default: nil
    }
  }

  /// What it is, for people.
  public var name: String {
    switch device {
    case .chip(let model): model.rawValue
    case .known(let name): "\(name), no driver yet"
    case .kernel(let driver, let model?):
      "\(model.rawValue), owned by the kernel's driver \(driver)"
    case .kernel(let driver, nil): "owned by the kernel's driver \(driver)"
    case .unknown: "unknown device"
    }
  }
}
