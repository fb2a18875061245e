/// The commands that a scan may write to find chips whose identity cannot be read while they are asleep. This
/// table has all of them. A command is sent only where the registers read as the sleeping chip's, to no
/// address with a known identity, and not where a kernel driver owns the chip.
public struct WakeCommand: Sendable {
  /// The chip.
  public let model: ChipModel
  /// The registers that read as zero in its sleep.
  public let asleep: [UInt8]
  /// The register to write; zero puts the chip to sleep again.
  public let register: UInt8
  /// The value that wakes it.
  public let value: UInt8
  /// The time that it takes to wake, nanoseconds.
  public let nanoseconds: UInt64

  /// The commands.
  public static let all = [
    // The power bit. The other chips at 0x10 to 0x13 that are sold on modules (VEML6030, VEML7700, VEML6075
    // at 0x10; VCNL4010 at 0x13) have no register 0x4B, and the first three take no single bytes.
    // Source: Bosch BST-BMM150-DS001, power control register.
    WakeCommand(
      model: .bmm150, asleep: [0x40, 0x4B], register: 0x4B, value: 0x01, nanoseconds: 3_000_000)
  ]
}
