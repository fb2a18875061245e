/// The address of an NMEA 2000 bus and of one of its devices: `can://INTERFACE[/DEVICE]`, or
/// `can:///PATH` of a Unix socket.
public struct CANAddress: Equatable, Sendable {
  /// The begin of an address.
  package static var scheme: String { "can://" }
  /// The form of an address, for messages.
  public static var form: String {
    "can://INTERFACE[/ADDRESS], such as can://can0 or can://can0/35"
  }

  /// The CAN interface, such as `can0`, or the absolute path of a socket.
  public var interface: String
  /// The address of the device to use, 0 to 253; nil for the best one.
  public var device: UInt8?

  /// Makes an address; by default of the best device.
  public init(interface: String, device: UInt8? = nil) {
    (self.interface, self.device) = (interface, device)
  }

  /// Reads an address; nil for another text.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let place = text.dropFirst(Self.scheme.count)
    if place.hasPrefix("/"), place.count > 1 {
      self.init(interface: String(place))
      return
    }
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    let greatestAddress = 253
    guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= 15,
      parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
    else { return nil }
    var device: UInt8?
    if parts.count == 2 {
      guard let number = UInt8(parts[1]), number <= greatestAddress else { return nil }
      device = number
    }
    self.init(interface: String(parts[0]), device: device)
  }

  /// The complete text of the address.
  public var text: String { Self.scheme + interface + (device.map { "/\($0)" } ?? "") }
}

extension Board.Receiver {
  /// The NMEA 2000 bus that has the receiver; nil where `port` is another one.
  public var can: CANAddress? { CANAddress(port) }
}
