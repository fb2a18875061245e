import Chips

/// A device of an open board that is not in service, or that was lost repeatedly.
public struct DeviceTrouble: Codable, Equatable, Sendable {
  /// The device of a receiver's trouble.
  package static let receiver = "receiver"
  /// The device of what a receiver reports about its antenna and about interference.
  package static let signals = "receiver's signals"
  /// The device of settings that a receiver did not accept.
  package static let setUp = "receiver's set-up"
  /// The device of the trouble with a receiver's corrections.
  package static let corrections = "corrections"

  /// The device of sources of positions that are frozen or contradict themselves.
  package static let positions = "positions"

  /// The chip's name with address and bus, else `receiver`, `receiver's signals`, `receiver's
  /// set-up`, `positions`, `compass`, `data-ready lines`, `pulse` or `corrections`; of several receivers or compasses with
  /// the name.
  public var device: String
  /// What the chip measures; nil for other devices.
  public var quantity: ChipModel.Quantity?
  /// The state in few words, such as `lost` or `silent for 20 s`; nil while the device is in
  /// service.
  public var state: String?
  /// The reason of the state; nil while the device is in service.
  public var fault: String?
  /// The losses of a device that was lost repeatedly, such as `lost 5 times in the last hour, in
  /// service 80 % of it`; nil for a steady device.
  public var losses: String?

  /// Describes the trouble of a device; nil for a steady one in service.
  package init?(
    _ device: String, _ quantity: ChipModel.Quantity? = nil, state: String?, fault: String?,
    losses: BoardStatus.Unsteadiness? = nil
  ) {
    guard state != nil || losses != nil else { return nil }
    (self.device, self.quantity) = (device, quantity)
    (self.state, self.fault, self.losses) = (state, fault, losses?.text)
  }

  /// Whether it is that of a kind of device, also of one of several.
  package func isOf(_ kind: String) -> Bool { device == kind || device.hasPrefix("\(kind) ") }

  /// Some words to display.
  public var text: String {
    "\(device) \([state, losses].compactMap { $0 }.joined(separator: ", "))"
  }
}

// Chips is also built in Embedded Swift, which has no Codable.
extension ChipModel.Quantity: Codable {}
