import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct PlainLineTests {
  @Test("A heading's line has all values in the order of the manual")
  func heading() {
    let line = PlainLine().heading(Screens.complete())
    #expect(
      line == "2025-06-01  12:03:04.6 UTC  "
        + "magnetic 123.4°  true 126.0°  ±3.1°   roll  +2.0°  pitch  -1.2°  "
        + "turn  +0.4°/s  alt   12.3 m  57.12345 N  11.98765 E ±3.0 m   3D              clean       "
        + "assumed")
  }

  @Test("A location's line has place, speed and course")
  func location() {
    let line = PlainLine().location(Screens.complete())
    #expect(
      line == "2025-06-01  12:03:04.6 UTC  "
        + "57.12345 N  11.98765 E ±3.0 m   alt   12.3 m ±4.0 m   climb  -0.7 m/s  "
        + "speed   3.2 m/s   6.2 kn  course 140.0°  heading 126.0° true  3D              "
        + "11 satellites")
  }

  @Test("The line of a simulated estimate begins with its mark")
  func simulated() {
    #expect(PlainLine().heading(Screens.complete(isSimulated: true)).hasPrefix("SIMULATED  "))
    #expect(PlainLine().location(Screens.complete(isSimulated: true)).hasPrefix("SIMULATED  "))
  }

  @Test("At a terminal the least important columns are left out until the line fits")
  func width() {
    for width in [60, 80, 100, 132] {
      let line = PlainLine(width: width)
      let (heading, location) = (
        line.heading(Screens.complete(isSimulated: true)),
        line.location(Screens.complete(isSimulated: true))
      )
      #expect(heading.count <= width && location.count <= width)
      #expect(heading.hasPrefix("SIMULATED  ") && location.hasPrefix("SIMULATED  "))
      #expect(heading.contains(" UTC  magnetic 123.4°"))
      #expect(location.contains(" UTC  57.12345 N  11.98765 E"))
    }
    let complete = Screens.complete()
    let usual = PlainLine(width: 80).heading(complete)
    #expect(usual.hasPrefix("2025-06-01  12:03:04.6 UTC  magnetic 123.4°  true 126.0°  ±3.1°"))
    #expect(PlainLine(width: 1000).heading(complete) == PlainLine().heading(complete))
  }

  @Test("An unknown value is a dash, and never zero or nan")
  func unknown() {
    let poisoned = Screens.poisoned()
    let texts = [
      PlainLine().heading(Screens.empty), PlainLine().location(Screens.empty),
      PlainLine().heading(poisoned), PlainLine().location(poisoned),
    ]
    for text in texts {
      #expect(text.contains("—"))
      #expect(!text.lowercased().contains("nan") && !text.contains("inf"))
      #expect(!text.contains("0.0"))
    }
  }

  @Test("Lines of known and unknown values have their columns under each other")
  func columns() {
    for names in [["true", "roll", "pitch", "turn", "alt"], ["alt", "climb", "speed", "course"]] {
      let isHeading = names[0] == "true"
      var unplaced = Screens.complete()
      unplaced.position = nil
      unplaced.altitudeMetres = nil
      unplaced.headingAccuracy = nil
      unplaced.attitude = nil
      let lines = [Screens.complete(), Screens.complete(magnetic: 7.3), unplaced].map {
        isHeading ? PlainLine().heading($0) : PlainLine().location($0)
      }
      for name in names {
        let places = lines.map { line in column(of: name + " ", in: line) }
        #expect(Set(places).count == 1, "\(name): \(places)")
      }
    }
  }

  @Test("Where the locale is not UTF-8 every byte is ASCII")
  func ascii() {
    let line = PlainLine(isASCII: true)
    for estimate in [Screens.complete(), Screens.empty, Screens.poisoned()] {
      #expect(line.heading(estimate).utf8.allSatisfy { $0 < 128 })
      #expect(line.location(estimate).utf8.allSatisfy { $0 < 128 })
    }
  }

  private func column(of word: String, in line: String) -> Int? {
    let (text, word) = (Array(line), Array(word))
    return (0..<max(0, text.count - word.count)).first {
      Array(text[$0..<$0 + word.count]) == word
    }
  }
}
