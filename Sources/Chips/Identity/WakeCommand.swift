/// The commands that a scan may write to find chips whose identity cannot be read without: they are
/// asleep, or have commands in place of registers. This table has all of them. A command is sent
/// only where the registers read as the sleeping chip's, to no address with a known identity, and
/// not where a kernel driver owns the chip.
public struct WakeCommand: Sendable {
  /// The chip.
  public let model: ChipModel
  /// The registers that read as zero in its sleep; none for a chip without registers, which may not
  /// even answer before the command.
  public let asleep: [UInt8]
  /// The register to write, or the first byte of the command.
  public let register: UInt8
  /// The value that wakes it, or the second byte.
  public let value: UInt8
  /// The value that takes the command back where another chip answers; nil for a command that
  /// changes nothing.
  public let takenBackBy: UInt8?
  /// The time that it takes to wake, nanoseconds.
  public let nanoseconds: UInt64

  /// The commands.
  public static let all = [
    // The power bit. The other chips at 0x10 to 0x13 that are sold on modules (VEML6030, VEML7700,
    // VEML6075 at 0x10; VCNL4010 at 0x13) have no register 0x4B, and the first three take no single
    // bytes. Source: Bosch BST-BMM150-DS001, power control register.
    WakeCommand(
      model: .bmm150, asleep: [0x40, 0x4B], register: 0x4B, value: 0x01,
      takenBackBy: 0x00, nanoseconds: 3_000_000),
    // The command that asks for the identity. To an MCP4725 converter, an Si4713 transmitter and an
    // EZO circuit, which are also sold with 0x63, it is a reserved or unknown command. Source: TDK
    // InvenSense DS-000177, table 14; Microchip DS22039, table 6-2; Silicon Labs AN332; Atlas
    // Scientific EZO data sheets (commands are letters).
    WakeCommand(
      model: .icp10125, asleep: [], register: 0xEF, value: 0xC8, takenBackBy: nil, nanoseconds: 0),
  ]
}
