import Quantities
import Testing

@Suite("Signed axes", .timeLimit(.minutes(30)))
struct SignedAxesTests {
  @Test("there are 48, all different, half of them mirrored")
  func all() {
    #expect(Set(SignedAxes.all).count == 48)
    #expect(SignedAxes.all.count { $0.isMirrored } == 24)
    for mount in SignedAxes.all {
      #expect(mount.matrix * mount.matrix.transposed == .identity)
      #expect(SignedAxes(axes: mount.axes, signs: mount.signs) == mount)
    }
    #expect(SignedAxes.identity.matrix == .identity)
  }

  @Test("each matrix row and each axis word is the direction of a magnetometer axis")
  func words() throws {
    let mount = try #require(SignedAxes(axes: SIMD3(1, 2, 0), signs: SIMD3(1, -1, -1)))
    #expect(mount.matrix * SIMD3(1, 2, 3) == SIMD3(2, -3, -1))
    #expect(mount.description == "+y,-z,-x")
    #expect(SignedAxes.identity.description == "+x,+y,+z")
  }

  @Test("a repeated axis or an invalid sign makes no mount")
  func refused() {
    #expect(SignedAxes(axes: SIMD3(0, 0, 2), signs: SIMD3(1, 1, 1)) == nil)
    #expect(SignedAxes(axes: SIMD3(0, 1, 3), signs: SIMD3(1, 1, 1)) == nil)
    #expect(SignedAxes(axes: SIMD3(0, -1, 2), signs: SIMD3(1, 1, 1)) == nil)
    #expect(SignedAxes(axes: SIMD3(0, 1, 2), signs: SIMD3(1, 0, 1)) == nil)
    #expect(SignedAxes(axes: SIMD3(0, 1, 2), signs: SIMD3(1, 2, 1)) == nil)
  }
}
