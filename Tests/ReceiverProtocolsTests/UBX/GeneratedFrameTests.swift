import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct GeneratedFrameTests {
  @Test("Every field of every message equals another decoder's", arguments: generatedFrames)
  func agrees(_ generated: GeneratedFrame) throws {
    let frame = try #require(bytes(hex: generated.hex))
    let found = differences(frame, generated.values, isWhole: generated.isWhole)
    #expect(found.isEmpty, "\(generated.name): \(found)")
  }

  @Test("The comparison detects a wrong value")
  func notices() throws {
    let generated = try #require(generatedFrames.first { $0.name == "NAV-DOP" })
    var frame = try #require(bytes(hex: generated.hex))
    frame[10] ^= 1
    let found = differences(frame, generated.values, isWhole: true)
    #expect(found.count == 1, "\(found)")
  }
}
