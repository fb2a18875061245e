import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Fast packets of NMEA 2000", .timeLimit(.minutes(30)))
struct FastPacketTests {
  /// PGN 129039 of an Em-Track B300, in canboat's recording `samples/candumpSample3.txt`.
  private let recorded = canFrames(
    "11F80F2B#A01B12D62E8E0D8E", "11F80F2B#A15E36FFF12B6B1B", "11F80F2B#A2BFFFFF00000600",
    "11F80F2B#A326FFFF007401FF")

  private func add(
    _ frames: [CANFrame], to assembler: inout FastPacket.Assembler, at second: Double = 1
  ) -> [[UInt8]] {
    frames.compactMap { assembler.add($0, at: seconds(second)) }
  }

  @Test("a recorded message is joined as by canboat, and split into the recorded frames")
  func recordedMessage() {
    var assembler = FastPacket.Assembler()
    let messages = add(recorded, to: &assembler)
    #expect(messages == [hexBytes("12d62e8e0d8e5e36fff12b6b1bbfffff0000060026ffff007401ff")])
    let header = MessageHeader(recorded[0].identifier)
    #expect(FastPacket.frames(of: messages[0], header, sequence: 5) == recorded)
  }

  @Test("every length is joined again, also where the frames of three devices alternate")
  func lengths() {
    var assembler = FastPacket.Assembler()
    for length in 0...FastPacket.mostBytes {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let devices = (1...3).map { source in
        FastPacket.frames(
          of: bytes, MessageHeader(priority: 3, pgn: 129_029, source: source),
          sequence: UInt8(length % 8))
      }
      var messages: [[UInt8]] = []
      for index in devices[0].indices {
        messages += add(devices.map { $0[index] }, to: &assembler)
      }
      #expect(messages == [bytes, bytes, bytes], "\(length)")
    }
    #expect(assembler.incomplete == 0)
    let header = MessageHeader(priority: 3, pgn: 129_029, source: 1)
    #expect(FastPacket.frames(of: Array(repeating: 0, count: 224), header, sequence: 0).isEmpty)
  }

  @Test("a message with a missing, repeated, late or foreign frame is discarded")
  func damaged() {
    for missing in recorded.indices {
      var assembler = FastPacket.Assembler()
      var frames = recorded
      frames.remove(at: missing)
      #expect(add(frames, to: &assembler).isEmpty)
      #expect(add(recorded, to: &assembler).count == 1, "the next message is not affected")
    }
    var assembler = FastPacket.Assembler()
    #expect(add([recorded[0], recorded[1], recorded[1], recorded[2]], to: &assembler).isEmpty)
    #expect(add([recorded[3]], to: &assembler).isEmpty && assembler.incomplete == 1)
    _ = add(Array(recorded.prefix(3)), to: &assembler)
    #expect(add([recorded[3]], to: &assembler, at: 3).isEmpty)
    let other = CANFrame(identifier: 0x11F8_0F2C, recorded[3].bytes)
    _ = add(Array(recorded.prefix(3)), to: &assembler)
    #expect(add([other], to: &assembler).isEmpty)
    #expect(add([recorded[3]], to: &assembler).count == 1)
  }

  @Test("random frames are never joined to more than was sent", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var assembler = FastPacket.Assembler()
    for _ in 0..<20_000 {
      let bytes = (0..<Int(generator.next() % 9)).map { _ in
        UInt8(truncatingIfNeeded: generator.next() & 0x2F)
      }
      let source = UInt32(generator.next() % 64)
      let frame = CANFrame(identifier: 0x0DF8_0500 | source, bytes)
      let message = assembler.add(frame, at: seconds(1))
      #expect((message?.count ?? 0) <= FastPacket.mostBytes)
    }
  }
}
