import Quantities
import RealModule
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct SensorNoiseTests {
  @Test("White noise has the configured density at any rate", arguments: [50.0, 400])
  func density(rate: Double) throws {
    var scenario = Worlds.faultlessTable
    scenario.inertialUnit = InertialUnitModel(
      rateHertz: rate, gyroscope: InertialErrorModel(noiseDensity: 2e-4),
      accelerometer: InertialErrorModel(noiseDensity: 3e-3))
    let samples = try Worlds.samples(scenario, seconds: 20_000 / rate).inertial
    for axis in 0..<3 {
      let rates = try samples.map { try #require($0.angularRate).components[axis] }
      let forces = try samples.map { try #require($0.specificForce).components[axis] }
      // 20 000 samples: the deviation is known to 0.5 %, four of which are 2 %.
      let root = (rate / 2).squareRoot()
      #expect(abs(statistics(rates).deviation / (2e-4 * root) - 1) < 0.02)
      #expect(abs(statistics(forces).deviation / (3e-3 * root) - 1) < 0.02)
    }
  }

  @Test("Biases differ from one waking to the next as configured, and walk with the root of time")
  func bias() throws {
    var scenario = Worlds.faultlessTable
    scenario.magnetometer = nil
    scenario.barometer = nil
    scenario.receiver = nil
    scenario.durationSeconds = 25
    scenario.inertialUnit = InertialUnitModel(
      rateHertz: 4, gyroscope: InertialErrorModel(turnOnBias: 0.01, biasWalk: 1e-3),
      accelerometer: InertialErrorModel(turnOnBias: 0.08, biasWalk: 2e-2))
    var woken: [Double] = []
    var walked: [Double] = []
    var walkedForce: [Double] = []
    for seed in 0..<700 {
      var world = try Worlds.make(scenario, seed: UInt64(seed))
      let start = world.gyroscopeBias.components
      let startForce = world.accelerometerBias.components
      for _ in 0..<100 { _ = world.next() }
      for axis in 0..<3 {
        woken.append(start[axis])
        walked.append(world.gyroscopeBias.components[axis] - start[axis])
        walkedForce.append(world.accelerometerBias.components[axis] - startForce[axis])
      }
    }
    // 2100 numbers: four standard errors are 6.2 %. 25 s of walk are five times one second's.
    #expect(abs(statistics(woken).deviation / 0.01 - 1) < 0.062)
    #expect(abs(statistics(woken).mean) < 0.001)
    #expect(abs(statistics(walked).deviation / 5e-3 - 1) < 0.062)
    #expect(abs(statistics(walkedForce).deviation / 0.1 - 1) < 0.062)
  }

  @Test("Magnetometer and barometer have the configured noise about the true value")
  func fieldAndPressure() throws {
    var scenario = Worlds.faultlessTable
    scenario.magnetometer?.noiseMicrotesla = 0.4
    scenario.barometer?.noiseHectopascal = 0.02
    let truth = try Worlds.make(scenario).truth(at: Timestamp(nanoseconds: 0))
    let samples = try Worlds.samples(scenario, seconds: 400)
    let pressure = statistics(samples.pressures.map { $0.hectopascal })
    #expect(abs(pressure.deviation / 0.02 - 1) < 0.03)
    #expect(abs(pressure.mean - truth.pressureHectopascal) < 0.001)
    for axis in 0..<3 {
      let field = statistics(samples.fields.map { $0.field.microtesla[axis] })
      #expect(abs(field.deviation / 0.4 - 1) < 0.03)
    }
  }

  @Test("The barometer's drift has its spread and forgets to 1/e in its time")
  func barometerDrift() throws {
    var scenario = Worlds.faultlessTable
    scenario.inertialUnit = nil
    scenario.magnetometer = nil
    scenario.receiver = nil
    scenario.barometer = BarometerModel(
      rateHertz: 1, driftHectopascal: 0.5, driftSeconds: 20)
    let x = try Worlds.samples(scenario, seconds: 200_000).pressures.map { $0.hectopascal }
    let (mean, deviation) = statistics(x)
    // About 10 000 independent values: 4 standard errors of the deviation are 2.8 %.
    #expect(abs(deviation / 0.5 - 1) < 0.04)
    var lagged = 0.0
    for i in 20..<x.count { lagged += (x[i] - mean) * (x[i - 20] - mean) }
    let correlation = lagged / Double(x.count - 20) / (deviation * deviation)
    #expect(abs(correlation - 0.367_879) < 0.04)
  }

  @Test("A board that climbs a hill reads the standard atmosphere's lapse")
  func lapse() throws {
    let scenario = Scenario.carDrive.withoutSensorErrors
    let world = try Worlds.make(scenario)
    for sample in try Worlds.samples(scenario, seconds: 200).pressures {
      let altitude = world.truth(at: sample.timestamp).altitudeMetres
      // ISO 2533, troposphere: 288.15 K and 6.5 K/km, exponent g/(R L).
      let expected = 1013.25 * Double.pow(1 - 0.0065 * altitude / 288.15, 5.255_88)
      #expect(abs(sample.hectopascal - expected) < 0.005)
    }
  }

  @Test("The weather changes the pressure by the given rate an hour")
  func weather() throws {
    var scenario = Worlds.faultlessTable
    let steady = try Worlds.make(scenario)
    scenario.seaLevelHectopascalPerHour = -3
    let falling = try Worlds.make(scenario)
    let later = try Worlds.instant(7200)
    let change =
      falling.truth(at: later).pressureHectopascal - steady.truth(at: later).pressureHectopascal
    // 6 hPa at sea level are 0.6 % of the pressure, and 5.94 hPa at 80 m.
    #expect(abs(change + 5.94) < 0.02)
  }
}
