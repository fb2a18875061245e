import Fusion
import Quantities
import Testing

@Suite("The tendency of the pressure", .timeLimit(.minutes(30)))
struct PressureTendencyTests {
  /// The wording of WMO code table 0200 for changes in the first and the second half.
  @Test(
    "each characteristic of the code table follows from the two halves",
    arguments: [
      (1.0, -0.4, 0), (1.0, 0.0, 1), (1.0, 0.3, 1), (0.8, 0.8, 2), (-0.4, 1.0, 3), (0.0, 1.0, 3),
      (0.3, 1.0, 3), (0.0, 0.0, 4), (0.6, -0.6, 0), (-0.6, 0.6, 5), (-1.0, 0.4, 5), (-1.0, 0.0, 6),
      (-1.0, -0.3, 6), (-0.8, -0.8, 7), (0.4, -1.0, 8), (0.0, -1.0, 8), (-0.3, -1.0, 8),
    ])
  func characteristic(first: Double, second: Double, code: Int) {
    let tendency = PressureTendency(first: first, second: second)
    #expect(tendency.characteristic == code)
    #expect(tendency.hectopascal == first + second)
  }

  private func change(
    minutes: Range<Int>, missing: Range<Int> = 0..<0, _ hectopascal: (Double) -> Double,
    climb: Double? = nil
  ) -> PressureTendency? {
    var history = PressureHistory()
    for minute in minutes where !missing.contains(minute) {
      for second in [0, 20, 40] {
        if let climb { history.add(altitudeMetres: climb * Double(minute)) }
        history.add(
          hectopascal: hectopascal(Double(minute)) + (second == 20 ? 0.3 : -0.15),
          at: Timestamp(nanoseconds: UInt64(minute * 60 + second) * 1_000_000_000))
      }
    }
    return history.tendency
  }

  @Test("three hours give the change of the minutes' means, and less time gives none")
  func history() throws {
    let fall = { (minute: Double) in 1013 - minute / 90 }
    #expect(change(minutes: 500..<670, fall) == nil)
    let tendency = try #require(change(minutes: 500..<690, fall))
    #expect(abs(tendency.hectopascal + 2) < 0.001 && tendency.characteristic == 7)
  }

  @Test("a short gap is bridged, and one at the time that is compared is not")
  func gaps() {
    let steady = { (_: Double) in 1000.0 }
    #expect(change(minutes: 500..<700, missing: 600..<605, steady)?.characteristic == 4)
    #expect(change(minutes: 500..<700, missing: 510..<530, steady) == nil)
    #expect(change(minutes: 500..<900, missing: 600..<850, steady) == nil)
  }

  @Test("a board that climbs has no tendency")
  func climb() {
    let steady = { (_: Double) in 1000.0 }
    #expect(change(minutes: 500..<700, steady, climb: 1) == nil)
    #expect(change(minutes: 500..<700, steady, climb: 0.1) != nil)
  }
}
