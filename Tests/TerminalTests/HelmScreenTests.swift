import Quantities
import Terminal
import Testing

@Suite("The helm view", .timeLimit(.minutes(30))) struct HelmScreenTests {
  private func screen(
    _ estimate: Estimate?, _ columns: Int = 80, _ rows: Int = 24, glyphs: GlyphSet = .full,
    north: CompassScreen.North = .magnetic, course: CourseToSteer? = nil, age: Double? = nil
  ) -> [String] {
    CompassScreen(glyphs: glyphs, depth: .none, north: north, view: .helm, course: course)
      .lines(estimate, size: .init(columns: columns, rows: rows), age: age)
  }

  private func complete(_ change: (inout Estimate) -> Void = { _ in }) -> Estimate {
    var estimate = Screens.complete(magnetic: 123.4)
    change(&estimate)
    return estimate
  }

  @Test("is exactly as large as the terminal in every state", arguments: [GlyphSet.ascii, .full])
  func size(glyphs: GlyphSet) throws {
    let course = try #require(CourseToSteer("270"))
    let estimates: [Estimate?] = [
      nil, Screens.complete(), Screens.complete(isSimulated: true), Screens.empty,
      Screens.poisoned(), complete { $0.headingState = .late },
    ]
    for estimate in estimates {
      for width in [1, 2, 5, 20, 40, 60, 80, 120, 200] {
        for height in [1, 2, 3, 5, 8, 12, 16, 20, 24, 40, 60] {
          for course in [nil, course] {
            let lines = screen(estimate, width, height, glyphs: glyphs, course: course, age: 1)
            let widths = Set(lines.map { $0.unicodeScalars.count })
            #expect(lines.count == height && widths == [width], "\(width)x\(height): \(widths)")
          }
        }
      }
    }
  }

  @Test("draws the digits larger in a larger window, up to its width")
  func scaling() {
    func inked(_ lines: [String]) -> Int {
      lines.dropFirst().dropLast(2).joined().unicodeScalars.filter {
        "█▀▄".unicodeScalars.contains($0)
      }
      .count
    }
    let sizes = [(40, 12), (60, 20), (80, 24), (120, 40), (200, 60)]
    let amounts = sizes.map { inked(screen(Screens.complete(), $0.0, $0.1)) }
    #expect(amounts == amounts.sorted() && Set(amounts).count == amounts.count, "\(amounts)")
    // At 80 by 24 the figures are at least a third of the window high.
    let rows = screen(Screens.complete()).dropFirst().dropLast(2).filter { $0.contains("█") }
    #expect(rows.count >= 8, "\(rows.count)")
  }

  @Test("has no number where there is no heading, and says so as large as the number")
  func lost() {
    let lost = complete {
      ($0.magneticHeading, $0.trueHeading, $0.headingAccuracy) = (nil, nil, nil)
      ($0.headingState, $0.headingStateSince) = (.lost, Timestamp(nanoseconds: 0))
    }
    let old = screen(Screens.complete(), age: 4)
    for (lines, reason) in [
      (screen(lost), "no heading, the compass is silent for 12 s"),
      (old, "no new estimate for 4 s"), (screen(nil), "no estimate so far"),
      (screen(complete { $0.headingState = .ended }), "no heading, the recording is over"),
    ] {
      #expect(lines.contains { $0.contains(reason) }, "\(lines)")
      // The same drawing for all: only the words differ.
      #expect(Array(lines[2..<20]) == Array(old[2..<20]))
      #expect(lines[2..<20].joined().contains("█"))
    }
    #expect(Array(screen(Screens.complete())[2..<20]) != Array(old[2..<20]))
    #expect(screen(lost, 12, 4).joined().contains("NO HEADING"))
  }

  @Test("shows what is contradicted, late, inaccurate or simulated as a word of blocks")
  func states() throws {
    let plain = screen(Screens.complete(), 120, 40)
    let states: [(Estimate, String)] = [
      (complete { $0.headingState = .contradicted }, "do not steer by it"),
      (complete { $0.tiltContradiction = Angle(degrees: 40) }, "tilt contradicts gravity"),
      (complete { $0.headingState = .late }, "the heading is carried on"),
      (complete { $0.headingAccuracy = Angle(degrees: 31) }, "±31.0° (95 %)"),
      (complete { $0.headingAccuracy = nil }, "accuracy not known"),
      (Screens.complete(isSimulated: true), "SIMULATED"),
    ]
    var words: Set<[String]> = []
    for (estimate, text) in states {
      let lines = screen(estimate, 120, 40)
      #expect(lines.contains { $0.contains(text) }, "\(text)")
      // A word stands below the number, in rows that are empty without one.
      let word = Array(lines[28..<36])
      #expect(word != Array(plain[28..<36]) && word.joined().contains("█"), "\(text)")
      words.insert(word)
    }
    // Contradicted twice, late, inaccurate twice, simulated.
    #expect(words.count == 4)
    #expect(!plain.joined().contains("SIMULATED"))
    let narrow = screen(states[0].0, 60, 20)
    #expect(narrow.joined().contains("CONTRADICTED"))
  }

  @Test(
    "shows the turn to the course to the side of the shorter way",
    arguments: [
      ("135", 11.6, "turn right"), ("100", -23.4, "turn left"), ("350", -133.4, "turn left"),
      ("123.4", 0, "on course"), ("137.6T", 11.6, "turn right"),
    ])
  func turn(course: String, turn: Double, words: String) throws {
    let parsed = try #require(CourseToSteer(course))
    let lines = screen(Screens.complete(magnetic: 123.4), 100, 24, course: parsed)
    #expect(lines.contains { $0.contains(words) }, "\(lines)")
    // The bar: two rows above the free row and the words.
    let bar = Array(lines[20].unicodeScalars)
    let (left, right) = (bar[..<50].filter { $0 == "█" }, bar[51...].filter { $0 == "█" })
    let half = 48.0
    let expected = Int(bounded: (min(1, abs(turn) / 30) * half).rounded())
    #expect(left.count == (turn < 0 ? expected : 0) && right.count == (turn > 0 ? expected : 0))
  }

  @Test("draws no turn to a course without a heading to compare")
  func noTurn() throws {
    let course = try #require(CourseToSteer("90T"))
    let estimate = complete { $0.trueHeading = nil }
    let lines = screen(estimate, course: course)
    #expect(!lines.contains { $0.contains("turn") } && lines.contains { $0.contains("steer true") })
    #expect(!lines[20].contains("█"))
  }

  @Test("takes a course from keys: this heading, three figures, a degree, none")
  func keys() {
    var screen = CompassScreen(view: .helm)
    let estimate = Screens.complete(magnetic: 123.4)
    func press(_ keys: String) { for key in keys.utf8 { screen.press(key, estimate) } }
    press("s")
    #expect(screen.course == CourseToSteer("123"))
    press("++-")
    #expect(screen.course == CourseToSteer("124"))
    press("27")
    #expect(screen.course == CourseToSteer("124"))
    press("0")
    #expect(screen.course == CourseToSteer("270"))
    press("12x")
    #expect(screen.course == CourseToSteer("270"))
    press("t001-=")
    #expect(screen.course == CourseToSteer("1T"))
    press("--")
    #expect(screen.course == CourseToSteer("359T"))
    press("999")
    #expect(screen.course == CourseToSteer("359T"))
    press("x")
    #expect(screen.course == nil)
    press("h")
    #expect(screen.view == .compass)
    // The compass view has no course.
    press("s")
    #expect(screen.course == nil)
  }

  @Test("north, colours and view end a course that is half typed", arguments: ["t", "c", "hh"])
  func halfTyped(key: String) {
    var screen = CompassScreen(view: .helm)
    for key in ("12" + key + "003").utf8 { screen.press(key, nil) }
    #expect(screen.course?.degrees == 3 && screen.view == .helm)
  }

  @Test("reads a course with its north, and no other text")
  func courses() {
    #expect(CourseToSteer("360") == CourseToSteer(degrees: 0, north: .magnetic))
    #expect(CourseToSteer("7.5t") == CourseToSteer(degrees: 7.5, north: .true))
    #expect(CourseToSteer("270M")?.north == .magnetic)
    for text in ["", "T", "361", "-1", "east", "nan", "27O", "1e9"] {
      #expect(CourseToSteer(text) == nil, "\(text)")
    }
  }
}

