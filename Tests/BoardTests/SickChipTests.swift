import Board
import Chips
import Configuration
import Formats
import Quantities
import Synchronization
import Testing

/// A magnetometer that fails and returns as the test decides.
private struct ScriptedMagnetometer: Magnetometer {
  final class State: Sendable {
    struct Values {
      var now = Timestamp(nanoseconds: 1_000_000_000)
      var starts: [Double] = []
      var startFault: BusError.Kind?
      var readFault: BusError.Kind?
      var field: SIMD3<Double>?
      var count = 0
      var stamp: Timestamp?
    }
    let values = Mutex(Values())
  }
  let state: State
  var model: ChipModel { .lis3mdl }
  var address: UInt8 { 0x1C }
  var rateHertz: Double { 50 }
  var latencySeconds: Double { 0 }
  var sampleTimestamp: Timestamp? { state.values.withLock { $0.stamp } }

  mutating func start() throws(ChipError) {
    try check(
      state.values.withLock { values in
        values.starts.append(values.now.seconds)
        return values.startFault
      })
  }
  mutating func holdsConfiguration() throws(ChipError) -> Bool { true }
  mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    try check(state.values.withLock { $0.readFault })
    return state.values.withLock { values in
      values.count += 1
      // Noise, unless the test sets a field.
      let field = values.field ?? SIMD3(20 + 0.1 * Double(values.count % 3), 0, 40)
      return .value(MagneticField(microtesla: field))
    }
  }
  private func check(_ kind: BusError.Kind?) throws(ChipError) {
    guard let kind else { return }
    throw ChipError(
      .bus(BusError(kind, device: "/dev/i2c-1")), model: model, bus: "/dev/i2c-1", address: address)
  }
}

@Suite("A sick chip", .timeLimit(.minutes(30)))
struct SickChipTests {
  private let state = ScriptedMagnetometer.State()

  private func runner() throws -> ChipRunner {
    let runner = ChipRunner(
      sensor: Board.Sensor(chip: .lis3mdl), now: { [state] in state.values.withLock { $0.now } },
      makeDriver: { [state] in ScriptedMagnetometer(state: state) })
    return try #require(runner)
  }

  /// Runs for a time.
  /// - Returns: The number of samples.
  @discardableResult
  private func run(
    _ runner: inout ChipRunner, seconds: Double, _ each: (inout ChipRunner) -> Void = { _ in }
  ) -> Int {
    let end = state.values.withLock { $0.now.advanced(bySeconds: seconds) }
    var samples = 0
    while runner.due < end {
      let due = runner.due
      state.values.withLock { $0.now = max($0.now, due) }
      runner.run { _ in samples += 1 }
      each(&runner)
    }
    state.values.withLock { $0.now = end }
    return samples
  }

  private func set(_ change: (inout ScriptedMagnetometer.State.Values) -> Void) {
    state.values.withLock { change(&$0) }
  }

  @Test("a sample has the stamp of its source, unless that is of another clock")
  func stamps() throws {
    var runner = try runner()
    run(&runner, seconds: 0.1)
    let now = state.values.withLock { $0.now }
    let stamp = now.advanced(byNanoseconds: 3_000_000)
    for (source, isTaken) in [(stamp, true), (now.advanced(bySeconds: 1e9), false)] {
      set { $0.stamp = source }
      var stamps: [Timestamp] = []
      let due = runner.due
      set { $0.now = max($0.now, due) }
      runner.run { stamps.append($0.timestamp) }
      #expect(stamps.count == 1)
      #expect((stamps.first == source) == isTaken)
    }
  }

  @Test("that alternates is started after increasing times, up to a minute")
  func alternating() throws {
    var runner = try runner()
    var losses: [Double] = []
    var wasInService = true
    run(&runner, seconds: 600) { runner in
      // It fails as soon as it has given a sample.
      set { $0.readFault = runner.isInService ? .noAnswer : nil }
      if wasInService, !runner.isInService {
        losses.append(state.values.withLock { $0.now.seconds })
      }
      wasInService = runner.isInService
    }
    let gaps = zip(losses, losses.dropFirst()).map { $1 - $0 }
    let expected = [0.5, 1, 2, 4, 8, 16, 32, 60, 60]
    #expect(gaps.count >= expected.count && losses.count < 20, "\(gaps)")
    for (gap, delay) in zip(gaps, expected) { #expect(abs(gap - delay) < 0.5, "\(gaps)") }
  }

  @Test("that was in service for a minute is started again within half a second")
  func steady() throws {
    var runner = try runner()
    for _ in 0..<6 {
      run(&runner, seconds: 0.2)
      set { $0.readFault = .noAnswer }
      run(&runner, seconds: 0.2)
      set { $0.readFault = nil }
      while !runner.isInService { run(&runner, seconds: 1) }
    }
    run(&runner, seconds: 70)
    set { $0.readFault = .noAnswer }
    run(&runner, seconds: 0.2)
    #expect(!runner.isInService)
    set { $0.readFault = nil }
    run(&runner, seconds: 0.7)
    #expect(runner.isInService)
  }

  @Test("that is missing for long is found within two seconds")
  func missing() throws {
    var runner = try runner()
    run(&runner, seconds: 1)
    set { ($0.startFault, $0.readFault) = (.noAnswer, .noAnswer) }
    run(&runner, seconds: 7200)
    #expect(!runner.isInService)
    set { ($0.startFault, $0.readFault) = (nil, nil) }
    run(&runner, seconds: 2)
    #expect(runner.isInService)
  }

  @Test("that accepts a start but gives no sample is not in service")
  func startsOnly() throws {
    var runner = try runner()
    run(&runner, seconds: 1)
    set { $0.readFault = .noAnswer }
    run(&runner, seconds: 1)
    run(&runner, seconds: 60) { #expect(!$0.isInService) }
    #expect(state.values.withLock { $0.starts.count } < 12)
  }

  @Test("that reports a field of zero gives no sample until it measures again")
  func zero() throws {
    var runner = try runner()
    #expect(run(&runner, seconds: 1) > 40)
    set { $0.field = .zero }
    #expect(run(&runner, seconds: 1) == 0)
    let fault = try #require(runner.fault)
    #expect(
      "\(fault)".contains("/dev/i2c-1 address 0x1C, LIS3MDL: it reports a field of exactly zero"))
    #expect(fault.falseValue != nil)
    // A start may help.
    run(&runner, seconds: 10)
    #expect(state.values.withLock { $0.starts.count } >= 3)
    set { $0.field = nil }
    #expect(run(&runner, seconds: 1) > 40)
    #expect(runner.isInService)
  }

  @Test("that is stuck at one value is taken out of service after a minute")
  func stuck() throws {
    var runner = try runner()
    set { $0.field = SIMD3(20, 5, 40) }
    run(&runner, seconds: 59)
    #expect(runner.isInService)
    run(&runner, seconds: 2)
    #expect(!runner.isInService)
    #expect(run(&runner, seconds: 600) == 0)
  }
}
