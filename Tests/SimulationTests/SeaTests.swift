import Quantities
import RealModule
import Simulation
import Testing

@Suite("A sea", .timeLimit(.minutes(30)))
struct SeaTests {
  private func surface(_ motion: Motion, _ t: Double) -> Double {
    motion.up.waves.reduce(0) {
      $0 + $1.amplitude * Double.sin(2 * .pi * $1.hertz * t + $1.phase)
    }
  }

  @Test(
    "has its significant height and its period", arguments: [(1.5, 5.7), (4, 8.5), (8.5, 11.4)])
  func spectrum(height: Double, period: Double) {
    for seed: UInt64 in 1...3 {
      let system = WaveSystem(heightMetres: height, periodSeconds: period, direction: .zero)
      // A hull of no length follows every wave.
      let motion = Sea([system], hullMetres: 0).motion(along: .standstill, seed: seed)
      var (square, crossings, before) = (0.0, 0, 0.0)
      let steps = 36_000
      for i in 0..<steps {
        let z = surface(motion, Double(i) / 10)
        square += z * z
        if before < 0, z >= 0 { crossings += 1 }
        before = z
      }
      let significant = 4 * (square / Double(steps)).squareRoot()
      #expect(abs(significant / height - 1) < 0.1, "\(significant)")
      // The mean zero-crossing period of JONSWAP is 0.78 of the peak's.
      let mean = Double(steps) / 10 / Double(crossings)
      #expect((0.7...0.95).contains(mean / period), "\(mean)")
    }
  }

  @Test("the bow meets waves from ahead more often than those from astern")
  func encounter() throws {
    let system = WaveSystem(
      heightMetres: 1, periodSeconds: 6, direction: Angle(degrees: 180), spread: .zero)
    func mean(_ course: Double) -> Double {
      let route = Route(
        legs: [Leg(seconds: 100, course: Angle(degrees: course), speedMetresPerSecond: 3)],
        turnSeconds: 1)
      let waves = Sea([system]).motion(along: route, seed: 1).up.waves
      return waves.reduce(0) { $0 + $1.hertz } / Double(waves.count)
    }
    #expect(mean(0) > 1.3 * mean(180))
    // Also where the boat overtakes its waves.
    for course in [0.0, 90, 180, 270] {
      _ = try Worlds.make(.afloat("sea", on: Sea([system]), seed: 1, courses: [course]))
    }
  }

  @Test("slams are felt and leave no change")
  func slams() {
    let sea = Sea(
      [WaveSystem(heightMetres: 0.1, periodSeconds: 4, direction: .zero)], slamsPerMinute: 6)
    let motion = sea.motion(along: .standstill, seed: 2)
    #expect(motion.up.ramps.count > 200)
    let left = (motion.up.ramps + motion.pitch.ramps).reduce(0) { $0 + $1.change }
    #expect(abs(left) < 1e-9)
  }
}
