import CoreLocation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExtensionValueTests {
  @Test("a quaternion turns right-handed about its axis, and its conjugate turns back")
  func quaternion() {
    let up = CLVector3(x: 0, y: 0, z: 2)
    let quarter = CLQuaternion(degrees: 90, about: up)
    let north = quarter(CLVector3(x: 1, y: 0, z: 0))
    #expect(abs(north.x) < 1e-12 && abs(north.y - 1) < 1e-12)
    let back = quarter.conjugate(north)
    #expect(abs(back.x - 1) < 1e-12 && abs(back.y) < 1e-12)
    let half = (quarter * quarter)(CLVector3(x: 3, y: 0, z: 1))
    #expect(abs(half.x + 3) < 1e-12 && abs(half.z - 1) < 1e-12)
    #expect(CLQuaternion(degrees: 30, about: .zero) == .identity)
    #expect(CLVector3(x: 2, y: 3, z: 6).magnitude == 7)
  }

  @Test("an attitude's identity is level and points to magnetic north")
  func attitude() {
    let level = CLAttitude(rotation: .identity)
    #expect(level.heading == 0 && level.pitch == 0 && level.roll == 0)
    let up = CLVector3(x: 0, y: 0, z: 1)
    // Turned to the right, clockwise from above.
    let east = CLAttitude(rotation: CLQuaternion(degrees: -90, about: up))
    #expect(abs(east.heading - 90) < 1e-9 && abs(east.pitch) < 1e-9)
    let nose = CLAttitude(
      rotation: CLQuaternion(degrees: 20, about: CLVector3(x: 1, y: 0, z: 0)))
    #expect(abs(nose.pitch - 20) < 1e-9)
    let lean = CLAttitude(
      rotation: CLQuaternion(degrees: 10, about: CLVector3(x: 0, y: 1, z: 0)))
    #expect(abs(lean.roll - 10) < 1e-9)
  }

  @Test("the circle of equal errors follows Rayleigh's distribution")
  func circle() {
    let c = CLCovariance(position: .init(eastEast: 4, northNorth: 4, upUp: 1))
    for p in [0.1, 0.5, 0.68, 0.95, 0.999] {
      #expect(abs(c.horizontalRadius(confidence: p) - 2 * (-2 * log(1 - p)).squareRoot()) < 1e-9)
    }
    #expect(c.horizontalRadius(confidence: 0) == 0 && c.horizontalRadius(confidence: -1) == 0)
    #expect(c.horizontalRadius(confidence: 1) == .infinity)
  }

  @Test("the circle of a line of errors is the interval of one normal error")
  func line() {
    let c = CLCovariance(position: .init(eastEast: 0, northNorth: 9, upUp: 1))
    // The two-sided points of the normal distribution.
    let points = [
      (0.5, 0.674_489_75), (0.682_689_49, 1), (0.95, 1.959_963_98), (0.99, 2.575_829_3),
    ]
    for (p, z) in points {
      #expect(abs(c.horizontalRadius(confidence: p) - 3 * z) < 3e-6, "\(p)")
    }
  }

  @Test("a turned ellipse has the circle of the same ellipse along the axes")
  func turned() {
    let straight = CLCovariance(position: .init(eastEast: 25, northNorth: 4, upUp: 1))
    let turned = CLCovariance(
      position: .init(eastEast: 14.5, northNorth: 14.5, upUp: 1, eastNorth: 10.5))
    for p in [0.3, 0.68, 0.9] {
      let (a, b) = (
        straight.horizontalRadius(confidence: p), turned.horizontalRadius(confidence: p)
      )
      #expect(abs(a - b) < 1e-9 * a)
    }
  }
}
