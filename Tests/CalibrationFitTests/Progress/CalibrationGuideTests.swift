import CalibrationFit
import Quantities
import Testing

@Suite("Guide of a calibration", .timeLimit(.minutes(30)))
struct CalibrationGuideTests {
  private let guide = CalibrationGuide(mounting: .identity)

  /// A board at an attitude.
  private func observation(
    _ seconds: Double, heading: Double = 0, pitch: Double = 0, roll: Double = 0, rate: Double = 0.5,
    isCarried: Bool = true
  ) -> FieldObservation {
    func turn(_ axis: SIMD3<Double>, _ degrees: Double) -> Matrix3 {
      FieldWorld.matrix(axis * (degrees * .pi / 180))
    }
    let z = turn(SIMD3(0, 0, 1), heading)
    let attitude = z * turn(SIMD3(0, 1, 0), pitch) * turn(SIMD3(1, 0, 0), roll)
    return FieldObservation(
      timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)), field: SIMD3(20, 0, 40),
      axes: ReferenceAxes(
        x: attitude.r0, y: attitude.r1, down: attitude.r2, isYawCarried: isCarried), rate: rate)
  }

  private func place(
    _ guide: CalibrationGuide, _ observation: FieldObservation
  ) throws -> (row: Int, column: Int) {
    let p = guide.progress([observation], outcome: nil, yaw: nil)
    let place = try #require(p.tiltNow)
    #expect(p.sphere.visits[place.row * TiltSphere.columns + place.column] == 1)
    #expect(p.sphere.visits.reduce(0, +) == 1)
    return place
  }

  @Test("rows go from upright to upside down, 20 degrees each")
  func rows() throws {
    #expect(try place(guide, observation(0)).row == 0)
    for row in 0..<9 {
      for side in [-1.0, 1] {
        let tilt = side * (20 * Double(row) + 10)
        #expect(try place(guide, observation(0, roll: tilt)).row == row)
        // Heading plays no part.
        #expect(try place(guide, observation(0, heading: 77, roll: tilt)).row == row)
      }
    }
    #expect(try place(guide, observation(0, roll: 180)).row == 8)
  }

  @Test("columns are the side that points down: forward, right, backward, left")
  func columns() throws {
    // Pitch is up for the nose, roll down for the right side.
    for (pitch, roll, first, last) in [
      (-50.0, 0.0, 17, 0), (0, 50, 4, 4), (50, 0, 8, 9), (0, -50, 13, 13),
    ] {
      for heading in [0.0, 100, 200] {
        let column = try place(guide, observation(0, heading: heading, pitch: pitch, roll: roll))
          .column
        #expect(column == first || column == last, "\(pitch) \(roll): \(column)")
      }
    }
    // A little to the right of the nose, and a little to the left of it.
    let o = FieldObservation(
      timestamp: Timestamp(nanoseconds: 0), field: .zero,
      axes: ReferenceAxes(x: .zero, y: .zero, down: SIMD3(0.7, 0.1, 0.7), isYawCarried: false))
    #expect(try place(guide, o).column == 0)
    var left = o
    left.axes?.down.y = -0.1
    #expect(try place(guide, left).column == 17)
  }

  @Test("a sensor with another mounting has the same sides of the board")
  func mounting() throws {
    for mount in [
      AxisMount.standard, AxisMount(x: .left, y: .down, z: .backward),
      AxisMount(x: .up, y: .right, z: .forward),
    ] {
      let rotation = try #require(mount).rotation
      let turned = CalibrationGuide(mounting: rotation)
      let matrix = Matrix3(rotation.inverse)
      for (pitch, roll) in [(10.0, 3.0), (-50, 3), (3, 50), (50, -3), (5, -50), (100, 60)] {
        let body = observation(0, heading: 40, pitch: pitch, roll: roll)
        let a = try place(guide, body)
        let b = try place(turned, body.along(matrix))
        #expect(a == b)
      }
      var (plain, other): ([FieldObservation], [FieldObservation]) = ([], [])
      for k in 0..<12 {
        let o = observation(Double(k), heading: 15 + 10 * Double(k) + (k > 0 ? 5 : 0))
        plain.append(o)
        other.append(o.along(matrix))
      }
      let ring = turned.progress(other, outcome: nil, yaw: nil).ring
      #expect(ring == guide.progress(plain, outcome: nil, yaw: nil).ring)
    }
  }

  @Test("the ring's bins go clockwise from the first heading, while the board is level")
  func ring() throws {
    var observations: [FieldObservation] = []
    for k in 0..<36 {
      // The first heading begins the first bin, the others are in the middle of theirs.
      observations.append(observation(Double(k), heading: 203 + 10 * Double(k) + (k > 0 ? 5 : 0)))
      let p = guide.progress(observations, outcome: nil, yaw: nil)
      #expect(p.bearingNow == k)
      #expect(p.ring.visits.enumerated().allSatisfy { $0.element == ($0.offset <= k ? 1 : 0) })
      #expect(p.ring.error.allSatisfy { $0 == nil } && p.sphere.error.allSatisfy { $0 == nil })
    }
    // Leaning it is in no bin, nor without a gyroscope.
    observations.append(observation(40, roll: 13))
    #expect(guide.progress(observations, outcome: nil, yaw: nil).bearingNow == nil)
    let bare = guide.progress([observation(0, isCarried: false)], outcome: nil, yaw: nil)
    #expect(bare.bearingNow == nil && bare.ring == LevelRing() && bare.tiltNow != nil)
  }

  @Test("nothing seen is a calibration that has not begun")
  func empty() {
    let p = guide.progress([], outcome: nil, yaw: nil)
    #expect(p == CalibrationProgress() && p.advice == .holdStill && p.quality == .uncalibrated)
  }
}
