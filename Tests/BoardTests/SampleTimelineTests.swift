import Board
import Quantities
import Testing

/// A chip whose oscillator is off its nominal rate, read by a thread with random delays.
@Suite("Stamps of samples", .timeLimit(.minutes(30)))
struct SampleTimelineTests {
  /// A reproducible pseudo-random sequence.
  private struct Jitter {
    var state: UInt64 = 1
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
  }

  @Test(
    "FIFO batches are stamped within a millisecond of the truth and never decrease",
    arguments: [0.93, 1.0, 1.067])
  func batches(oscillator: Double) {
    let nominal = 200.0
    let truePeriod = 1e9 / (nominal * oscillator)
    var timeline = SampleTimeline(rateHertz: nominal)
    var jitter = Jitter()
    var taken = 0
    var now = 5e9
    var last: Timestamp?
    var worst = 0.0
    for visit in 0..<2000 {
      // Every 10 ms, up to 3 ms late.
      now += 10e6 + 3e6 * (jitter.next() - 0.5)
      let ready = Int(bounded: (now - 5e9) / truePeriod)
      let count = ready - taken
      guard count > 0 else { continue }
      let (first, step) = timeline.stamps(
        count: count, keepsAll: true, foundAt: Timestamp(nanoseconds: UInt64(bounded: now)))
      for index in 0..<count {
        let stamp = first.advanced(byNanoseconds: UInt64(index) * step)
        if let last { #expect(stamp > last) }
        last = stamp
        let truth = 5e9 + Double(taken + index + 1) * truePeriod
        if visit > 500 { worst = max(worst, abs(Double(stamp.nanoseconds) - truth)) }
      }
      taken = ready
    }
    #expect(worst < 1.5e6, "\(worst * 1e-6) ms")
    #expect(abs(timeline.period / truePeriod - 1) < 0.01)
  }

  @Test(
    "a single register is stamped between the empty poll and the one that found the sample")
  func polls() {
    var timeline = SampleTimeline(rateHertz: 100)
    _ = timeline.stamps(count: 1, foundAt: Timestamp(nanoseconds: 1_000_000_000))
    timeline.foundNothing(at: Timestamp(nanoseconds: 1_010_500_000))
    let (stamp, _) = timeline.stamps(count: 1, foundAt: Timestamp(nanoseconds: 1_011_500_000))
    #expect(stamp >= Timestamp(nanoseconds: 1_010_500_000))
    #expect(stamp <= Timestamp(nanoseconds: 1_011_500_000))
  }

  @Test("a data-ready edge is the stamp itself")
  func edges() {
    var timeline = SampleTimeline(rateHertz: 100)
    let edge = Timestamp(nanoseconds: 123_456_789)
    #expect(timeline.sample(at: edge) == edge)
    #expect(timeline.sample(at: edge) > edge)
  }
}
