import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct HeadingTapeTests {
  /// The labels of the tape at 80 columns, one column a degree, with the column of their middle.
  private func labels(heading: Double) -> [String: Int] {
    let row = Array(Screens.plain(Screens.complete(magnetic: heading), 80, 24)[2])
    var result: [String: Int] = [:]
    var start = 0
    while start < row.count {
      guard row[start] != " " else {
        start += 1
        continue
      }
      var end = start
      while end < row.count, row[end] != " " { end += 1 }
      result[String(row[start..<end])] = start + (end - start) / 2
      start = end
    }
    return result
  }

  @Test("The tape wraps at north", arguments: [0.0, 359.9, 355, 5, 0.4])
  func wraps(heading: Double) {
    let found = labels(heading: heading)
    let signed = heading > 180 ? heading - 360 : heading
    for (label, direction) in [("N", 0.0), ("350", -10), ("010", 10), ("340", -20), ("020", 20)] {
      #expect(
        found[label] == 40 + Int(bounded: (direction - signed).rounded()), "\(label) of \(found)")
    }
  }

  @Test("Whole degrees move the labels by whole columns, all round")
  func moves() {
    for heading in stride(from: 0, to: 360, by: 1) {
      let nearest = (heading + 5) / 10 * 10 % 360
      let name: String =
        switch nearest {
        case 0: "N"
        case 90: "E"
        case 180: "S"
        case 270: "W"
        default: FixedPoint.zeroPadded(Int64(nearest), width: 3)
        }
      let offset = (nearest - heading + 540) % 360 - 180
      #expect(labels(heading: Double(heading))[name] == 40 + offset, "\(heading)")
    }
  }

  @Test("The course mark is on the side to turn to")
  func course() {
    var estimate = Screens.complete(magnetic: 359)
    // Ten degrees to the right of the true heading, across north.
    estimate.course = Angle(degrees: 11.6)
    let row = Array(Screens.plain(estimate, 80, 24)[1])
    #expect(row[40] == "▼")
    #expect(row[50] == "◆")
    estimate.trueHeading = nil
    #expect(!Screens.plain(estimate, 80, 24)[1].contains("◆"))
  }

  @Test("An unknown heading has no card")
  func unknown() {
    let lines = Screens.plain(Screens.empty, 80, 24)
    #expect(lines[2].contains("heading not known"))
    #expect(lines.joined().contains("no heading"))
  }
}
