import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CompassScreenTests {
  @Test("Every screen is exactly as large as the terminal", arguments: [GlyphSet.ascii, .full])
  func size(glyphs: GlyphSet) {
    let estimates = [
      Screens.complete(), Screens.complete(isSimulated: true), Screens.empty, Screens.poisoned(),
    ]
    let columns = [1, 2, 3, 5, 9, 20, 29, 30, 40, 77, 78, 80, 99, 100, 120, 131, 200]
    let rows = [1, 2, 5, 7, 8, 12, 19, 20, 21, 23, 24, 30, 40, 60]
    for estimate in estimates {
      for width in columns {
        for height in rows {
          let lines = CompassScreen(glyphs: glyphs)
            .lines(estimate, size: .init(columns: width, rows: height), age: 9)
          let widths = Set(lines.map { Screens.stripped($0).unicodeScalars.count })
          #expect(lines.count == height && widths == [width], "\(width)x\(height): \(widths)")
        }
      }
    }
    #expect(Screens.plain(Screens.empty, 0, 0).isEmpty)
  }

  @Test("A notice takes the last row of every layout and changes no other, cut at the edge")
  func notice() {
    let text = "/run/lodestar/lodestar.sock: the daemon has ended; reconnecting"
    for (glyphs, mark) in [(GlyphSet.ascii, "..."), (.full, "…")] {
      for (columns, rows) in [(200, 60), (80, 24), (78, 20), (40, 12), (30, 8), (20, 5), (2, 4)] {
        let screen = CompassScreen(glyphs: glyphs, depth: .none)
        let size = CompassScreen.Size(columns: columns, rows: rows)
        let plain = screen.lines(Screens.complete(), size: size)
        let lines = screen.lines(Screens.complete(), size: size, notice: text)
        #expect(lines.count == rows && lines.allSatisfy { $0.unicodeScalars.count == columns })
        #expect(lines.dropLast() == plain.dropLast())
        if columns >= 65 { #expect(lines.last?.hasPrefix(" " + text) == true) }
        if (20..<65).contains(columns) {
          #expect(lines.last?.hasPrefix(" /run/lodestar") == true, "\(lines)")
          #expect(lines.last?.hasSuffix(mark + " ") == true, "\(lines)")
        }
      }
    }
    // The heading of a very low screen stays.
    let low = CompassScreen.Size(columns: 30, rows: 3)
    let screen = CompassScreen()
    #expect(
      screen.lines(Screens.complete(), size: low, notice: text)
        == screen.lines(Screens.complete(), size: low))
  }

  @Test("What is lost stands whole in the first row, without a part of the clock")
  func lostWords() {
    var estimate = Screens.complete()
    estimate.positionState = .lost
    estimate.positionStateSince = Timestamp(nanoseconds: 0)
    let words = "no fix, the receiver is silent or sees too little for 12 s"
    #expect(Screens.plain(estimate, 80, 24)[0].hasSuffix(words + " "))
    #expect(Screens.plain(estimate, 120, 40)[0].contains(words + "  "))
    #expect(Screens.plain(estimate, 120, 40)[0].hasSuffix("UTC "))
  }

  @Test("The screen of 80 by 24 shows every figure")
  func figures() {
    let text = Screens.plain(Screens.complete(), 80, 24).joined(separator: "\n")
    for part in [
      "2025-06-01  12:03:04.6 UTC", "magnetic    ESE", "true  126.0°", "±3.1° (95 %)",
      "calibration assumed", "field       clean", "+0.4°/s right", "+2.0°   right down",
      "-1.2°   bow down", "57° 07.407′ N  011° 59.259′ E", "3D  11 sat  ±3.0 m",
      "12.3 m ±4.0 m  ↓0.7 m/s", "3.2 m/s 6.2 kn", "course 140.0°", "lodestar heading",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("SIMULATED"))
  }

  @Test("Digits five rows high spell the heading")
  func digits() {
    // Two headings that differ in their digits only differ where the digits stand.
    let lines = Screens.plain(Screens.complete(magnetic: 8.8), 80, 24, glyphs: .ascii)
    let eight = ["######", "##  ##", "######", "##  ##", "######"]
    let zero = ["######", "##  ##", "##  ##", "##  ##", "######"]
    for row in 0..<5 {
      let expected =
        zero[row] + " " + zero[row] + " " + eight[row] + " " + (row == 4 ? "##" : "  ") + " "
        + eight[row]
      #expect(lines[4 + row].contains(expected), "\(lines[4 + row])")
    }
  }

  @Test(
    "A simulated estimate is labelled at every size",
    arguments: [(200, 60), (100, 24), (80, 24), (78, 20), (40, 12), (30, 8), (20, 5), (12, 1)])
  func simulated(columns: Int, rows: Int) {
    let text = Screens.plain(Screens.complete(isSimulated: true), columns, rows).joined()
    #expect(text.contains(columns < 20 ? "SIM" : "SIMULATED"))
    #expect(!Screens.plain(Screens.complete(), columns, rows).joined().contains("SIM"))
  }

  @Test("The smallest screens show a complete heading or none")
  func tiny() {
    #expect(Screens.plain(Screens.complete(), 20, 1) == ["123.4° mag ESE ±3.1°"])
    #expect(Screens.plain(Screens.complete(), 6, 1) == ["123.4°"])
    #expect(Screens.plain(Screens.complete(), 4, 1) == ["ESE "])
    #expect(Screens.plain(Screens.complete(), 2, 1) == ["  "])
    #expect(Screens.plain(Screens.complete(isSimulated: true), 12, 1) == ["SIM 123.4°  "])
    #expect(Screens.plain(Screens.complete(isSimulated: true), 1, 1) == ["S"])
    #expect(Screens.plain(Screens.complete(isSimulated: true), 20, 5)[0].hasPrefix("SIMULATED"))
  }

  @Test(
    "What is not known is a dash or words, and never zero or nan",
    arguments: [(120, 40), (80, 24), (40, 12), (20, 5)])
  func unknown(columns: Int, rows: Int) {
    for estimate in [Screens.empty, Screens.poisoned()] {
      let text = Screens.plain(estimate, columns, rows).joined(separator: "\n").lowercased()
      #expect(!text.contains("nan") && !text.contains("inf"))
      #expect(text.contains("—"))
      #expect(!text.contains("0.0") && !text.contains("000"))
    }
  }

  @Test("For an unknown accuracy the reason is shown")
  func accuracy() {
    func row(_ change: (inout Estimate) -> Void) -> String {
      var estimate = Screens.complete()
      estimate.headingAccuracy = nil
      change(&estimate)
      return Screens.plain(estimate, 80, 24).joined(separator: "\n")
    }
    #expect(row { $0.calibration = .uncalibrated }.contains("not known – not calibrated"))
    #expect(row { $0.calibration = nil }.contains("not known – no magnetometer"))
    #expect(row { $0.disturbance = .disturbed }.contains("not known – field disturbed"))
  }

  @Test("Old figures are called old, and a first estimate is waited for")
  func staleness() {
    let fresh = Screens.plain(Screens.complete(), 80, 24, age: 2.9).joined()
    let old = Screens.plain(Screens.complete(), 80, 24, age: 12).joined()
    #expect(!fresh.contains("no new estimate"))
    #expect(old.contains("no new estimate for 12 s"))
    #expect(old.contains("12:03:04.6 UTC") && old.contains("course 140.0°"))
    let simulated = Screens.plain(Screens.complete(isSimulated: true), 80, 24, age: 12)
    #expect(simulated[0].contains("SIMULATED") && simulated[0].contains("for 12 s"))
    #expect(Screens.plain(nil, 80, 24).joined().contains("no estimate so far"))
    #expect(Screens.plain(nil, 40, 12).joined().contains("no estimate so far"))
  }

  @Test("A receiver that searches is no lost one")
  func searching() {
    var estimate = Screens.complete()
    (estimate.fixKind, estimate.positionState) = (nil, .awaited)
    let lines = Screens.plain(estimate, 80, 24)
    #expect(lines.contains { $0.contains("fix") && $0.contains("searching") })
    #expect(!lines[0].contains("no fix"))
  }

  @Test("True north on request, with its own accuracy")
  func north() {
    let screen = CompassScreen(glyphs: .full, depth: .none, north: .true)
    let text = screen.lines(Screens.complete(), size: .init(columns: 80, rows: 24)).joined()
    #expect(text.contains("true        SE "))
    #expect(text.contains("magnetic  123.4°"))
    #expect(text.contains("±3.3°"))
  }

  @Test("In ASCII every byte is below 128, and without colour there is no escape")
  func plainText() {
    for size in [(200, 60), (120, 40), (80, 24), (40, 30), (40, 12), (20, 5)] {
      for estimate in [Screens.complete(isSimulated: true), Screens.empty] {
        let ascii = Screens.plain(estimate, size.0, size.1, glyphs: .ascii, age: 9).joined()
        #expect(ascii.utf8.allSatisfy { (32..<127).contains($0) }, "\(size)")
        #expect(!Screens.plain(estimate, size.0, size.1).joined().contains("\u{1B}"))
      }
    }
  }

  @Test("Every coloured row ends in the terminal's own colours")
  func colours() {
    for theme in Theme.allCases {
      for depth in [ColourDepth.sixteen, .indexed] {
        let lines = CompassScreen(depth: depth, theme: theme)
          .lines(Screens.complete(isSimulated: true), size: .init(columns: 80, rows: 24))
        #expect(lines.contains { $0.contains("\u{1B}[") })
        for line in lines where line.contains("\u{1B}[") {
          let last = line.components(separatedBy: "\u{1B}[").last ?? ""
          #expect(last.hasPrefix("0m"), "\(last)")
        }
      }
    }
  }
}

extension String {
  /// The parts between occurrences of a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = [""]
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) {
        parts.append("")
        rest = rest.dropFirst(separator.count)
      } else {
        parts[parts.count - 1].append(rest.removeFirst())
      }
    }
    return parts
  }
}
