import Chips

/// The place of a u-blox receiver on an I2C bus, as a board file names it: `/dev/i2c-1@0x42`.
public struct I2CReceiver: Equatable, Sendable {
  /// The bus.
  public var bus: String
  /// The receiver's address, 7 bits.
  public var address: UInt8

  /// The form of a place, for messages.
  public static var form: String {
    "\(Board.usualBus)@\(Hexadecimal.text(UBloxI2CPort<NoBus>.usualAddress)), a u-blox receiver on an I2C bus"
  }

  /// Reads a place; nil for another text, such as a serial port.
  public init?(_ text: String) {
    guard let at = text.lastIndex(of: "@"), text.hasPrefix("/dev/i2c-"),
      !text[..<at].dropFirst("/dev/i2c-".count).isEmpty
    else { return nil }
    let digits = text[text.index(after: at)...]
    guard digits.hasPrefix("0x"), let address = UInt8(digits.dropFirst(2), radix: 16),
      (0x08...0x77).contains(address)
    else { return nil }
    (bus, self.address) = (String(text[..<at]), address)
  }

  /// Whether a text is meant as such a place.
  static func isNamed(by text: String) -> Bool { text.hasPrefix("/dev/i2c-") }
}

extension Board.Receiver {
  /// The place on an I2C bus; nil for another receiver.
  public var i2c: I2CReceiver? { I2CReceiver(port) }
  /// Whether it is a u-blox receiver on an SPI device, such as `/dev/spidev0.0`.
  public var isOnSPI: Bool { Board.isSPI(port) }
  /// Whether its line has a speed: not in the network, and not on a bus.
  package var hasSpeed: Bool { acceptsCommands && !Board.isOnBus(port) }
}

extension Board {
  /// Whether a receiver's port is on an I2C bus or an SPI device, which have no speed of the
  /// receiver's.
  package static func isOnBus(_ port: String) -> Bool { I2CReceiver(port) != nil || isSPI(port) }
}
