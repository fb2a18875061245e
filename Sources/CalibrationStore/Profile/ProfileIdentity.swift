/// A magnetometer, told from every other one as far as the chip allows.
public struct SensorIdentity: Equatable, Hashable, Sendable {
  /// The chip's part number.
  public var part: String
  /// The bus it hangs on, `i2c-1` or `spi0.0`.
  public var bus: String?
  /// Its address on the bus, where the bus has addresses.
  public var address: Int?
  /// Its name in the kernel's industrial I/O, where the kernel drives it.
  public var iioName: String?
  /// Its serial number, where the chip has one.
  public var serial: String?

  /// Makes an identity of what is known.
  public init(
    part: String, bus: String? = nil, address: Int? = nil, iioName: String? = nil,
    serial: String? = nil
  ) {
    (self.part, self.bus, self.address) = (part, bus, address)
    (self.iioName, self.serial) = (iioName, serial)
  }
}

/// What a profile belongs to: a sensor on a board, for the board's iron is half of what is calibrated.
public struct ProfileIdentity: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The sensor.
  public var sensor: SensorIdentity
  /// The board's name.
  public var board: String

  /// Makes an identity.
  public init(sensor: SensorIdentity, board: String) {
    (self.sensor, self.board) = (sensor, board)
  }

  /// True for the same sensor on the same board. A serial number decides alone: a sensor that has one is
  /// the same on another bus.
  public func matches(_ other: ProfileIdentity) -> Bool { parts == other.parts }

  /// `MMC5983MA on i2c-1 at 0x30, board navboard`.
  public var description: String {
    var text = sensor.part
    if let serial = sensor.serial { text += " number \(serial)" }
    if let bus = sensor.bus { text += " on \(bus)" }
    if let address = sensor.address { text += " at \(Self.hexadecimal(address))" }
    if let name = sensor.iioName { text += " as \(name)" }
    return text + ", board \(board)"
  }

  /// The name of the folder that holds the identity's profiles: readable, and its own by eight digits.
  public var folderName: String {
    let plain = parts.filter { !$0.isEmpty }.joined(separator: "-").utf8.map { byte -> Character in
      let lower = Character(Unicode.Scalar(byte)).lowercased()
      return "abcdefghijklmnopqrstuvwxyz0123456789".contains(lower) ? Character(lower) : "-"
    }
    // A name in a folder holds 255 bytes (limits.h, NAME_MAX).
    return String(plain.prefix(100)) + "-" + CRC32C.text(parts.joined(separator: "\u{0}").utf8)
  }

  /// What tells one from another.
  private var parts: [String] {
    if let serial = sensor.serial { return [board, sensor.part, "number", serial] }
    return [
      board, sensor.part, sensor.bus ?? "", sensor.address.map(Self.hexadecimal) ?? "",
      sensor.iioName ?? "",
    ]
  }

  static func hexadecimal(_ address: Int) -> String {
    let digits = String(address, radix: 16)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
