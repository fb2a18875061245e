import Quantities
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ScenarioErrorTests {
  private func parameter(_ change: (inout Scenario) -> Void) throws -> String? {
    var scenario = Scenario.sailingBoat
    change(&scenario)
    do {
      _ = try Worlds.make(scenario)
      return nil
    } catch ScenarioError.parameter(let name, _, _) {
      return name
    }
  }

  @Test("Every scenario of the library can be simulated")
  func library() throws {
    for scenario in Scenario.library { _ = try Worlds.make(scenario) }
    #expect(Set(Scenario.library.map { $0.name }).count == 8)
  }

  @Test("A number that is not finite or absurd is refused by name")
  func names() throws {
    #expect(
      try parameter { $0.magnetometer?.noiseMicrotesla = .nan } == "magnetometer.noiseMicrotesla")
    #expect(try parameter { $0.inertialUnit?.rateHertz = 0 } == "inertialUnit.rateHertz")
    #expect(try parameter { $0.inertialUnit?.rateHertz = .infinity } == "inertialUnit.rateHertz")
    #expect(
      try parameter { $0.inertialUnit?.gyroscope.noiseDensity = -1 }
        == "inertialUnit.gyroscope.noiseDensity")
    #expect(try parameter { $0.barometer?.driftSeconds = 0 } == "barometer.driftSeconds")
    #expect(try parameter { $0.receiver?.latencySeconds = -0.1 } == "receiver.latencySeconds")
    #expect(try parameter { $0.seaLevelHectopascal = 101_325 } == "seaLevelHectopascal")
    #expect(
      try parameter { $0.origin.latitude = Angle(degrees: 89) } == "origin.latitude (rad)")
    #expect(
      try parameter { $0.motion.roll.waves[0].amplitude = .nan } == "motion.roll.waves.amplitude")
    #expect(
      try parameter { $0.magnetometer?.hardIron = MagneticField(microtesla: SIMD3(0, .nan, 0)) }
        == "magnetometer.hardIron.y")
    #expect(try parameter { $0.durationSeconds = -1 } == "durationSeconds")
    #expect(try parameter { $0.motion.route = .standstill } == "motion.route.legs.count")
    #expect(
      try parameter { $0.receiver?.outages = [TimeSpan(fromSeconds: 5, toSeconds: 4)] }
        == "receiver.outages.toSeconds")
  }

  @Test("A message names the parameter, its value and the bounds")
  func message() {
    let error = ScenarioError.parameter(name: "receiver.noiseMetres", value: -2, expected: 0...9)
    #expect(
      error.description.contains("receiver.noiseMetres is -2.0; give a number from 0.0 to 9.0"))
  }

  @Test("A route that reverses is refused")
  func reversal() throws {
    var scenario = Scenario.carDrive
    scenario.motion.route = Route(
      legs: [
        Leg(seconds: 30, course: Angle(degrees: 10), speedMetresPerSecond: 10),
        Leg(seconds: 30, course: Angle(degrees: 185), speedMetresPerSecond: 10),
      ], turnSeconds: 8)
    do {
      _ = try Worlds.make(scenario)
      Issue.record("accepted")
    } catch ScenarioError.reversal(let index) {
      #expect(index == 0)
    }
  }

  @Test("A singular matrix is refused")
  func singular() throws {
    var scenario = Scenario.tableTop
    scenario.magnetometer?.distortion = Matrix3(diagonal: SIMD3(1, 1, 0))
    do {
      _ = try Worlds.make(scenario)
      Issue.record("accepted")
    } catch ScenarioError.singularMatrix(let name) {
      #expect(name == "magnetometer.distortion")
    }
  }

  @Test("A date outside the magnetic model's years still makes a world: a clock may be wrong")
  func date() throws {
    guard let early = UTCTime(year: 1999, month: 1, day: 1) else { throw Missing() }
    _ = try SimulatedWorld(scenario: .tableTop, seed: 1, startUTC: early)
  }
}
