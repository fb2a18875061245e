import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite struct LoadInterferenceFilterTests {
  static func run(
    seed: Int, gain: SIMD3<Double>, room: (Double, Double) = (2, 1), seconds: Double = 100
  ) -> LoadInterferenceFilter {
    var simulation = MotionSimulation(seed: seed)
    (simulation.gain, simulation.room) = (gain, room)
    var filter = LoadInterferenceFilter(fullLoad: 10)
    simulation.run(seconds: seconds) { filter.update($0, load: $1) }
    return filter
  }

  @Test("in motion the gain lies within two sigma of the truth in 95 of 100 drives")
  func coverage() throws {
    var (hits, count) = (0, 0)
    let gain = SIMD3(16.0, -12.0, 8.0)
    for seed in 0..<100 {
      let found = try Self.run(seed: seed, gain: gain).result()
      for axis in 0..<3 {
        count += 1
        if within(2, found.gain[axis] * 10, gain[axis], found.gainSigma[axis] * 10) { hits += 1 }
      }
    }
    #expect(hits * 100 >= count * 95)
  }

  @Test("a drive without interference is refused, in a room that bends the field slowly too")
  func nothing() {
    for room in [(2.0, 1.0), (4, 3), (8, 3), (2, 10)] {
      for seed in 0..<4 {
        #expect(throws: LoadInterferenceError.self) {
          _ = try Self.run(seed: seed, gain: .zero, room: room).result()
        }
      }
    }
  }

  @Test("a motor that was moved is learnt anew")
  func forgetting() throws {
    var simulation = MotionSimulation(seed: 3)
    var parameters = LoadInterferenceFilter.Parameters()
    parameters.gainDrift = 0.3
    var filter = LoadInterferenceFilter(fullLoad: 10, parameters: parameters)
    simulation.room = (1, 1)
    simulation.gain = SIMD3(20, 0, 0)
    simulation.run(seconds: 300) { filter.update($0, load: $1) }
    #expect((try filter.result().atFullLoad - SIMD3(20, 0, 0)).length < 5)
    simulation.gain = SIMD3(0, 20, 0)
    simulation.run(seconds: 600) { observation, load in
      var later = observation
      later.timestamp = observation.timestamp.advanced(byNanoseconds: 300_000_000_000)
      filter.update(later, load: load)
    }
    #expect((try filter.result().atFullLoad - SIMD3(0, 20, 0)).length < 5)
  }

  @Test("what says nothing is not taken, and a load that has not varied is refused")
  func refusals() {
    var filter = LoadInterferenceFilter(fullLoad: 10)
    let start = Timestamp(nanoseconds: 1_000_000_000)
    var axes: ReferenceAxes? = ReferenceAxes(
      x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), down: SIMD3(0, 0, 1), isYawCarried: false)
    func take(_ load: Double, after step: Int = 0) -> Bool {
      let timestamp = start.advanced(byNanoseconds: UInt64(step) * 200_000_000)
      let field = SIMD3(20.0, 0, 43)
      return filter.update(
        FieldObservation(timestamp: timestamp, field: field, axes: axes), load: load)
    }
    let isTakenUncarried = take(1)
    axes?.isYawCarried = true
    let isTakenWithoutLoad = take(.nan)
    let taken = (0..<100).filter { take(1, after: $0) }
    let isTakenLate = take(1)
    axes = nil
    let isTakenWithoutAxes = take(1, after: 200)
    #expect(!isTakenUncarried && !isTakenWithoutLoad && !isTakenLate && !isTakenWithoutAxes)
    #expect(taken.count == 100)
    #expect(throws: LoadInterferenceError.loadDidNotVary(share: 0, needed: 0.3)) {
      _ = try filter.result()
    }
  }
}
