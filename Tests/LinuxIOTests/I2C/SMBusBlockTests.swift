import CLinuxIO
import Testing

@Suite("A block read by SMBus", .timeLimit(.minutes(30)))
struct SMBusBlockTests {
  @Test("from an adapter that returns more bytes than requested writes only those")
  func tooMany() {
    var bytes = [UInt8](repeating: 0xEE, count: 300)
    let status = linuxbus_smbus_read_block_by(
      { _, _, _, bytes in
        for index in 0..<Int(UInt8.max) { bytes?[index] = UInt8(index) }
        return Int32(UInt8.max)
      }, 0, 0x3B, 6, &bytes)
    #expect(status == 6 && bytes[..<6] == [0, 1, 2, 3, 4, 5])
    #expect(bytes[6...].allSatisfy { $0 == 0xEE })
  }

  @Test("returns fewer bytes and the adapter's error as they are")
  func fewer() {
    var bytes = [UInt8](repeating: 0xEE, count: 8)
    let two = linuxbus_smbus_read_block_by(
      { _, command, count, bytes in
        bytes?[0] = command
        bytes?[1] = count
        return 2
      }, 0, 7, 6, &bytes)
    #expect(two == 2 && bytes == [7, 6, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE])
    let error = linuxbus_smbus_read_block_by({ _, _, _, _ in -5 }, 0, 7, 6, &bytes)
    #expect(error == -5 && bytes[2] == 0xEE)
  }
}
