import CalibrationFit
import Quantities
import Testing

@Suite("Samples that make no calibration", .timeLimit(.minutes(30)))
struct UselessSamplesTests {
  private func solve(_ observations: [FieldObservation]) throws(CalibrationFitError) {
    _ = try EllipsoidFit().solve(observations)
  }

  @Test("too few samples are rejected with their number")
  func few() throws {
    var world = FieldWorld(seed: 1)
    let observations = world.observations(world.tumble(10))
    #expect(throws: CalibrationFitError.tooFewSamples(found: 10, needed: 24)) {
      try solve(observations)
    }
    #expect(throws: CalibrationFitError.tooFewSamples(found: 0, needed: 24)) { try solve([]) }
  }

  @Test("a board at rest has too little motion")
  func still() throws {
    var world = FieldWorld(seed: 2)
    let observations = world.observations(Array(repeating: .identity, count: 100))
    #expect(
      throws: CalibrationFitError.tooLittleMotion("turn the sensor in all directions")
    ) { try solve(observations) }
  }

  @Test("a constant field while gravity turns is a frozen magnetometer")
  func frozen() throws {
    var world = FieldWorld(seed: 3)
    var observations = world.observations(world.tumble(), gravityNoise: 0)
    for i in observations.indices { observations[i].field = SIMD3(12, -7, 31) }
    #expect(throws: CalibrationFitError.frozenMagnetometer) { try solve(observations) }
    for i in observations.indices { observations[i].axes = observations[0].axes }
    #expect(
      throws: CalibrationFitError.tooLittleMotion("turn the sensor in all directions")
    ) { try solve(observations) }
  }

  @Test("a saturated field is rejected with its share")
  func saturated() throws {
    var world = FieldWorld(seed: 4)
    var observations = world.observations(world.tumble())
    for i in observations.indices {
      observations[i].field.x = min(observations[i].field.x, world.distortion.offset.x + 20)
    }
    var share = 0.0
    do { try solve(observations) } catch {
      guard case .saturated(let found) = error else { throw error }
      share = found
    }
    #expect(share > 0.15 && share < 0.5)
  }

  @Test("fields that lie on no ellipsoid are rejected")
  func inconsistent() throws {
    var random = NumberSequence(seed: 5)
    let observations = (0..<200).map {
      FieldObservation(
        timestamp: Timestamp(nanoseconds: UInt64($0) * 1_000_000_000), field: random.vector() * 60)
    }
    var isRefused = false
    do { try solve(observations) } catch {
      guard case .inconsistent(let share) = error else { throw error }
      isRefused = share > 0.2
    }
    #expect(isRefused)
  }

  @Test("fields that are not finite or implausibly large are ignored")
  func noNumbers() throws {
    var world = FieldWorld(seed: 6)
    var observations = world.observations(world.tumble(), gravityNoise: 0.01)
    for (i, value) in [Double.nan, .infinity, 1e300, -1e200].enumerated() {
      observations[i * 3].field.y = value
      observations[i * 3 + 1].axes?.down = SIMD3(value, 0, 0)
    }
    let solution = try EllipsoidFit().solve(observations)
    #expect(try world.headingError(solution.estimate, tilt: 20) < 1)
  }
}
