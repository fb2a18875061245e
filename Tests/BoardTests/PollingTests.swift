import Board
import Chips
import Configuration
import Formats
import Quantities
import Synchronization
import Testing

/// An inertial unit with a FIFO and an oscillator of its own.
private struct CountedUnit: InertialUnit {
  /// The present time, the samples taken and the polls, in the hands of the test.
  final class State: Sendable {
    let now = Mutex(Timestamp(nanoseconds: 1_000_000_000))
    let polls = Mutex(0)
  }
  let state: State
  let rateHertz: Double
  let trueRate: Double
  private var taken = 0

  init(_ state: State, rateHertz: Double, trueRate: Double) {
    (self.state, self.rateHertz, self.trueRate) = (state, rateHertz, trueRate)
  }

  var model: ChipModel { .mpu6050 }
  var address: UInt8 { 0x68 }
  var latencySeconds: Double { 0 }
  var keepsSamples: Bool { true }
  mutating func start() throws(ChipError) {}
  mutating func holdsConfiguration() throws(ChipError) -> Bool { true }

  mutating func readInertia(_ take: (InertialReading) -> Void) throws(ChipError) -> Int {
    state.polls.withLock { $0 += 1 }
    let seconds = state.now.withLock { $0.seconds }
    let due = Int(bounded: (seconds * trueRate).rounded(.down))
    if taken == 0 { taken = due - 1 }
    let reading = InertialReading(
      angularRate: .value(AngularRate(components: .zero)), specificForce: nil)
    for _ in taken..<due { take(reading) }
    taken = due
    return 0
  }
}

@Suite("When chips with a FIFO are read", .timeLimit(.minutes(30)))
struct PollingTests {
  @Test(
    "a FIFO is read about a hundred times a second, and soon after its samples",
    arguments: [25.0, 100, 119, 200, 238, 400, 1000], [0.67, 0.9, 1, 1.1, 1.43])
  func polls(_ rate: Double, _ factor: Double) throws {
    let state = CountedUnit.State()
    let unit = CountedUnit(state, rateHertz: rate, trueRate: rate * factor)
    var runner = try #require(
      ChipRunner(
        sensor: Board.Sensor(chip: .mpu6050), now: { state.now.withLock { $0 } },
        makeDriver: { unit }))
    var (samples, ages, polls) = (0, [Double](), 0)
    let begin = state.now.withLock { $0 }
    while true {
      let due = runner.due
      if due.seconds(since: begin) > 10 { break }
      // Every seventh poll is late, as on a busy machine.
      polls += 1
      let delay: UInt64 = polls % 7 == 0 ? 3_000_000 : 0
      state.now.withLock { $0 = max($0, due.advanced(byNanoseconds: delay)) }
      var newest: Timestamp?
      runner.run { row in
        samples += 1
        newest = row.timestamp
      }
      if newest != nil, due.seconds(since: begin) > 2 {
        // The true age of the newest sample.
        let count = state.now.withLock { $0.seconds } * rate * factor
        ages.append((count - count.rounded(.down)) / (rate * factor))
      }
    }
    let perSecond = Double(state.polls.withLock { $0 }) / 10
    #expect(abs(Double(samples) / 10 - rate * factor) < 0.03 * rate * factor + 1)
    let isNear = (0.9...1.1).contains(factor)
    // A far rate is polled more often, but bounded.
    #expect(
      perSecond < max(100, min(rate, 130)) * (isNear ? 1.7 : 6), "\(perSecond) polls a second")
    if isNear {
      let mean = ages.reduce(0, +) / Double(ages.count)
      #expect(mean < 0.15 / rate + 0.001, "mean age \(mean * 1000) ms")
    }
  }
}
