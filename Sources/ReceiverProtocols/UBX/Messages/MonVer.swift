/// MON-VER (0x0A 0x04): versions of firmware and hardware.
/// - Source: u-blox M8 receiver description UBX-13003221, as pyubx2 1.4.0 and ubloxcfg quote it.
public struct MonVer: UBXPayload {
  static var shortestPayload: Int { 40 }

  /// Version of the firmware.
  public let software: UBXText
  /// Version of the hardware.
  public let hardware: UBXText
  /// Further lines, such as protocol version, name of the module and supported systems.
  public let extensions: UBXBlocks<Extension>

  init(_ fields: UBXFields) {
    software = UBXText(fields.bytes(0, count: 30))
    hardware = UBXText(fields.bytes(30, count: 10))
    extensions = UBXBlocks(fields, from: 40)
  }

  /// One further line.
  public struct Extension: UBXBlock {
    /// A block's length.
    public static var size: Int { 30 }
    /// The line.
    public let text: UBXText

    /// Reads a block.
    public init(_ fields: UBXFields, at offset: Int) {
      text = UBXText(fields.bytes(offset, count: Self.size))
    }
  }

  /// The protocol version in hundredths (18.00 is 1800); it determines the supported commands.
  ///
  /// Receivers send it as "PROTVER 18.00" or "PROTVER=27.11"; those before u-blox 7 do not send it.
  public var protocolVersionHundredths: Int? {
    for line in extensions where line.text.begins(with: "PROTVER") {
      let digits = line.text.bytes.dropFirst("PROTVER".utf8.count + 1)
      var (hundredths, decimals): (Int, Int?) = (0, nil)
      for byte in digits {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9") where (decimals ?? 0) < 2 && hundredths < 10_000:
          hundredths = hundredths * 10 + Int(byte - UInt8(ascii: "0"))
          decimals = decimals.map { $0 + 1 }
        case UInt8(ascii: ".") where decimals == nil: decimals = 0
        default: return nil
        }
      }
      guard let decimals, decimals == 2 else { return nil }
      return hundredths
    }
    return nil
  }
}
