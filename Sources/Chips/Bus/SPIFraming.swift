/// How a chip's registers are transferred over SPI: data of the chip, for `SPIRegisterBus`.
///
/// A transfer begins with the register's number, whose highest bit is set for a read; a chip with
/// registers from 0x80 on drops that bit of their numbers. Every chip samples on the rising edge,
/// with a clock that rests high (mode 3).
public struct SPIFraming: Equatable, Sendable {
  /// The fastest clock that the data sheet allows, hertz.
  public let fastestHertz: UInt32
  /// A bit of the register's number that makes a transfer of several bytes count up; 0 where it
  /// always does.
  let burstBit: UInt8
  /// The bytes without a meaning between the register's number and the data of a read.
  let dummyBytes: Int
  /// Whether the number is a command, without a bit for a read.
  let isCommand: Bool
  /// The bits that configure the interface, such as one that switches I2C off: they are added to
  /// what a driver writes to the register, and removed from what it reads.
  let interface: RegisterSetting?
  /// Whether nothing can be read before these bits are set: they are then written before each read
  /// of one register, because a reset or a brown-out clears them.
  let needsInterface: Bool
  /// A register to read, without a use of its value, before the first transfer and after a reset:
  /// the edge of the chip select switches the chip from I2C to SPI.
  let wakingRead: UInt8?
  /// The register and the value that reset the chip.
  let reset: RegisterSetting?

  init(
    fastestHertz: UInt32, burstBit: UInt8 = 0, dummyBytes: Int = 0, isCommand: Bool = false,
    interface: RegisterSetting? = nil, needsInterface: Bool = false, wakingRead: UInt8? = nil,
    reset: RegisterSetting? = nil
  ) {
    self.fastestHertz = fastestHertz
    self.burstBit = burstBit
    self.dummyBytes = dummyBytes
    self.isCommand = isCommand
    self.interface = interface
    self.needsInterface = needsInterface
    self.wakingRead = wakingRead
    self.reset = reset
  }

  /// Whether a scan may read the chip's identity: not by commands.
  public var isScanned: Bool { !isCommand && !needsInterface }
  /// Whether a dummy byte precedes the data of a read.
  public var hasDummyByte: Bool { dummyBytes > 0 }

  /// The first byte of a transfer.
  func header(_ register: UInt8, reads: Bool, count: Int) -> UInt8 {
    if isCommand { return register }
    return register & 0x7F | (reads ? 0x80 : 0) | (count > 1 ? burstBit : 0)
  }
}
