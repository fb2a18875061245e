import Quantities
import Testing

@Suite("Fixes", .timeLimit(.minutes(30)))
struct FixTests {
  @Test("a course is usable while its own accuracy, or else the speed, gives it a direction")
  func usableCourse() {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 0), kind: .threeDimensional)
    fix.course = Angle(degrees: 133.2)
    #expect(fix.usableCourse == fix.course)
    for (speed, isUsable) in [(0.02, false), (0.15, false), (0.2, true), (5, true)] {
      fix.speedMetresPerSecond = speed
      #expect((fix.usableCourse != nil) == isUsable, "\(speed) m/s")
    }
    fix.speedAccuracyMetresPerSecond = 4
    #expect(fix.usableCourse == nil)
    // u-blox states 180 degrees at rest, and prints north.
    for (accuracy, isUsable) in [(180.0, false), (36, false), (30, true)] {
      fix.courseAccuracy = Angle(degrees: accuracy)
      #expect((fix.usableCourse != nil) == isUsable, "\(accuracy) degrees")
    }
  }
}
