import Chips
import Quantities
import Simulation
import Testing

@Suite("A u-blox receiver on SPI", .timeLimit(.minutes(30)))
struct UBloxSPIPortTests {
  private let device = EmulatedUBloxSPI(EmulatedUBloxReceiver(.m8, port: 4))
  private let port: UBloxSPIPort<EmulatedUBloxSPI>

  init() { port = UBloxSPIPort(device: device) }

  private func read(seconds: Double, size: Int = 100) throws -> [UInt8] {
    try port.read(until: device.now.advanced(bySeconds: seconds), size: size) { device.now }
  }

  private func write(_ bytes: [UInt8]) throws { try port.write(bytes) }

  private func sentences(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes.filter { $0 != 0xFF }, as: UTF8.self).split(separator: "\r\n")
  }

  @Test(
    "reads the stream whole, with at most two bytes of the filler after a group",
    arguments: [1, 7, 32, 33, 100, 4096])
  func stream(size: Int) throws {
    let bytes = try read(seconds: 5.5, size: size)
    let lines = sentences(bytes)
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.hasPrefix("$GNRMC") || $0.hasPrefix("$GNGGA") })
    #expect(bytes.filter { $0 == 0xFF }.count <= 2 * 7)
    #expect(port.name == "/dev/spidev0.0" && port.baud == 0)
  }

  @Test("keeps bytes of 0xFF within a message", arguments: [1, 2, 3, 40])
  func ones(count: Int) throws {
    let frame: [UInt8] = [0xD3, 0, 4] + [UInt8](repeating: 0xFF, count: count) + [7, 0xFF, 0xFF]
    device.receiver.besides = frame
    let bytes = try read(seconds: 0.5)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: frame) })
  }

  @Test("what comes while a message is written is not lost")
  func bothWays() throws {
    // Twice an epoch's bytes, from before its instant until after it.
    _ = try read(seconds: 0.95)
    let payload: [UInt8] = [0xD3, 0x03, 0xE2] + (0..<994).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try write(payload + crc(payload))
    try write(payload + crc(payload))
    #expect(device.receiver.corrections.count == 2)
    #expect(device.receiver.corrections.allSatisfy { $0 == payload + crc(payload) })
    #expect(sentences(try read(seconds: 1)).count == 4)
  }

  private func crc(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << 16
      for _ in 0..<8 { sum = sum & 0x80_0000 == 0 ? sum << 1 : (sum << 1) ^ 0x186_4CFB }
    }
    return [UInt8(sum >> 16 & 0xFF), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
  }

  @Test("gets the answers to commands")
  func answers() throws {
    try write([0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34])
    let bytes = try read(seconds: 0.2)
    #expect(String(decoding: bytes, as: UTF8.self).contains("PROTVER=18.00"))
  }

  @Test("a line that nothing drives has no stream, and is not read all the time")
  func constant() throws {
    for byte in [UInt8(0x00), 0xFF] {
      device.constantByte = byte
      _ = try read(seconds: 1)
      let before = device.bytesExchanged
      #expect(try read(seconds: 1).isEmpty)
      // At 200 kHz 25,000 bytes would fit.
      #expect(device.bytesExchanged - before < 2500)
    }
    device.constantByte = nil
    #expect(sentences(try read(seconds: 2)).count >= 2)
  }

  @Test("a failed transfer is an error, and the next reading goes on")
  func faults() throws {
    _ = try read(seconds: 1)
    device.fault = .failed("a transfer")
    #expect(throws: BusError.self) { _ = try read(seconds: 1) }
    device.fault = nil
    #expect(sentences(try read(seconds: 2)).count >= 2)
  }

  @Test("a wait for data ends at its deadline")
  func deadline() throws {
    _ = try read(seconds: 0.5)
    let end = device.now.advanced(byNanoseconds: 30_000_000)
    var byte: UInt8 = 0
    let count = try withUnsafeMutableBytes(of: &byte) { try port.read(into: $0, until: end) }
    #expect(count == 0 && device.now.seconds(since: end) < 0.002)
  }
}
