import Pipeline
import Quantities
import Testing

@Suite("A mount that has to be found", .timeLimit(.minutes(30)))
struct MountFinderTests {
  private func found(_ force: SIMD3<Double>, seconds: Double = 3) -> AxisMount? {
    var finder = MountFinder()
    for step in 0..<Int(bounded: seconds * 50) {
      let t = Timestamp(nanoseconds: UInt64(step) * 20_000_000)
      if let mount = finder.add(SpecificForce(metresPerSecondSquared: force), at: t) {
        return mount
      }
    }
    return nil
  }

  @Test("each axis along gravity gives the mount with that axis up")
  func axes() throws {
    for axis in 0..<3 {
      for sign in [1.0, -1] {
        var force = SIMD3(1.2, -0.8, 0.9)
        force[axis] = sign * 9.6
        let mount = try #require(found(force))
        var up = SIMD3<Double>.zero
        up[axis] = sign
        #expect((mount.rotation.rotate(up) - SIMD3(0, 0, -1)).length < 1e-12)
      }
    }
  }

  @Test("it does not decide early, on a steep slope, or under strong acceleration")
  func undecided() {
    #expect(found(SIMD3(0, 0, 9.81), seconds: 1.5) == nil)
    #expect(found(SIMD3(6.94, 0, 6.94)) == nil)
    #expect(found(SIMD3(0, 0, 14)) == nil)
  }
}
