import Formats
import LinuxIO

/// The outputs of MAVLink.
public struct MAVLinkSettings: Sendable, Equatable {
  /// Where datagrams are sent; nil for nowhere.
  public var destination: DatagramAddress?
  /// A serial line, such as `/dev/serial0:57600`; nil for none.
  public var line: SerialLine?
  /// The number of the vehicle.
  public var system = 1

  static var keys: [ServeKey] {
    [
      .datagrams("mavlink-udp", example: "127.0.0.1:14550", \.mavlink.destination),
      ServeKey(
        "mavlink-serial", allowed: "PORT:BAUD, such as /dev/serial0:57600", \.mavlink.line,
        read: { SerialLine($0).map(Optional.some) }, text: { $0?.description }),
      .number("mavlink-system", 1...255, \.mavlink.system),
    ]
  }
}

/// A serial port and its speed as one text.
public struct SerialLine: Sendable, Equatable, CustomStringConvertible {
  /// The device.
  public let path: String
  /// Bits a second.
  public let baud: Int

  /// Reads `PORT:BAUD`; nil for another text, and for a speed that ports do not have.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), text.hasPrefix("/"),
      let baud = Int(text[text.index(after: colon)...]), LinuxSerialPort.speeds.contains(baud)
    else { return nil }
    (path, self.baud) = (String(text[..<colon]), baud)
  }

  /// The text.
  public var description: String { "\(path):\(baud)" }
}
