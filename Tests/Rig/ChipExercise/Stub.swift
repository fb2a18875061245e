import CForcedAddress
import CLinuxIO
import Chips

#if canImport(Glibc)
  import Glibc
#endif

/// A fault of the set-up, as opposed to a failed comparison.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The registers of one emulated chip of i2c-stub, by the SMBus calls that `LinuxI2CBus` makes.
final class Stub {
  private let file: Int32
  /// Where the registers show a second time: the bit that ST's chips and their kernel drivers set
  /// to count up. The stub takes it for another register.
  private let mirror: UInt8

  init(bus: String, address: UInt8, mirror: UInt8) throws {
    file = forced_address_open(bus, address)
    self.mirror = mirror
    if file < 0 { throw Trouble("\(bus) cannot be opened (error \(-file))") }
  }

  deinit { close(file) }

  func load(_ registers: [(UInt8, [UInt8])]) throws {
    for (first, bytes) in registers {
      for bit in Set([0, mirror]) {
        // One by one: the stub's blocks end with a register's number of 0xFF.
        for (index, byte) in bytes.enumerated() {
          let register = (first + UInt8(index)) | bit
          let status = linuxbus_smbus_write_byte_data(file, register, byte)
          if status < 0 { throw Trouble("writing a register (error \(-status))") }
        }
      }
    }
  }

  /// One block, as the drivers read it.
  func read(_ register: UInt8, count: Int) throws -> RegisterBytes {
    var bytes = [UInt8](repeating: 0, count: 32)
    let status = linuxbus_smbus_read_block(file, register | mirror, UInt8(count), &bytes)
    guard Int(status) == count else { throw Trouble("reading a block (\(status))") }
    return RegisterBytes(bytes[..<count])
  }

  /// The value that the kernel's driver wrote to a register.
  func written(_ register: UInt8) throws -> UInt8 {
    let value = linuxbus_smbus_read_byte_data(file, register)
    guard value >= 0 else { throw Trouble("reading a register (error \(-value))") }
    return UInt8(truncatingIfNeeded: value)
  }
}
