import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CalibrationScreenTests {
  private func plain(
    _ progress: CalibrationProgress, _ columns: Int, _ rows: Int, glyphs: GlyphSet = .full,
    _ change: (inout CalibrationSessionText) -> Void = { _ in }
  ) -> [String] {
    var text = Stages.text
    change(&text)
    return CalibrationScreen(glyphs: glyphs, depth: .none)
      .lines(progress, text: text, size: .init(columns: columns, rows: rows))
  }

  private func trimmed(_ lines: [String]) -> String {
    lines.map { line in
      var line = line
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  private static let texts: [CalibrationSessionText] = {
    var finding = Stages.text
    finding.findings = [CalibrationFinding("A magnet moved near the board.", weight: .warning)]
    finding.isSimulated = true
    var question = Stages.text
    question.question = .savePoor
    question.end = "the sensor is gone"
    var help = Stages.text
    help.showsHelp = true
    var silent = Stages.text
    silent.silentSeconds = 7
    var paused = CalibrationSessionText(sensor: "")
    paused.isPaused = true
    return [Stages.text, finding, question, help, silent, paused]
  }()

  @Test("The screen of 80 by 24 matches the expected drawing")
  func snapshots() {
    #expect(trimmed(plain(Stages.turning, 80, 24, glyphs: .ascii)) == ExpectedScreens.turning)
    #expect(trimmed(plain(Stages.tilting, 80, 24, glyphs: .ascii)) == ExpectedScreens.tilting)
    #expect(trimmed(plain(Stages.done, 80, 24, glyphs: .ascii)) == ExpectedScreens.done)
  }

  @Test("Every screen is exactly as large as the terminal", arguments: [GlyphSet.ascii, .full])
  func size(glyphs: GlyphSet) {
    for progress in Stages.all {
      for text in Self.texts {
        for width in [1, 9, 20, 39, 40, 48, 77, 78, 101, 133] {
          for height in [1, 3, 15, 16, 23, 24, 41] {
            let lines = CalibrationScreen(glyphs: glyphs, depth: .none)
              .lines(progress, text: text, size: .init(columns: width, rows: height))
            let widths = Set(lines.map { $0.unicodeScalars.count })
            #expect(lines.count == height && widths == [width], "\(width)x\(height): \(widths)")
          }
        }
      }
    }
    #expect(plain(Stages.done, 0, 0).isEmpty)
  }

  @Test("In ASCII every byte is below 128, and an unknown value is never zero or nan")
  func plainText() {
    for progress in Stages.all {
      for text in Self.texts {
        for (columns, rows) in [(200, 60), (120, 40), (80, 24), (40, 20), (40, 16), (20, 5)] {
          let ascii = CalibrationScreen(glyphs: .ascii, depth: .none)
            .lines(progress, text: text, size: .init(columns: columns, rows: rows)).joined()
          #expect(ascii.utf8.allSatisfy { (32..<127).contains($0) })
          #expect(!ascii.contains("nan") && !ascii.contains("inf"))
        }
      }
    }
    #expect(!plain(Stages.poisoned, 80, 24).joined().contains("0.0"))
  }

  @Test(
    "A simulated calibration is labelled at every size",
    arguments: [(200, 60), (120, 40), (80, 24), (60, 20), (40, 16), (30, 8), (12, 2)])
  func simulated(columns: Int, rows: Int) {
    for showsHelp in [false, true] {
      let text = plain(Stages.done, columns, rows) {
        $0.isSimulated = true
        $0.showsHelp = showsHelp
      }.joined()
      #expect(text.contains("SIMULATED"))
    }
    #expect(!plain(Stages.done, columns, rows).joined().contains("SIM"))
  }

  @Test(
    "The next step, the error and the exit key are on every usual screen",
    arguments: [(120, 40), (80, 24), (60, 20), (40, 20), (40, 16)])
  func essentials(columns: Int, rows: Int) {
    let lines = plain(Stages.tilting, columns, rows)
    let text = lines.joined(separator: " ")
    #expect(text.contains("◄── Tilt it left side down and turn"))
    #expect(text.contains("fair") && text.contains("1.4°"))
    #expect(columns >= 78 || text.contains("4.4°"))
    #expect(text.contains("[]") && text.contains("><"))
    #expect(lines.last?.contains("q stop") == true && lines.last?.contains("s save") == true)
  }

  @Test("Upright is above, the nose is in the middle, and the board's attitude is marked")
  func orientation() {
    var progress = CalibrationProgress()
    func place(_ row: Int, _ column: Int) -> (column: Int?, row: Int?) {
      progress.tiltNow = (row, column)
      let lines = plain(progress, 80, 24)
      let row = lines.firstIndex { $0.contains("[]") && !$0.contains("now") }
      let column = row.flatMap { row in Array(lines[row]).firstIndex(of: "[") }
      return (column, row)
    }
    let heads = plain(progress, 80, 24)
    let labels = heads.first { $0.contains("points down") } ?? ""
    func label(_ word: String) -> Int? {
      let text = Array(labels)
      let word = Array(word)
      return text.indices.first { text[$0...].starts(with: word) }.map { $0 + word.count / 2 }
    }
    for (word, column) in [("nose", 0), ("right", 4), ("left", 13)] {
      let found = place(4, column)
      #expect(heads[found.row ?? 0].contains("on edge"))
      #expect(abs((found.column ?? -9) - (label(word) ?? 99)) <= 2, "\(word)")
    }
    #expect(heads[place(0, 0).row ?? 0].contains("upright"))
    #expect(heads[place(8, 0).row ?? 0].contains("upside down"))
    #expect(place(4, 9).column == 13, "tail down begins at the left edge")
  }

  @Test("A ring shows each of its bins at every size, the first at its top right")
  func ring() {
    for (columns, rows) in [(78, 24), (100, 30), (120, 40), (200, 60)] {
      for bin in 0..<LevelRing.bins {
        var progress = CalibrationProgress()
        let before = plain(progress, columns, rows)
        progress.ring.visits[bin] = 1
        let after = plain(progress, columns, rows)
        #expect(before != after, "\(bin) at \(columns)x\(rows)")
      }
    }
  }

  @Test("Classes differ without colour, and so do cells that were visited")
  func monochrome() {
    var rows: Set<String> = []
    for degrees in [1.0, 5, 12, 40] {
      for visits in [0, 1] {
        var progress = CalibrationProgress()
        progress.sphere.error[0] = Angle(degrees: degrees).radians
        progress.sphere.visits[0] = visits
        rows.insert(plain(progress, 80, 24, glyphs: .ascii)[5])
      }
    }
    #expect(rows.count == 8)
  }

  @Test("With colours every row ends in the terminal's own colours")
  func colours() {
    for theme in Theme.allCases {
      for depth in [ColourDepth.sixteen, .indexed] {
        let lines = CalibrationScreen(depth: depth, theme: theme)
          .lines(Stages.tilting, text: Stages.text, size: .init(columns: 80, rows: 24))
        #expect(lines.contains { $0.contains("\u{1B}[") })
        for line in lines where line.contains("\u{1B}[") {
          let last = line.lastIndex(of: "\u{1B}").map { line[$0...] } ?? ""
          #expect(last.hasPrefix("\u{1B}[0m"), "\(last)")
        }
      }
    }
  }

  @Test("A long subject is replaced by the sensor's name, never by half a name")
  func subject() {
    let board = String(repeating: "board ", count: 8)
    #expect(plain(Stages.done, 80, 24) { $0.board = board }[0].contains("LIS3MDL  "))
    #expect(plain(Stages.done, 120, 40) { $0.board = board }[0].contains("LIS3MDL, board "))
    let sensor = String(repeating: "sensor ", count: 12)
    #expect(!plain(Stages.done, 80, 24) { $0.sensor = sensor }[0].contains("sensor"))
  }

  @Test("A finding that is too long ends in dots")
  func longFinding() {
    let words = String(repeating: "iron ", count: 60)
    let text = plain(Stages.tilting, 80, 24) { $0.findings = [CalibrationFinding(words)] }
    #expect(text[21].contains("iron") && text[22].contains("iron…"))
  }
}
