import Quantities
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct SimulatedWorldTests {
  @Test("One seed gives one world, bit for bit", arguments: Scenario.library)
  func reproducible(scenario: Scenario) throws {
    let first = try Worlds.samples(scenario, seed: 11, seconds: 20)
    let second = try Worlds.samples(scenario, seed: 11, seconds: 20)
    #expect(first.count == 2001 + 1001 + 501 + 20)
    #expect(first == second)
  }

  @Test("Another seed gives other errors in every sensor, and the same truth")
  func seeds() throws {
    let first = try Worlds.samples(.tableTop, seed: 11, seconds: 5)
    let second = try Worlds.samples(.tableTop, seed: 12, seconds: 5)
    #expect(zip(first.inertial, second.inertial).allSatisfy { $0 != $1 })
    // Steps of 0.15 microtesla may coincide in single samples.
    #expect(first.fields != second.fields)
    #expect(zip(first.pressures, second.pressures).allSatisfy { $0 != $1 })
    let fixes = zip(first.fixes, second.fixes).filter { $0.0.kind != .none }
    #expect(!fixes.isEmpty && fixes.allSatisfy { $0.0.position != $0.1.position })
    let instant = try Worlds.instant(3)
    #expect(
      try Worlds.make(.tableTop, seed: 11).truth(at: instant)
        == Worlds.make(.tableTop, seed: 12).truth(at: instant))
  }

  @Test("A changed or missing sensor leaves the other sensors' errors alone")
  func independentSensors() throws {
    let whole = try Worlds.samples(.sailingBoat, seconds: 10)
    var other = Scenario.sailingBoat
    other.magnetometer?.rateHertz = 80
    other.barometer = nil
    let changed = try Worlds.samples(other, seconds: 10)
    #expect(changed.fields.count == 801)
    #expect(changed.pressures.isEmpty)
    #expect(changed.inertial == whole.inertial)
    #expect(changed.fixes == whole.fixes)
  }

  @Test("Samples come in order of time, at their sensors' rates, without a missing one")
  func order() throws {
    var scenario = Scenario.sailingBoat
    scenario.inertialUnit?.rateHertz = 285.7
    let samples = try Worlds.samples(scenario, seconds: 10)
    for (a, b) in zip(samples, samples.dropFirst()) { #expect(a.timestamp <= b.timestamp) }
    let inertial = samples.inertial
    #expect(inertial.count == 2858)
    for (i, sample) in inertial.enumerated() {
      #expect(abs(sample.timestamp.seconds - Double(i) / 285.7) < 1e-9)
    }
    #expect(samples.fields.count == 501)
    #expect(samples.pressures.count == 251)
  }

  @Test("The board's mounting turns what its sensors read")
  func mounting() throws {
    var scenario = Scenario.tableTop.withoutSensorErrors
    scenario.motion = Motion()
    func force() throws -> SIMD3<Double> {
      let first = try #require(try Worlds.samples(scenario, seconds: 0).inertial.first)
      return try #require(first.specificForce).metresPerSecondSquared
    }
    // Level: +9.81 on the axis that points up.
    #expect(try abs(force().z - 9.8127) < 0.001)
    scenario.mount = try #require(AxisMount(x: .up, y: .left, z: .backward))
    #expect(try abs(force().x - 9.8127) < 0.001)
  }

  @Test("A resting gyroscope measures the earth's rotation, 15 degrees an hour about the pole")
  func earthRate() throws {
    var scenario = Scenario.tableTop.withoutSensorErrors
    let world = try Worlds.make(scenario)
    let truth = world.truth(at: Timestamp(nanoseconds: 0))
    #expect(abs(truth.angularRate.magnitude - 7.292_115e-5) < 1e-12)
    scenario.includesEarthRotation = false
    let still = try Worlds.make(scenario).truth(at: Timestamp(nanoseconds: 0))
    #expect(still.angularRate == .zero)
  }

  @Test("A board without sensors has no samples")
  func empty() throws {
    var scenario = Scenario.tableTop
    scenario.inertialUnit = nil
    scenario.magnetometer = nil
    scenario.barometer = nil
    scenario.receiver = nil
    var world = try Worlds.make(scenario)
    #expect(world.next() == nil)
  }
}
