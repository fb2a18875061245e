import Board
import Quantities
import Testing

@Suite("A receiver's rest", .timeLimit(.minutes(30)))
struct ReceiverRestTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  private func fix(_ seconds: Double, accuracy: Double? = 5) -> Fix {
    var fix = Fix(timestamp: at(seconds), kind: .threeDimensional)
    fix.position = GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2)
    fix.horizontalAccuracyMetres = accuracy
    return fix
  }

  /// The number of delivered fixes, with one good fix each second.
  private func admitted(by rest: inout ReceiverRest, _ seconds: Range<Int>) -> Int {
    var count = 0
    for second in seconds where rest.admits(fix(Double(second)), at: at(Double(second))) {
      count += 1
    }
    return count
  }

  @Test("without a demand every fix is delivered")
  func continuous() {
    var rest = ReceiverRest()
    #expect(admitted(by: &rest, 0..<200) == 200)
  }

  @Test("each good fix puts it to sleep for the interval")
  func interval() {
    var rest = ReceiverRest()
    rest.want(.every(seconds: 30), at: at(0))
    var admitted: [Int] = []
    for second in 1...100 where rest.admits(fix(Double(second)), at: at(Double(second))) {
      admitted.append(second)
    }
    // A fix each: asleep from the next instant on, for thirty seconds.
    #expect(admitted == [1, 32, 63, 94])
  }

  @Test("it stays awake until a good fix, at most a minute")
  func limit() {
    var rest = ReceiverRest()
    rest.want(.every(seconds: 30), at: at(0))
    var asleep: [Int] = []
    for second in 1...100 {
      _ = rest.admits(fix(Double(second), accuracy: 51), at: at(Double(second)))
      if rest.isAsleep { asleep.append(second) }
    }
    #expect(asleep == Array(60..<90))
  }

  @Test(
    "a coarse fix is delivered before a good one; an unknown accuracy is good enough")
  func coarse() {
    var rest = ReceiverRest()
    rest.want(.every(seconds: 30), at: at(0))
    let coarse = rest.admits(fix(1, accuracy: 400), at: at(1))
    let unstated = rest.admits(fix(2, accuracy: nil), at: at(2))
    let later = rest.admits(fix(3), at: at(3))
    #expect(coarse && unstated && !later)
  }

  @Test("with the demand none it sleeps at once, and a new demand wakes it at once")
  func none() {
    var rest = ReceiverRest()
    #expect(admitted(by: &rest, 1..<2) == 1)
    rest.want(.none, at: at(2))
    #expect(admitted(by: &rest, 3..<90_000) == 0)
    #expect(rest.remaining(at: at(90_000)) == nil)
    rest.want(.continuous, at: at(90_001))
    #expect(admitted(by: &rest, 90_002..<90_003) == 1)
  }

  @Test("an interval below the sleep so far wakes it; below five seconds it does not sleep")
  func shorter() {
    var rest = ReceiverRest()
    rest.want(.every(seconds: 300), at: at(0))
    _ = rest.admits(fix(1), at: at(1))
    rest.advance(to: at(2))
    #expect(rest.isAsleep && rest.remaining(at: at(102)) == 200)
    rest.want(.every(seconds: 60), at: at(102))
    #expect(!rest.isAsleep)
    rest.want(.every(seconds: 4.9), at: at(103))
    #expect(admitted(by: &rest, 104..<200) == 96)
  }
}
