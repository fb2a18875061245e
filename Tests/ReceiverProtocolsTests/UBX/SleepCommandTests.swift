import ReceiverProtocols
import Testing

@Suite("Sleep command", .timeLimit(.minutes(30)))
struct SleepCommandTests {
  @Test("The command has sixteen bytes since protocol version 18, and eight before")
  func forms() {
    let new = UBXCommand.sleep(milliseconds: 300_000, protocolMajor: 18)
    #expect(new.payload == [0, 0, 0, 0, 0xE0, 0x93, 4, 0, 6, 0, 0, 0, 8, 0, 0, 0])
    for version in [nil, 14, 17] {
      let old = UBXCommand.sleep(milliseconds: 300_000, protocolMajor: version)
      #expect(old.payload == [0xE0, 0x93, 4, 0, 2, 0, 0, 0])
    }
  }

  @Test("The frame without a time limit equals the one in use for the M8")
  func frame() {
    // Published for instance in Arduino's forum, thread 477859.
    let bytes = UBXCommand.sleep(milliseconds: 0, protocolMajor: nil).bytes
    let known: [UInt8] = [
      0xB5, 0x62, 0x02, 0x41, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x4D,
      0x3B,
    ]
    #expect(bytes == known)
  }
}
