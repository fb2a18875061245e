import Quantities
import Testing

@Suite("Angles and headings", .timeLimit(.minutes(30)))
struct AngleTests {
  @Test("a turn wraps to 0 up to 360 degrees and to -180 up to 180")
  func wrapping() {
    let cases: [(Double, Double, Double)] = [
      (0, 0, 0), (360, 0, 0), (-1, 359, -1), (180, 180, -180), (-180, 180, -180), (540, 180, -180),
      (725, 5, 5), (359.5, 359.5, -0.5),
    ]
    for (degrees, turn, half) in cases {
      #expect(abs(Angle(degrees: degrees).wrappedToTurn.degrees - turn) < 1e-9)
      #expect(abs(Angle(degrees: degrees).wrappedToHalfTurn.degrees - half) < 1e-9)
    }
  }

  @Test("an angle a hair below zero never wraps to 360")
  func hairBelowZero() {
    #expect(Angle(radians: -1e-20).wrappedToTurn.degrees < 360)
    #expect(MagneticHeading(Angle(radians: -1e-20)).angle.degrees < 360)
  }
}
