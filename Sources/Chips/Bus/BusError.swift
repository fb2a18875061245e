/// Why a transfer or an opening failed. The description is one line with the device and the remedy.
public struct BusError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// The bus, port or chip of lines, such as `/dev/i2c-1`.
  public var device: String
  /// The device's address on a bus, 7 bits; nil for a fault of the whole bus.
  public var address: UInt8?
  /// The system's error number; 0 for none.
  public var code: Int32

  /// Makes an error.
  public init(_ kind: Kind, device: String, address: UInt8? = nil, code: Int32 = 0) {
    self.kind = kind
    self.device = device
    self.address = address
    self.code = code
  }

  /// The kinds of fault, one for each remedy.
  public enum Kind: Equatable, Sendable {
    /// No device answers at the address.
    case noAnswer
    /// Another master took the bus; a second attempt may succeed.
    case arbitrationLost
    /// A line is held low, or the clock is stretched beyond the controller's timeout.
    case stuck
    /// A kernel driver owns the address or the line.
    case ownedByKernel
    /// Another program has opened the port or the line.
    case inUse(String)
    /// The user may not open the device; the associated group may.
    case permissionDenied(group: String)
    /// There is no such device.
    case missing
    /// There is no line of that name.
    case noSuchLine(String)
    /// The device was unplugged.
    case disconnected
    /// The device does not support the operation; with the reason, to display.
    case unsupported(String)
    /// A library loaded at run time is not installed; with its package.
    case libraryMissing(String, package: String)
    /// A peer in the network does not answer or send; the reason with the remedy.
    case network(String)
    /// Another fault; the operation that failed.
    case failed(String)
  }
}

extension BusError: CustomStringConvertible {
  /// One line to display.
  public var description: String {
    let place = address.map { "\(device) address \(Hexadecimal.text($0))" } ?? device
    let what: String =
      switch kind {
      case .noAnswer: "no answer; check the chip's power, its wires and its address"
      case .arbitrationLost: "another master took the bus; try again"
      case .stuck:
        "the bus is stuck; a chip holds a line down or a wire is shorted: take the power from the "
          + "chips and check SDA, SCL and the pull-up resistors"
      case .ownedByKernel:
        "a kernel driver owns it; read it through IIO, or remove the device-tree overlay that binds it"
      case .inUse(let by): "in use by \(by); release it there first"
      case .permissionDenied(let group):
        "permission denied; add yourself to its group (sudo usermod -aG \(group) $USER) and log in again"
      case .missing: "no such device; check the name, and whether the interface is enabled"
      case .noSuchLine(let name): "no line is named '\(name)'; see the names with gpioinfo"
      case .disconnected: "the device is gone; plug it in again"
      case .unsupported(let reason): reason
      case .libraryMissing(let library, let package):
        "\(library) is not installed; sudo apt install \(package)"
      case .network(let reason): reason
      case .failed(let what): "\(what) failed"
      }
    return code == 0 ? "\(place): \(what)" : "\(place): \(what) (error \(code))"
  }
}

/// Bytes as datasheets print them.
public enum Hexadecimal {
  /// `0x1E` for 30.
  public static func text(_ byte: UInt8) -> String {
    "0x" + digit(byte >> 4) + digit(byte & 0x0F)
  }

  private static func digit(_ value: UInt8) -> String {
    String(Unicode.Scalar(value < 10 ? 0x30 + value : 0x37 + value))
  }
}
