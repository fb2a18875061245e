import Fusion
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct HeadingFilterTests {
  private func passed(_ degrees: [Double], minimum: Double) -> [Double] {
    var filter = HeadingFilter(minimumChange: Angle(degrees: minimum))
    return degrees.filter { filter.passes(Angle(degrees: $0)) }
  }

  @Test("any first heading passes")
  func first() {
    #expect(passed([123], minimum: 180) == [123])
  }

  @Test("a difference is relative to the last passed heading, not to the last one")
  func reference() {
    #expect(passed([10, 10.6, 11.2, 11.8, 12.4], minimum: 1) == [10, 11.2, 12.4])
  }

  @Test("across north the difference is the shorter angle")
  func wrap() {
    #expect(passed([359, 1], minimum: 2) == [359, 1])
    #expect(passed([359, 1], minimum: 2.1) == [359])
    #expect(passed([1, 359], minimum: 2) == [1, 359])
    #expect(passed([350, 170], minimum: 180) == [350, 170])
    #expect(passed([0.5, 359.9, 0.1], minimum: 1) == [0.5])
  }

  @Test("a turn of exactly the minimum passes in whole degrees all around")
  func exact() {
    let steps = (0..<360).map { Double(($0 * 7) % 360) }
    #expect(passed(steps, minimum: 7).count == 360)
    #expect(passed(steps, minimum: 7.001).count == 180)
  }

  @Test("with zero and negative minimums every heading passes", arguments: [0.0, -1.0])
  func none(minimum: Double) {
    #expect(passed([5, 5, 5], minimum: minimum).count == 3)
  }

  @Test("a heading that is not finite never passes and is no reference")
  func notANumber() {
    #expect(passed([.nan, 10, .nan, 10.5, 11], minimum: 1) == [10, 11])
  }

  @Test("after a reset the next heading passes")
  func reset() {
    var filter = HeadingFilter(minimumChange: Angle(degrees: 5))
    let results = [
      filter.passes(Angle(degrees: 20)), filter.passes(Angle(degrees: 21)),
    ]
    filter.reset()
    #expect(results == [true, false])
    #expect(filter.passes(Angle(degrees: 21)) == true)
  }

  @Test("a smaller minimum applies from the last heading that passed")
  func changedMinimum() {
    var filter = HeadingFilter(minimumChange: Angle(degrees: 10))
    #expect(filter.passes(Angle(degrees: 0)) == true)
    #expect(filter.passes(Angle(degrees: 5)) == false)
    filter.minimumChange = Angle(degrees: 5)
    #expect(filter.passes(Angle(degrees: 5)) == true)
  }
}
