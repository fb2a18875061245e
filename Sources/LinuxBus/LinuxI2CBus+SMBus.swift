import CLinuxBus

#if canImport(Glibc)
  import Glibc
#endif

/// What an adapter can do.
/// - Source: Linux, include/uapi/linux/i2c.h, I2C_FUNC_.
struct I2CFunctions: OptionSet {
  let rawValue: UInt

  static var raw: Self { Self(rawValue: 0x0000_0001) }
  static var readByte: Self { Self(rawValue: 0x0002_0000) }
  static var writeByte: Self { Self(rawValue: 0x0004_0000) }
  static var readByteData: Self { Self(rawValue: 0x0008_0000) }
  static var writeByteData: Self { Self(rawValue: 0x0010_0000) }
  static var readWordData: Self { Self(rawValue: 0x0020_0000) }
  static var writeWordData: Self { Self(rawValue: 0x0040_0000) }
  static var readBlock: Self { Self(rawValue: 0x0400_0000) }
  static var writeBlock: Self { Self(rawValue: 0x0800_0000) }

  /// One SMBus call of those that move a register's bytes.
  enum Call: Equatable {
    case block(Int)
    case word, byte, command, none

    /// SMBus's longest block (I2C_SMBUS_BLOCK_MAX).
    static var longest: Int { 32 }
  }

  /// The call that moves as much as can be of so many bytes: a block where there is more than one byte,
  /// else a word, so that a chip's two bytes are of one conversion.
  func call(
    reading count: Int
  ) -> Call {
    call(count, block: .readBlock, word: .readWordData, byte: .readByteData)
  }

  /// The call that writes as much as can be; a command where there is no byte.
  func call(writing count: Int) -> Call {
    if count == 0 { return contains(.writeByte) ? .command : .none }
    return call(count, block: .writeBlock, word: .writeWordData, byte: .writeByteData)
  }

  private func call(_ count: Int, block: Self, word: Self, byte: Self) -> Call {
    if count == 1 && contains(byte) { return .byte }
    if contains(block) { return .block(min(count, Call.longest)) }
    if count >= 2 && contains(word) { return .word }
    return contains(byte) ? .byte : .none
  }
}

extension LinuxI2CBus {
  /// Reads from consecutive registers of the selected address; 0, or a negative error number.
  func readBySMBus(_ register: UInt8, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    var done = 0
    while done < count {
      let next = register &+ UInt8(truncatingIfNeeded: done)
      let status: Int32
      switch functions.call(reading: count - done) {
      case .block(let length):
        status = linuxbus_smbus_read_block(file, next, UInt8(length), bytes + done)
        if status == 0 { return -EIO }
        done += Int(status)
      case .word:
        status = linuxbus_smbus_read_word_data(file, next)
        // SMBus sends the low byte first.
        bytes[done] = UInt8(truncatingIfNeeded: status)
        bytes[done + 1] = UInt8(truncatingIfNeeded: status >> 8)
        done += 2
      case .byte:
        status = linuxbus_smbus_read_byte_data(file, next)
        bytes[done] = UInt8(truncatingIfNeeded: status)
        done += 1
      case .command, .none:
        return -EOPNOTSUPP
      }
      if status < 0 { return status }
    }
    return 0
  }

  /// Writes to consecutive registers of the selected address; 0, or a negative error number.
  func writeBySMBus(_ register: UInt8, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let bytes, count > 0 else {
      return functions.call(writing: 0) == .command
        ? linuxbus_smbus_write_byte(file, register) : -EOPNOTSUPP
    }
    var done = 0
    while done < count {
      let next = register &+ UInt8(truncatingIfNeeded: done)
      let status: Int32
      switch functions.call(writing: count - done) {
      case .block(let length):
        status = linuxbus_smbus_write_block(file, next, UInt8(length), bytes + done)
        done += length
      case .word:
        let word = UInt16(bytes[done]) | UInt16(bytes[done + 1]) << 8
        status = linuxbus_smbus_write_word_data(file, next, word)
        done += 2
      case .byte:
        status = linuxbus_smbus_write_byte_data(file, next, bytes[done])
        done += 1
      case .command, .none:
        return -EOPNOTSUPP
      }
      if status < 0 { return status }
    }
    return 0
  }
}
