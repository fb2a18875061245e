import ReceiverProtocols
import Testing

/// Every frame equals the one that pyubx2 1.4.0 makes from the same values.
@Suite("UBX commands", .timeLimit(.minutes(30)))
struct UBXCommandTests {
  @Test(
    "Commands have the bytes of an independent library",
    arguments: [
      (UBXCommand.askVersion, "b5620a0400000e34"),
      (UBXCommand.askPort, "b562060000000618"),
      (UBXCommand.askPort(.usb), "b56206000100030a24"),
      (UBXCommand.askRate, "b562060800000e30"),
      (UBXCommand.askNavigation, "b562062400002a84"),
      (UBXCommand.askRate(of: UBXOutputMessage.navigationPVT.name), "b562060102000107113a"),
      (UBXCommand.setRate(of: UBXMessageName(0x01, 0x07), to: 1), "b562060103000107011351"),
      (UBXCommand.setRate(periodMilliseconds: 200), "b56206080600c80001000100de6a"),
      (
        UBXCommand.setDynamicModel(.sea),
        "b5620624240001000500000000000000000000000000000000000000000000000000000000000000000"
          + "05492"
      ),
      (
        UBXCommand.setPort(
          .uart1, baud: 115_200, takes: [.ubx, .nmea, .rtcm3], gives: [.ubx, .nmea]),
        "b5620600140001000000c008000000c201002300030000000000cc5e"
      ),
      (
        UBXCommand.save(to: [.batteryBacked, .flash]),
        "b56206090d00000000001f00000000000000033ed3"
      ),
      (UBXCommand.restart(.cold, by: .software), "b56206040400ffff01000d5f"),
      (UBXCommand.restart(.warm, by: .navigation), "b5620604040001000200116c"),
    ])
  func bytes(command: UBXCommand, expected: String) {
    #expect(hexadecimal(command.bytes) == expected)
  }

  @Test("Commands with keys and values have the bytes of an independent library")
  func values() throws {
    let three = UBXCommand.set(
      [(.measurementPeriod, 200), (.measurementsPerSolution, 1), (.dynamicModel, 4)], in: .ram)
    #expect(
      hexadecimal(try #require(three).bytes)
        == "b562068a15000001000001002130c80002002130010021001120046a27")
    let baud = try #require(UBXConfigurationKey.baud(of: .uart1))
    let line = UBXCommand.set(
      [
        (baud, 115_200), (.sends(.nmea, on: .uart1), 0), (.sends(.ubx, on: .uart1), 1),
        (.reads(.rtcm3, on: .uart1), 1),
      ], in: [.ram, .batteryBacked, .flash])
    #expect(
      hexadecimal(try #require(line).bytes)
        == "b562068a1b00000700000100524000c201000200741000010074100104007310019ca1")
    let get = UBXCommand.get([.measurementPeriod, .rate(of: .navigationPVT, on: .usb)], from: .ram)
    #expect(
      hexadecimal(try #require(get).bytes) == "b562068b0c00000000000100213009009120a951")
    let delete = UBXCommand.delete(
      [.measurementPeriod, .dynamicModel], from: [.batteryBacked, .flash])
    #expect(
      hexadecimal(try #require(delete).bytes) == "b562068c0c000006000001002130210011204802")
    let many = [UBXConfigurationKey](repeating: .dynamicModel, count: UBXCommand.mostItems + 1)
    #expect(UBXCommand.get(many, from: .ram) == nil)
    #expect(UBXCommand.set([(UBXConfigurationKey(number: 1), 0)], in: .ram) == nil)
  }

  @Test(
    "The keys of each message and port are those of the configuration database",
    arguments: [
      (UBXOutputMessage.navigationPVT, [0x2091_0006, 0x2091_0007, 0x2091_0008, 0x2091_0009]),
      (
        UBXOutputMessage.navigationSatellites, [0x2091_0015, 0x2091_0016, 0x2091_0017, 0x2091_0018]
      ),
      (UBXOutputMessage.navigationDOP, [0x2091_0038, 0x2091_0039, 0x2091_003A, 0x2091_003B]),
      (
        UBXOutputMessage.navigationCovariance, [0x2091_0083, 0x2091_0084, 0x2091_0085, 0x2091_0086]
      ),
      (
        UBXOutputMessage.navigationEndOfEpoch, [0x2091_015F, 0x2091_0160, 0x2091_0161, 0x2091_0162]
      ),
      (UBXOutputMessage.timePulse, [0x2091_017D, 0x2091_017E, 0x2091_017F, 0x2091_0180]),
    ])
  func messageKeys(message: UBXOutputMessage, keys: [UInt32]) {
    for (port, key) in zip(UBXPort.allCases, keys) {
      #expect(UBXConfigurationKey.rate(of: message, on: port).number == key)
    }
  }

  @Test("The keys of each protocol and port are those of the configuration database")
  func protocolKeys() {
    let ports: [UBXPort] = [.i2c, .uart1, .uart2, .usb, .spi]
    func numbers(_ key: (UBXPort) -> UBXConfigurationKey) -> [UInt32] {
      ports.map { key($0).number }
    }
    #expect(
      numbers { .reads(.rtcm3, on: $0) } == [
        0x1071_0004, 0x1073_0004, 0x1075_0004, 0x1077_0004, 0x1079_0004,
      ])
    #expect(
      numbers { .sends(.nmea, on: $0) } == [
        0x1072_0002, 0x1074_0002, 0x1076_0002, 0x1078_0002, 0x107A_0002,
      ])
    #expect(UBXConfigurationKey.reads(.ubx, on: .uart1).number == 0x1073_0001)
    #expect(UBXConfigurationKey.baud(of: .uart2)?.number == 0x4053_0001)
    #expect(UBXConfigurationKey.baud(of: .usb) == nil)
  }

  @Test("The size of a value follows from its key")
  func sizes() {
    let sizes: [(UInt32, Int?)] = [
      (0x1073_0001, 1), (0x2011_0021, 1), (0x3021_0001, 2), (0x4052_0001, 4), (0x5005_0024, 8),
      (0x0011_0021, nil),
    ]
    for (number, bytes) in sizes {
      #expect(UBXConfigurationKey(number: number).valueBytes == bytes)
    }
  }

  @Test("Dynamic models have the receivers' numbers and unique names")
  func models() {
    let numbers = ["portable", "", "stationary", "pedestrian", "automotive", "sea"]
    for (number, word) in numbers.enumerated() where !word.isEmpty {
      #expect(UBXDynamicModel(word: word)?.rawValue == UInt8(number))
    }
    #expect(UBXDynamicModel(word: "airborne-4g")?.rawValue == 8)
    #expect(UBXDynamicModel(word: "wrist")?.rawValue == 9)
    #expect(UBXDynamicModel(word: "boat") == nil)
  }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef")
  return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
