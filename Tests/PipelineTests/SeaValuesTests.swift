import Pipeline
import Quantities
import Simulation
import Testing

@Suite("Waves and the pressure's tendency in estimates", .timeLimit(.minutes(30)))
struct SeaValuesTests {
  @Test("a simulated sea has its height, periods and direction behind sensors and filters")
  func sea() throws {
    // A hull of no length follows every wave. They run to 110 degrees.
    let system = WaveSystem(
      heightMetres: 2, periodSeconds: 8, direction: Angle(degrees: 110), spread: Angle(degrees: 10))
    let scenario = Scenario(
      name: "waves", origin: GeodeticPosition(latitudeDegrees: 54.2, longitudeDegrees: 7.7),
      ellipsoidalHeightMetres: 42, geoidSeparationMetres: 41,
      motion: Sea([system], hullMetres: 0).motion(
        along: Route(
          legs: [Leg(seconds: 100, course: .zero, speedMetresPerSecond: 0.3)], turnSeconds: 5),
        seed: 3))
    let start = try #require(UTCTime(year: 2026, month: 5, day: 1, hour: 12))
    var rows = WorldRows(world: try SimulatedWorld(scenario: scenario, seed: 3, startUTC: start))
    var configuration = PipelineConfiguration()
    configuration.activity = .otherNavigation
    var pipeline = Pipeline(configuration: configuration)
    configuration.activity = .other
    var other = Pipeline(configuration: configuration)
    var (squares, count) = (0.0, 0.0)
    while let row = try rows.next(), row.timestamp.seconds < 1300 {
      pipeline.process(row)
      if row.timestamp.seconds < 240 { other.process(row) }
      if row.fix != nil, let heave = pipeline.estimate.heaveMetres {
        squares += heave * heave
        count += 1
      }
      if row.fix != nil, row.timestamp.seconds < 600 {
        #expect(pipeline.estimate.waveHeightMetres == nil)
      }
    }
    let estimate = pipeline.estimate
    let height = try #require(estimate.waveHeightMetres)
    #expect(abs(height / 2 - 1) < 0.15, "\(height)")
    let ofHeave = 4 * (squares / count).squareRoot()
    #expect(abs(height / ofHeave - 1) < 0.1, "\(height), \(ofHeave)")
    let (peak, mean) = (estimate.wavePeakPeriodSeconds, estimate.waveMeanPeriodSeconds)
    #expect((7...9).contains(peak ?? 0), "\(String(describing: peak))")
    #expect((5.5...8).contains(mean ?? 0), "\(String(describing: mean))")
    let direction = try #require(estimate.waveDirection)
    let error = (direction - Angle(degrees: 290)).wrappedToHalfTurn.degrees
    #expect(abs(error) < 15, "\(direction.degrees)")
    // Without the word of the user that it is a boat there is heave, and no sea.
    #expect(other.estimate.heaveMetres != nil && other.estimate.waveHeightMetres == nil)
  }

  @Test("the change of the pressure in three hours is in the estimate, and ends with the barometer")
  func tendency() throws {
    var pipeline = Pipeline()
    for step in 0...570 {
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(step) * 20_000_000_000))
      row.pressure = PressureSample(
        timestamp: row.timestamp, hectopascal: 1020 - Double(step) / 180, celsius: nil)
      pipeline.process(row)
      if step == 500 { #expect(pipeline.estimate.pressureTendencyHectopascal == nil) }
    }
    let estimate = pipeline.estimate
    let change = try #require(estimate.pressureTendencyHectopascal)
    #expect(abs(change + 3) < 0.05 && estimate.pressureCharacteristic == 7, "\(change)")
  }
}
