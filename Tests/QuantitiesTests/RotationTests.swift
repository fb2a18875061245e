import Quantities
import Testing

/// Figures by scipy 1.17 `spatial.transform.Rotation` unless stated otherwise.
@Suite("Rotations and attitude angles", .timeLimit(.minutes(30)))
struct RotationTests {
  typealias Turn = Rotation<BodyFrame, EarthFrame>

  private func isClose(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double = 1e-8) -> Bool {
    (a - b).length < tolerance
  }

  @Test("a rotation vector makes scipy's quaternion, matrix and image of a vector")
  func rotationVector() {
    let r = Turn(rotationVector: SIMD3(0.3, -0.8, 1.1))
    #expect(abs(r.w - 0.767_143_96) < 1e-8)
    #expect(isClose(r.v, SIMD3(0.138_165_66, -0.368_441_76, 0.506_607_42)))
    #expect(isClose(r.rows.0, SIMD3(0.215_199_20, -0.879_093_63, -0.425_304_24)))
    #expect(isClose(r.rotate(SIMD3(1, 2, 3)), SIMD3(-2.818_900_78, -0.183_383_31, 2.453_603_26)))
  }

  @Test("composition applies the right-hand rotation first")
  func composition() {
    let first = Rotation<SensorFrame, BodyFrame>(rotationVector: SIMD3(0.3, -0.8, 1.1))
    let second = Turn(rotationVector: SIMD3(-1, 0.2, 0.4))
    let both: Rotation<SensorFrame, EarthFrame> = second * first
    #expect(abs(both.w - 0.659_299_21) < 1e-8)
    #expect(isClose(both.v, SIMD3(-0.128_501, 0.025_491_6, 0.740_379_78)))
    let x = SIMD3(0.2, -1, 5)
    #expect(isClose(both.rotate(x), second.rotate(first.rotate(x)), 1e-14))
    #expect(isClose(both.inverse.rotate(both.rotate(x)), x, 1e-14))
  }

  @Test("heading, pitch and roll make scipy's ZYX rotation and come back")
  func attitudeAngles() {
    let angles = AttitudeAngles(
      heading: Angle(degrees: 200), pitch: Angle(degrees: -35), roll: Angle(degrees: 50))
    let r = Turn(angles)
    // scipy gives the same rotation; the quaternion's overall sign is free.
    let sign = (r.w < 0) == (-0.275_247_8 < 0) ? 1.0 : -1.0
    #expect(abs(r.w * sign + 0.275_247_8) < 1e-8)
    #expect(isClose(r.v * sign, SIMD3(0.198_401_31, 0.444_259_53, 0.829_161_65)))
    let back = r.attitudeAngles
    #expect(abs(back.heading.degrees - 200) < 1e-10)
    #expect(abs(back.pitch.degrees + 35) < 1e-10)
    #expect(abs(back.roll.degrees - 50) < 1e-10)
  }

  @Test("with the bow straight up the attitude is finite and roll is zero")
  func straightUp() {
    let r = Turn(
      AttitudeAngles(heading: Angle(degrees: 70), pitch: Angle(degrees: 90), roll: .zero))
    let back = r.attitudeAngles
    #expect(abs(back.pitch.degrees - 90) < 1e-5)
    #expect(abs(back.heading.degrees - 70) < 1e-5)
    #expect(back.roll.degrees == 0)
  }

  @Test("a matrix of any angle gives its rotation back", arguments: [0.1, 1.5, 3.0, 3.14159])
  func fromRows(angle: Double) throws {
    for axis in [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0.6, -0.64, 0.48)] {
      let r = Turn(rotationVector: axis * angle)
      let (a, b, c) = r.rows
      let back = try #require(Turn(rows: a, b, c))
      #expect((back * r.inverse).angle.radians < 1e-9)
    }
  }

  @Test("the shortest turn between two directions is found, opposite ones included")
  func shortestTurn() throws {
    let pairs: [(SIMD3<Double>, SIMD3<Double>)] = [
      (SIMD3(1, 2, 3), SIMD3(-2, 0.5, 1)), (SIMD3(0, 0, 9.81), SIMD3(0, 0, -1)),
      (SIMD3(1, 0, 0), SIMD3(-1, 0, 0)), (SIMD3(1, 1, 1), SIMD3(2, 2, 2)),
    ]
    for (a, b) in pairs {
      let r = try #require(Turn(from: a, to: b))
      let image = r.rotate(a) / a.length
      #expect(isClose(image, b / b.length, 1e-9))
    }
    #expect(Turn(from: .zero, to: SIMD3(1, 0, 0)) == nil)
  }

  @Test("the standard mount turns forward-left-up into forward-right-down")
  func standardMount() throws {
    let mount = try #require(AxisMount(x: .forward, y: .left, z: .up))
    #expect(isClose(mount.rotation.rotate(SIMD3(1, 2, 3)), SIMD3(1, -2, -3), 1e-12))
    #expect(isClose(AxisMount.standard.rotation.rotate(SIMD3(1, 2, 3)), SIMD3(1, -2, -3), 1e-12))
  }

  @Test("of all axis words exactly the 24 right-handed mounts are taken")
  func allMounts() {
    var count = 0
    for x in AxisDirection.allCases {
      for y in AxisDirection.allCases {
        for z in AxisDirection.allCases {
          guard let mount = AxisMount(x: x, y: y, z: z) else { continue }
          count += 1
          #expect(isClose(mount.rotation.rotate(SIMD3(1, 0, 0)), x.unitVector, 1e-12))
          #expect(isClose(mount.rotation.rotate(SIMD3(0, 0, 1)), z.unitVector, 1e-12))
        }
      }
    }
    #expect(count == 24)
  }

  @Test("a left-handed mount is taken where it may be, as a rotation after x is reversed")
  func mirroredMount() throws {
    #expect(AxisMount(x: .backward, y: .left, z: .up) == nil)
    let mount = try #require(AxisMount(x: .backward, y: .left, z: .up, mayMirror: true))
    #expect(mount.isMirrored && !AxisMount.standard.isMirrored)
    // The chip's x, of which the reverse is rotated.
    #expect(
      isClose(mount.rotation.rotate(SIMD3(-1, 0, 0)), AxisDirection.backward.unitVector, 1e-12))
    #expect(AxisMount(x: .forward, y: .forward, z: .up, mayMirror: true) == nil)
  }
}
