import Chips
import Quantities
import Simulation
import Testing

@Suite("A u-blox receiver on I2C", .timeLimit(.minutes(30)))
struct UBloxI2CPortTests {
  private let bus = EmulatedBus(name: "/dev/i2c-1")
  private let chip: EmulatedUBloxI2C
  private let port: UBloxI2CPort<EmulatedBus>

  init() {
    chip = EmulatedUBloxI2C(EmulatedUBloxReceiver(.m8, port: 0))
    bus.place(chip, at: 0x42)
    port = UBloxI2CPort(bus: bus, address: 0x42)
  }

  private func read(seconds: Double, size: Int = 100) throws -> [UInt8] {
    try port.read(until: bus.now.advanced(bySeconds: seconds), size: size) { bus.now }
  }

  private func write(_ bytes: [UInt8]) throws { try port.write(bytes) }

  private func sentences(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
  }

  @Test("reads the stream whole and without the filler", arguments: [1, 7, 32, 33, 100, 4096])
  func stream(size: Int) throws {
    let lines = sentences(try read(seconds: 5.5, size: size))
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.hasPrefix("$GNRMC") || $0.hasPrefix("$GNGGA") })
    #expect(port.name == "/dev/i2c-1@0x42" && port.baud == 0)
  }

  @Test("keeps bytes of 0xFF that are data")
  func ones() throws {
    let frame: [UInt8] = [0xD3, 0, 4] + [UInt8](repeating: 0xFF, count: 70)
    chip.receiver.besides = frame
    let bytes = try read(seconds: 0.5)
    #expect(Array(bytes.suffix(frame.count)) == frame)
  }

  @Test("writes messages of every length as at least two bytes a transfer")
  func writing() throws {
    for length in [8, 32, 33, 34, 35, 66, 67, 68, 200, 1000] {
      var payload = (0..<length - 6).map { UInt8(truncatingIfNeeded: $0) }
      payload = [0xD3, UInt8((length - 6) >> 8), UInt8((length - 6) & 0xFF)] + payload
      try write(payload + crc(payload))
    }
    #expect(chip.receiver.corrections.count == 10 && chip.receiver.strayBytes == 0)
    #expect(chip.shortWrites == 0)
    // A single byte follows the filler, which no receiver takes for a message.
    try write([0x24])
    #expect(chip.shortWrites == 0 && chip.receiver.strayBytes == 2)
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
    let bytes = try read(seconds: 0.1)
    #expect(bytes.count > 100 && String(decoding: bytes, as: UTF8.self).contains("PROTVER=18.00"))
  }

  @Test("is asked often enough that the receiver does not stop to send")
  func polling() throws {
    _ = try read(seconds: 10)
    #expect(chip.discarded == 0)
  }

  @Test("a fault of any single transfer costs at most the bytes of a transfer or two")
  func faults() throws {
    let clean = try read(seconds: 1.5)
    #expect(sentences(clean).count == 4)
    for index in 0..<bus.transfers {
      for kind in [BusError.Kind.noAnswer, .arbitrationLost, .stuck] {
        let other = UBloxI2CPortTests()
        other.bus.faults.failing = [index: kind]
        let bytes = try other.read(seconds: 3.5)
        #expect(sentences(bytes).filter { clean.starts(with: $0.utf8.prefix(6)) }.count >= 3)
      }
    }
  }

  @Test("a receiver that does not answer is an error, and is read again when it is back")
  func absence() throws {
    _ = try read(seconds: 1)
    bus.faults.absent = [0x42]
    #expect(throws: BusError(.noAnswer, device: "/dev/i2c-1", address: 0x42)) {
      _ = try read(seconds: 2)
    }
    bus.faults.absent = []
    chip.losePower(at: bus.now)
    #expect(sentences(try read(seconds: 1.2)).count >= 2)
  }

  @Test("lines that nothing drives have no data")
  func constant() throws {
    for byte in [UInt8(0x00), 0xFF] {
      bus.faults.constantByte = byte
      #expect(try read(seconds: 0.5).isEmpty)
      #expect(try port.seemsPresent() == false)
    }
    bus.faults.constantByte = nil
    #expect(try port.seemsPresent())
  }

  @Test("a wait for data ends at its deadline")
  func deadline() throws {
    chip.receiver.knowsUBX = true
    _ = try read(seconds: 0.5)
    let end = bus.now.advanced(byNanoseconds: 30_000_000)
    var byte: UInt8 = 0
    let count = try withUnsafeMutableBytes(of: &byte) { try port.read(into: $0, until: end) }
    #expect(count == 0 && bus.now.seconds(since: end) < 0.001)
  }
}
