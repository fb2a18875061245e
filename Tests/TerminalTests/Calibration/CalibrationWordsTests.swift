import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CalibrationWordsTests {
  private let words = CalibrationWords(isASCII: false)

  private func advice(_ advice: CalibrationAdvice, bearing: Int? = nil) -> String {
    var progress = CalibrationProgress()
    progress.advice = advice
    progress.bearingNow = bearing
    return words.advice(progress)
  }

  @Test("Advice is an instruction in plain words")
  func advice() {
    #expect(advice(.holdStill) == "Let it lie still for a few seconds.")
    #expect(
      advice(.tilt(down: .forward)) == "Tilt it nose down and turn it all the way round.")
    #expect(advice(.tilt(down: .left)).contains("left side down"))
    #expect(advice(.tilt(down: .up)) == advice(.turnOver))
    #expect(advice(.tilt(down: .down)).contains("upright"))
    #expect(advice(.slower) == "Turn it more slowly.")
    #expect(advice(.leaveDisturbance).contains("go away from it"))
    #expect(advice(.done).hasPrefix("Done"))
  }

  @Test("A missing turn is rounded up to ten degrees, with the side if the bearing is known")
  func missing() {
    let missing = CalibrationAdvice.turnLevel(missing: Angle(degrees: 118))
    #expect(advice(missing) == "Lay it level and turn it round: 120° still missing.")
    #expect(advice(missing, bearing: 5) == "Keep it level and turn it right: 120° still missing.")
    #expect(advice(.turnLevel(missing: .zero)) == "Lay it level and turn it round.")
    #expect(
      advice(.turnLevel(missing: Angle(radians: .nan))) == "Lay it level and turn it round.")
  }

  @Test("Every class has its expected error")
  func meanings() {
    #expect(words.meaning(.good) == "95 of 100 headings within about 3°")
    #expect(words.meaning(.fair, for: .level) == "95 of 100 level headings within about 5°")
    for use in CalibrationUse.allCases {
      #expect(Set(ErrorClass.allCases.map { words.meaning($0, for: use) }).count == 4)
    }
  }

  @Test("An error beyond the prediction limit is not shown as a figure")
  func errors() {
    #expect(words.error(Angle(degrees: 2.84)) == "2.8°")
    #expect(words.error(Angle(degrees: 43)) == "over 25°")
    for bad in [nil, Angle(radians: .nan), Angle(radians: .infinity), Angle(degrees: -1)] {
      #expect(words.error(bad) == "—")
    }
  }

  @Test("Time is minutes and seconds, truncated")
  func time() {
    #expect(words.time(59.99) == "0:59")
    #expect(words.time(60) == "1:00")
    #expect(words.time(3725) == "62:05")
    #expect(words.time(.nan) == "—")
    #expect(words.time(-3) == "0:00")
  }
}
