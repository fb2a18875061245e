import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct PlainSessionTests {
  private func run(
    _ source: ScriptedCalibration, format: PlainSession<ScriptedCalibration>.Format = .text,
    step: (ScriptedCalibration, Int) -> Bool
  ) throws -> (saved: String?, lines: [String]) {
    var session = PlainSession(source: source, text: Stages.text, format: format)
    var lines: [String] = []
    var count = 0
    let saved = try session.run {
      count += 1
      return step(source, count)
    } tell: {
      lines.append(String(decoding: $0, as: UTF8.self))
    }
    return (saved, lines)
  }

  @Test("It reports a line a second and saves when it is done")
  func done() throws {
    let source = ScriptedCalibration(Stages.turning)
    let result = try run(source) { source, count in
      if count == 2 { source.current = Stages.done }
      return true
    }
    #expect(result.saved == "saved as number 3")
    #expect(result.lines.count == 3)
    #expect(source.calls == ["finish"])
    #expect(
      result.lines[0]
        == "  0:17     64 samples  worst error    16.2°  level    12.0°  poor      for any tilt   "
        + "seen   2 % of all tilts  150° of the level turn  "
        + "Keep it level and turn it right: 120° still missing.")
  }

  @Test("It ends without saving on request and if there is nothing to save")
  func unsaved() throws {
    let source = ScriptedCalibration(Stages.turning)
    #expect(try run(source) { _, count in count < 4 }.lines.count == 4)
    let early = ScriptedCalibration(Stages.still)
    early.reasonForEnd = "the recording is over"
    let result = try run(early) { _, _ in true }
    #expect(result.saved == nil && source.calls.isEmpty && early.calls.isEmpty)
    #expect(result.lines.count == 1 && result.lines[0].hasSuffix("the recording is over"))
  }

  @Test("A failure to save is thrown")
  func refused() {
    let source = ScriptedCalibration(Stages.done)
    source.refusal = .init(description: "the disk is full")
    #expect(throws: ScriptedCalibration.Refusal.self) { try run(source) { _, _ in true } }
  }

  @Test("Lines have the same columns, also in ASCII")
  func columns() {
    let line = CalibrationPlainLine(isASCII: true)
    let lines = Stages.all.map { line.line($0, text: Stages.text) }
    for word in [
      "samples", "worst error", "level ", " for ", "seen", "of all", "of the level turn",
    ] {
      let places = Set(lines.compactMap { $0.firstRange(of: word) })
      #expect(places.count == 1, "\(word): \(places)")
    }
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } })
    #expect(!lines.joined().contains("nan") && !lines.joined().contains("inf"))
  }

  @Test("A line of a simulated calibration starts with a label")
  func simulated() {
    var text = Stages.text
    text.isSimulated = true
    #expect(CalibrationPlainLine().line(Stages.done, text: text).hasPrefix("SIMULATED  "))
  }
}

extension String {
  /// The first position of a word, in characters from the start.
  fileprivate func firstRange(of word: String) -> Int? {
    let (text, word) = (Array(self), Array(word))
    return (0..<max(0, text.count - word.count)).first {
      Array(text[$0..<$0 + word.count]) == word
    }
  }
}
