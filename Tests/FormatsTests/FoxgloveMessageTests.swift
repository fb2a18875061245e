import Formats
import Testing

@Suite("Foxglove's messages", .timeLimit(.minutes(30)))
struct FoxgloveMessageTests {
  @Test("a channel that does not exist has no topic", arguments: [Int.min, -1, 0, 1000, Int.max])
  func unknown(number: Int) {
    #expect(FoxgloveMessage.topic(ofChannel: number) == nil)
  }

  @Test("channels are numbered from 1")
  func known() {
    #expect(FoxgloveMessage.topic(ofChannel: 1) == ROSTopic.allCases.first)
    #expect(FoxgloveMessage.topic(ofChannel: ROSTopic.allCases.count) == ROSTopic.allCases.last)
  }

  @Test("the server's description has the capabilities, which are demanded, though there are none")
  func description() {
    #expect(
      String(decoding: FoxgloveMessage.serverInfo(version: "1"), as: UTF8.self)
        == "{\"op\":\"serverInfo\",\"name\":\"Lodestar 1\",\"capabilities\":[]}")
  }
}
