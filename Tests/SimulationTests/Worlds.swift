import Quantities
import Simulation
import Testing

/// Common parts of these tests: a start in the magnetic model's years, and runs of a world.
enum Worlds {
  static func start() throws -> UTCTime {
    try unwrapped(UTCTime(year: 2026, month: 7, day: 1, hour: 12))
  }

  static func make(_ scenario: Scenario, seed: UInt64 = 1) throws -> SimulatedWorld {
    try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start())
  }

  static func samples(
    _ scenario: Scenario, seed: UInt64 = 1, seconds: Double
  ) throws -> [SimulatedSample] {
    var scenario = scenario
    scenario.durationSeconds = seconds
    return Array(try make(scenario, seed: seed))
  }

  static func instant(_ seconds: Double) throws -> Timestamp {
    try unwrapped(Timestamp(seconds: seconds))
  }

  /// A scenario on a table with one ideal sensor.
  static var faultlessTable: Scenario { Scenario.tableTop.withoutSensorErrors }
}

struct Missing: Error {}

private func unwrapped<T>(_ value: T?) throws -> T {
  guard let value else { throw Missing() }
  return value
}

extension [SimulatedSample] {
  var inertial: [InertialSample<SensorFrame>] {
    compactMap { if case .inertial(let x) = $0 { x } else { nil } }
  }
  var fields: [FieldSample<SensorFrame>] {
    compactMap { if case .field(let x) = $0 { x } else { nil } }
  }
  var pressures: [PressureSample] {
    compactMap { if case .pressure(let x) = $0 { x } else { nil } }
  }
  var fixes: [Fix] { compactMap { if case .fix(let x) = $0 { x } else { nil } } }
}

/// Mean and standard deviation.
func statistics(_ x: [Double]) -> (mean: Double, deviation: Double) {
  let mean = x.reduce(0, +) / Double(x.count)
  let squares = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (mean, (squares / Double(x.count - 1)).squareRoot())
}

extension Scenario: CustomTestStringConvertible {
  /// A scenario's name, where the testing library would print all of its numbers.
  public var testDescription: String { name }
}
