import ReceiverProtocols
import TestSupport
import Testing

@Suite("Messages that are not decoded", .timeLimit(.minutes(30)))
struct UndecodedMessagesTests {
  private func undecoded(_ bytes: [UInt8]) -> UndecodedMessages { decode(bytes) { _ in }.undecoded }

  @Test("each type is named with its number, the most frequent first")
  func names() {
    let text =
      sentence("GNDTM,W84,,0.0,N,0.0,E,0.0,W84") + sentence("PUBX,41,1,0007,0003,19200,0")
      + sentence("PSTI,030,1") + sentence("GNDTM,W84,,0.0,N,0.0,E,0.0,W84")
      + sentence("PMTK001,314,3") + sentence("GPHDT,1.0,T")
    #expect(
      undecoded(Array(text.utf8)).description == "GNDTM 2, PUBX,41 1, PSTI,030 1, PMTK001 1")
  }

  @Test("binary frames are named by their protocol, and by their name where it is known")
  func frames() {
    let all =
      frame(0x0215, [1, 2]) + frame(0x0A41, []) + SBFBlocks.measurements
      + bytes("aa44130801000000000000000000000000000000a60e250e")
    #expect(
      undecoded(all).description
        == "UBX-RXM-RAWX 1, UBX 0x0A41 1, SBF 4109 Meas3Ranges 1, NovAtel 1 1")
    #expect(undecoded(SBFBlocks.position).count == 0)
    // An empty NAV-GLNINFO of an AT6558 (casictool's tests), and SkyTraq's acknowledgement of
    // message 2 (AN0028).
    let others =
      bytes("bace080001222890c804000002003090cb26") + bytes("a0a100028302810d0a")
    #expect(undecoded(others).description == "CASIC NAV-GLNINFO 1, SkyTraq 0x83 1")
  }

  @Test("a damaged message and one that is decoded are not counted")
  func decoded() {
    let stream = sentence("GPHDT,1.0,T") + "$GNDTM,W84,,0.0,N,0.0,E,0.0,W84*00\r\n"
    let counts = decode(stream).1
    #expect(counts.undecoded == UndecodedMessages() && counts.undecoded.description.isEmpty)
    #expect(counts.badChecksum == 1)
  }

  @Test("more types than 64 are counted together, and only 16 are listed")
  func limit() {
    let text = (100..<200).map { sentence("PMTK\($0),1") }.joined()
    let undecoded = undecoded(Array(text.utf8))
    #expect(undecoded.entries.count == 64 && undecoded.others == 36 && undecoded.count == 100)
    #expect(undecoded.description.hasSuffix("PMTK115 1, others 84"))
  }

  @Test("the counts of the types agree with those of all undecoded messages")
  func sums() {
    let text = (100..<200).map { sentence("PMTK\($0),1") }.joined()
    let counts = decode(Array(text.utf8) + frame(0x0215, []) + SBFBlocks.measurements) { _ in }
    #expect(
      counts.undecoded.count
        == counts.unregistered + counts.unregisteredUBX + counts.unregisteredOther)
  }

  /// A UBX frame of a type.
  private func frame(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
    let body = [UInt8(type >> 8), UInt8(type & 255), UInt8(payload.count), 0] + payload
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }
}
