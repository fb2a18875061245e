import Formats
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Lodestar as a device of NMEA 2000", .timeLimit(.minutes(30)))
struct NMEA2000DeviceTests {
  private static let name = DeviceName(machine: "machine".utf8)

  /// PGN 127250 without its SID and its values.
  private static let emptyHeading = Array(PGNMessage(.heading).bytes.dropFirst())

  private func instant(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  /// A device that has the address 35 at the second 2.
  private func device() -> NMEA2000Device {
    var device = NMEA2000Device(
      name: Self.name, preferredAddress: 35,
      product: NMEA2000Device.Product(softwareVersion: "1.1.0", serial: "123"))
    _ = device.start(at: instant(1))
    _ = device.advance(to: instant(1.5))
    _ = device.advance(to: instant(2))
    return device
  }

  private func groups(_ frames: [CANFrame]) -> [UInt32] {
    frames.map { MessageHeader($0.identifier).pgn }.reduce(into: []) {
      if $0.last != $1 { $0.append($1) }
    }
  }

  private func estimate(at seconds: Double) -> Estimate {
    var e = Estimate.underway
    e.timestamp = instant(seconds)
    e.fixTimestamp = instant(seconds.rounded(.down))
    return e
  }

  private func request(_ pgn: UInt32, from source: UInt8, to destination: UInt8) -> CANFrame {
    CANFrame(
      identifier: MessageHeader(
        priority: 6, pgn: 59_904, source: source, destination: destination
      ).identifier, (0..<3).map { UInt8(truncatingIfNeeded: pgn >> UInt32(8 * $0)) })
  }

  /// The messages of frames that are fast packets.
  private func joined(_ frames: [CANFrame]) -> [[UInt8]] {
    var assembler = FastPacket.Assembler()
    return frames.compactMap { assembler.add($0, at: instant(1)) }
  }

  @Test("nothing but claims is sent before the device has an address")
  func silence() {
    var device = NMEA2000Device(
      name: Self.name, preferredAddress: 35,
      product: NMEA2000Device.Product(softwareVersion: "", serial: ""))
    #expect(groups(device.start(at: instant(1))) == [59_904])
    #expect(device.frames(for: estimate(at: 1.1), at: instant(1.1)).isEmpty)
    #expect(groups(device.advance(to: instant(1.3))) == [60_928])
    #expect(device.receive(request(126_996, from: 3, to: 255), at: instant(1.4)).isEmpty)
    #expect(groups(device.advance(to: instant(1.6))) == [126_993], "then a heartbeat")
  }

  @Test("in ten seconds each message comes as often as usual, from the own address")
  func rates() {
    var device = device()
    device.set(.sea(at: estimate(at: 100)))
    var counts: [UInt32: Int] = [:]
    for step in 0..<500 {
      let time = 100 + Double(step) / 50
      if step % 50 == 0 {
        device.set(PressureSample(timestamp: instant(time), hectopascal: 1000))
      }
      for frame in device.frames(for: estimate(at: time), at: instant(time)) {
        let header = MessageHeader(frame.identifier)
        #expect(header.source == 35 && header.destination == 255)
        #expect(header.priority == PGN(rawValue: header.pgn)?.priority)
        counts[header.pgn, default: 0] += 1
      }
    }
    // 129029 has seven frames. Estimates come each 20 ms, so that four 129026 a second are 3.8.
    #expect(
      counts == [
        127_250: 100, 127_251: 100, 127_252: 100, 127_257: 10, 127_258: 10, 129_025: 100,
        129_026: 39, 129_029: 70, 126_992: 10, 130_314: 5,
      ], "\(counts)")
  }

  @Test("messages of one estimate have one SID, those of the next one another")
  func sids() {
    var device = device()
    func sids(at time: Double) -> Set<UInt8> {
      Set(
        device.frames(for: estimate(at: time), at: instant(time)).filter {
          [127_250, 127_251, 127_257].contains(MessageHeader($0.identifier).pgn)
        }.map { $0.bytes[0] })
    }
    let all = (0..<600).map { sids(at: 100 + Double($0) / 10) }
    #expect(all.allSatisfy { $0.count == 1 })
    #expect(all[0] != all[1] && all[1] != all[2])
    #expect(all.allSatisfy { $0.allSatisfy { $0 <= 252 } })
  }

