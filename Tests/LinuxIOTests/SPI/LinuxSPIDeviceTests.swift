import CLinuxIO
import Chips
import LinuxIO
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("SPI devices of the kernel", .timeLimit(.minutes(30)))
struct LinuxSPIDeviceTests {
  @Test("a transfer is the kernel's structure: buffers, length, clock, eight bits, nothing else")
  func layout() {
    var bytes: [UInt8] = [0x8F, 0]
    var message = [UInt8](repeating: 0xEE, count: Int(LINUXBUS_SPI_MESSAGE_SIZE))
    let address = bytes.withUnsafeMutableBufferPointer { bytes -> UInt64 in
      linuxbus_spi_message(&message, bytes.baseAddress, 2, 1_000_000)
      return UInt64(UInt(bitPattern: bytes.baseAddress))
    }
    // tx_buf, rx_buf, len, speed_hz, delay_usecs, bits_per_word, cs_change and four further bytes.
    let expected =
      littleEndian(address, address) + littleEndian(UInt32(2), 1_000_000) + [
        0, 0, 8, 0, 0, 0, 0, 0,
      ]
    #expect(message == expected)
  }

  @Test("a missing device, and a file that is no SPI device, are errors with a remedy")
  func errors() throws {
    let missing = try failure { _ = try LinuxSPIDevice(path: "/dev/spidev250.9") }
    #expect(missing.kind == .missing)
    let other = try failure { _ = try LinuxSPIDevice(path: "/dev/null") }
    #expect("\(other)".contains("not an SPI device"))
  }

  @Test("devices are found by their names")
  func devices() throws {
    let folder = try TemporaryFolder()
    for name in ["spidev0.1", "spidev0.0", "i2c-1", "spidev10.0"] { try folder.file(name) }
    #expect(
      LinuxSPIDevice.devices(in: folder.path).map { $0.split(separator: "/").last }
        == ["spidev0.0", "spidev0.1", "spidev10.0"])
  }
}
