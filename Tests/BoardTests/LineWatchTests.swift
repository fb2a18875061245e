import Board
import Quantities
import Testing

@Suite("A line that delivers nothing to use", .timeLimit(.minutes(30)))
struct LineWatchTests {
  private func at(_ seconds: Double) throws -> Timestamp {
    try #require(Timestamp(seconds: seconds))
  }

  /// What a line lacks after some seconds of the same each second.
  private func lack(
    _ purpose: LineWatch.Purpose, after seconds: Int, bytes: Int, isSentence: Bool = false,
    isUseful: Bool = false, hasTime: Bool = false, port: String = "/dev/serial0"
  ) throws -> BoardStatus.Lack? {
    var watch = LineWatch(port, for: purpose, at: try at(0))
    for second in 1...seconds {
      watch.add(
        bytes: bytes, isSentence: isSentence, isUseful: isUseful, hasTime: hasTime,
        at: try at(Double(second)))
    }
    return watch.lack(at: try at(Double(seconds)))
  }

  @Test("silence, noise, sentences without use: each with its time and what to check")
  func kinds() throws {
    #expect(try lack(.receiver, after: 9, bytes: 0) == nil)
    let silent = try #require(try lack(.receiver, after: 27, bytes: 0))
    #expect(silent.short == "silent for 20 s")
    #expect(
      silent.text.hasPrefix("/dev/serial0: no data for 20 s; check that the device has power"))
    let noise = try #require(try lack(.receiver, after: 190, bytes: 5))
    #expect(noise.short == "without a valid sentence for 3 min")
    #expect(noise.text.contains("baud rate"))
    #expect(try lack(.receiver, after: 119, bytes: 5, isSentence: true) == nil)
    let lost = try #require(try lack(.receiver, after: 7300, bytes: 5, isSentence: true))
    #expect(lost.short == "without a position for 2 h" && lost.text.contains("neither time nor"))
    let indoors = try #require(
      try lack(.receiver, after: 120, bytes: 5, isSentence: true, hasTime: true))
    #expect(indoors.text.contains("with the time, but no position for 2 min"))
    let compass = try #require(try lack(.compass, after: 10, bytes: 5, isSentence: true))
    #expect(compass.short == "without a heading for 10 s")
    let feed = try #require(try lack(.compass, after: 11, bytes: 0, port: "udp://:1"))
    #expect(feed.text == "udp://:1: no data for 10 s; check that NMEA 0183 is sent there")
  }

  @Test("a useful line lacks nothing, and one that was silent on purpose neither")
  func useful() throws {
    #expect(
      try lack(.receiver, after: 300, bytes: 5, isSentence: true, isUseful: true, hasTime: true)
        == nil)
    var watch = LineWatch("/dev/serial0", for: .receiver, at: try at(0))
    watch.restart(at: try at(100))
    let (early, late) = (try at(109), try at(110))
    #expect(watch.lack(at: early) == nil && watch.lack(at: late) != nil)
  }
}