  @Test("no value is sent twice: three seconds after the last estimate all are not available")
  func expiry() {
    var device = device()
    _ = device.frames(for: estimate(at: 100), at: instant(100))
    #expect(device.advance(to: instant(102.9)).filter { !isHeartbeat($0) }.isEmpty)
    let lost = device.advance(to: instant(103.1))
    #expect(
      groups(lost.filter { !isHeartbeat($0) }) == [
        127_250, 127_251, 127_252, 127_257, 127_258, 129_025, 129_026, 129_029, 126_992,
      ])
    let heading = lost.first { MessageHeader($0.identifier).pgn == 127_250 }
    #expect(heading.map { Array($0.bytes.dropFirst()) } == Self.emptyHeading)
    let fix = PGNMessage(
      .gnssPosition,
      bytes: joined(lost.filter { MessageHeader($0.identifier).pgn == 129_029 }).first ?? [])
    #expect(fix[code: .method] == PGN.Code.noGNSS && fix[.latitude] == nil)
    #expect(device.advance(to: instant(103.5)).isEmpty)
    #expect(!device.advance(to: instant(104.2)).isEmpty)
    let again = device.frames(for: estimate(at: 105), at: instant(105))
    #expect(groups(again).contains(127_250))
  }

  private func isHeartbeat(_ frame: CANFrame) -> Bool {
    MessageHeader(frame.identifier).pgn == 126_993
  }

  @Test("a value that is not known any more is sent once as not available, then at its interval")
  func lostValue() {
    var device = device()
    _ = device.frames(for: estimate(at: 100), at: instant(100))
    var lost = estimate(at: 100.1).withoutHeading
    lost.headingState = .lost
    let frames = device.frames(for: lost, at: instant(100.1))
    let heading = frames.first { MessageHeader($0.identifier).pgn == 127_250 }
    #expect(heading.map { Array($0.bytes.dropFirst()) } == Self.emptyHeading)
  }

  @Test("the heartbeat comes each minute, counts, and reports a fault")
  func heartbeat() throws {
    var device = device()
    #expect(device.advance(to: instant(61)).isEmpty)
    let first = try #require(device.advance(to: instant(62)).first)
    #expect(first.identifier == 0x1DF0_1123)
    // As canboat 9.0.0 writes it (`heartbeat_frame(35, 1, 60000)`), with 01 for a second one.
    #expect(first.bytes.hex == "60EA01CCFFFFFFFF")
    var lost = estimate(at: 120)
    lost.positionState = .lost
    _ = device.frames(for: lost, at: instant(120))
    let second = try #require(device.advance(to: instant(122)).first)
    #expect(second.bytes.hex == "60EA02DCFFFFFFFF")
  }

  @Test("requests are answered by claim, product information, lists and values, else refused")
  func requests() throws {
    var device = device()
    #expect(
      device.receive(request(60_928, from: 3, to: 255), at: instant(3)) == device.claim.answer)
    let product = joined(device.receive(request(126_996, from: 3, to: 35), at: instant(3)))
    #expect(product.map(\.count) == [134])
    #expect(Array(product[0].prefix(12)) == [0x34, 0x08, 255, 255] + Array("Lodestar".utf8))
    #expect(product[0][36..<41].elementsEqual("1.1.0".utf8) && product[0][41] == 255)
    let lists = joined(device.receive(request(126_464, from: 3, to: 35), at: instant(3)))
    #expect(lists.map { $0[0] } == [0, 1] && lists[0].count == 1 + 3 * 17)
    #expect(lists[0].hex.contains("12F101"), "127250")
    let refused = device.receive(request(127_505, from: 3, to: 35), at: instant(3))
    #expect(refused.map(\.identifier) == [0x18E8_0323])
    #expect(refused[0].bytes.hex == "01FFFFFFFF11F201")
    #expect(device.receive(request(127_505, from: 3, to: 255), at: instant(3)).isEmpty)
    #expect(device.receive(request(126_996, from: 3, to: 36), at: instant(3)).isEmpty)
    _ = device.frames(for: estimate(at: 100), at: instant(100))
    _ = device.receive(request(127_257, from: 3, to: 255), at: instant(100))
    #expect(
      groups(device.frames(for: estimate(at: 100.02), at: instant(100.02))) == [127_257])
  }

  @Test("commands of other devices change nothing and are refused")
  func commands() {
    var device = device()
    let header = MessageHeader(priority: 3, pgn: 126_208, source: 3, destination: 35)
    // A request to send the heading each 50 ms.
    let bytes: [UInt8] = [0, 0x12, 0xF1, 1, 50, 0, 0, 0, 255, 255, 0]
    let answer = FastPacket.frames(of: bytes, header, sequence: 2).flatMap {
      device.receive($0, at: instant(3))
    }
    #expect(joined(answer).map(\.hex) == ["0212F1010400"])
    #expect(answer.map { MessageHeader($0.identifier).destination } == [3])
  }

  @Test(
    "random frames never stop the device or make it send from another address",
    arguments: [1, 2, 3])
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var device = device()
    for step in 0..<10_000 {
      let now = instant(3 + Double(step) * 0.01)
      let pgn = NMEA2000Device.receivedMessages[Int(generator.next() % 4)]
      let header = MessageHeader(
        priority: 6, pgn: pgn.rawValue, source: UInt8(truncatingIfNeeded: generator.next()),
        destination: generator.next() % 2 == 0 ? 255 : 35)
      let bytes = (0..<Int(generator.next() % 9)).map { _ in
        UInt8(truncatingIfNeeded: generator.next())
      }
      let answers = device.receive(CANFrame(identifier: header.identifier, bytes), at: now)
      let own =
        device.claim.address ?? MessageHeader(device.claim.answer.first?.identifier ?? 254).source
      for frame in answers + device.advance(to: now) {
        #expect(MessageHeader(frame.identifier).source == own)
      }
    }
  }
}