@Suite("The colours of a theme", .timeLimit(.minutes(30))) struct ThemeContrastTests {
  /// The relative luminance of one of xterm's 256 colours above the first sixteen.
  private func luminance(_ number: Int) -> Double {
    func linear(_ value: Int) -> Double {
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : power((part + 0.055) / 1.055)
    }
    let levels = [0, 95, 135, 175, 215, 255]
    if number >= 232 { return linear(8 + 10 * (number - 232)) }
    let n = number - 16
    return 0.2126 * linear(levels[n / 36]) + 0.7152 * linear(levels[n / 6 % 6])
      + 0.0722 * linear(levels[n % 6])
  }

  /// The power 2.4 of sRGB, by repeated roots: x² times the fifth root of x².
  private func power(_ x: Double) -> Double {
    var root = 1.0
    for _ in 0..<60 { root = (4 * root + x * x / (root * root * root * root)) / 5 }
    return x * x * root
  }

  @Test("have a contrast of 4.5 to their ground for every text", arguments: Theme.allCases)
  func contrast(theme: Theme) {
    for role in Role.allCases where role != .faint {
      let text = [theme.ground(depth: .indexed), theme.graphicRendition(role, depth: .indexed)]
        .joined(separator: ";")
      let parts = text.split(separator: ";").compactMap { Int($0) }
      // Without colours of its own the terminal's are used: white on black of the standard theme.
      var (ink, ground) = (231, 16)
      for (index, part) in parts.enumerated() where part == 5 && index > 0 {
        if parts[index - 1] == 38 { ink = parts[index + 1] }
        if parts[index - 1] == 48 { ground = parts[index + 1] }
      }
      let (a, b) = (luminance(ink), luminance(ground))
      let ratio = (max(a, b) + 0.05) / (min(a, b) + 0.05)
      #expect(ratio >= 4.5, "\(theme) \(role): \(ratio)")
    }
  }
}
