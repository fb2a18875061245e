/// The identity of a magnetometer, as unique as the chip allows.
public struct SensorIdentity: Equatable, Hashable, Sendable {
  /// The chip's part number.
  public var part: String
  /// The bus, `i2c-1` or `spi0.0`.
  public var bus: String?
  /// Its address on the bus, where the bus has addresses.
  public var address: Int?
  /// Its name in the kernel's Industrial I/O, where a kernel driver reads it.
  public var iioName: String?
  /// Its serial number, where the chip has one.
  public var serial: String?

  /// Makes an identity of the known values.
  public init(
    part: String, bus: String? = nil, address: Int? = nil, iioName: String? = nil,
    serial: String? = nil
  ) {
    (self.part, self.bus, self.address) = (part, bus, address)
    (self.iioName, self.serial) = (iioName, serial)
  }
}

/// The sensor and board of a profile: a calibration corrects the board's iron as well as the
/// sensor.
public struct ProfileIdentity: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The sensor.
  public var sensor: SensorIdentity
  /// The board's name.
  public var board: String

  /// Makes an identity.
  public init(sensor: SensorIdentity, board: String) {
    (self.sensor, self.board) = (sensor, board)
  }

  /// True for the same sensor on the same board. A serial number decides alone: a sensor that has
  /// one is the same on another bus.
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

  /// The name of the folder of the identity's profiles: readable, and unique by eight digits.
  public var folderName: String {
    let plain = parts.filter { !$0.isEmpty }.joined(separator: "-").utf8.map { byte -> Character in
      let lower = Character(Unicode.Scalar(byte)).lowercased()
      return "abcdefghijklmnopqrstuvwxyz0123456789".contains(lower) ? Character(lower) : "-"
    }
    // A file name has at most 255 bytes (limits.h, NAME_MAX).
    return String(plain.prefix(100)) + "-" + CRC32C.text(parts.joined(separator: "\u{0}").utf8)
  }

  /// The values that distinguish sensors.
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
