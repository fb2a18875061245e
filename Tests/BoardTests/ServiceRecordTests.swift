import Board
import Quantities
import Testing

@Suite("The log of a device that is lost again and again", .timeLimit(.minutes(30)))
struct ServiceRecordTests {
  private static let words = ServiceRecord.Words(
    name: "the chip", back: "is in service", check: "check its wires")

  /// The lines of a day in which the device is lost each `period` seconds for half of it.
  private func lines(period: Double, hours: Double, until end: Double) throws -> [String] {
    var record = ServiceRecord()
    var lines: [String] = []
    let step = period / 4
    for index in 0..<Int(bounded: hours * 3600 / step) {
      let t = Double(index) * step
      let isLost = t < end && index % 4 >= 2
      let line = record.update(
        isLost ? "is lost: no answer" : nil, at: try #require(Timestamp(seconds: t)), Self.words)
      if let line { lines.append(line) }
    }
    return lines
  }

  @Test("a single loss is two lines")
  func single() throws {
    let lines = try lines(period: 4, hours: 0.01, until: 4)
    #expect(lines == ["the chip is lost: no answer", "the chip is in service"])
  }

  @Test("a sick chip is some lines at first, then a line an hour, then that it is steady")
  func sick() throws {
    let lines = try lines(period: 60, hours: 24, until: 20 * 3600)
    #expect(lines.count <= 7 + 24, "\(lines.count) lines")
    #expect(lines[6].hasPrefix("the chip is unsteady: lost 4 times in the last hour, in service"))
    #expect(lines[6].hasSuffix("; check its wires; from now on reported once an hour"))
    // The hour begins at a loss or just after it.
    #expect(
      [59, 60].contains {
        lines[7].hasPrefix(
          "the chip is unsteady: lost \($0) times in the last hour, in service 50 %")
      }, "\(lines[7])")
    #expect(lines.last?.hasPrefix("the chip is in service, lost 0 times in the last hour") == true)
  }

  @Test("the figures are those of the last hour, and of none for a steady device")
  func figures() throws {
    var record = ServiceRecord()
    func update(_ fault: String?, _ seconds: Double) throws {
      _ = record.update(fault, at: try #require(Timestamp(seconds: seconds)), Self.words)
    }
    for loss in 0..<41 {
      try update("is lost", Double(loss) * 20)
      try update(nil, Double(loss) * 20 + 5)
    }
    let now = try #require(Timestamp(seconds: 820))
    let figures = try #require(record.unsteadiness(at: now))
    #expect(figures.losses == 41 && abs(figures.inService - 0.75) < 0.01)
    #expect(figures.text == "lost 41 times in the last hour, in service 75 % of it")
    #expect(record.unsteadiness(at: try #require(Timestamp(seconds: 820 + 3700))) == nil)
  }
}
