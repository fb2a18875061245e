import Board
import Formats
import Quantities
import Testing

@Suite("Samples of several chips", .timeLimit(.minutes(30)))
struct SampleMergerTests {
  private func field(_ milliseconds: UInt64) -> SensorSamples {
    let t = Timestamp(nanoseconds: milliseconds * 1_000_000)
    var row = SensorSamples(timestamp: t)
    row.field = FieldSample(timestamp: t, field: MagneticField(microtesla: SIMD3(20, 0, 40)))
    return row
  }
  private func inertial(_ milliseconds: UInt64) -> SensorSamples {
    let t = Timestamp(nanoseconds: milliseconds * 1_000_000)
    var row = SensorSamples(timestamp: t)
    row.inertial = InertialSample(timestamp: t, angularRate: .zero, specificForce: .zero)
    return row
  }
  private func deliver(
    _ merger: inout SampleMerger, at milliseconds: UInt64, expectsInertia: Bool = true
  ) -> [UInt64] {
    var taken: [UInt64] = []
    merger.deliver(
      at: Timestamp(nanoseconds: milliseconds * 1_000_000), expectsInertia: expectsInertia
    ) { taken.append($0.timestamp.nanoseconds / 1_000_000) }
    return taken
  }

  @Test("a field sample waits until inertial samples cover its instant")
  func waits() {
    var merger = SampleMerger()
    merger.put(field(14))
    #expect(deliver(&merger, at: 15).isEmpty)
    for t: UInt64 in [5, 10, 15, 20] { merger.put(inertial(t)) }
    #expect(deliver(&merger, at: 21) == [5, 10, 14, 15, 20])
  }

  @Test("it waits no longer than the longest delay, and not at all without an inertial unit")
  func longestDelay() {
    var merger = SampleMerger()
    merger.put(field(14))
    #expect(deliver(&merger, at: 43).isEmpty)
    #expect(deliver(&merger, at: 45) == [14])
    merger.put(field(60))
    #expect(deliver(&merger, at: 60, expectsInertia: false) == [60])
  }

  @Test("a late inertial sample is dropped, a late field sample is not")
  func late() {
    var merger = SampleMerger()
    merger.put(inertial(50))
    #expect(deliver(&merger, at: 51) == [50])
    merger.put(inertial(40))
    merger.put(field(45))
    merger.put(inertial(55))
    #expect(deliver(&merger, at: 56) == [45, 55])
  }

  @Test(
    "samples of a gyroscope wait for those of an accelerometer of another chip, and none is dropped"
  )
  func twoUnits() {
    func half(_ milliseconds: UInt64, isRate: Bool) -> SensorSamples {
      let t = Timestamp(nanoseconds: milliseconds * 1_000_000)
      var row = SensorSamples(timestamp: t)
      row.inertial = InertialSample(
        timestamp: t, angularRate: isRate ? .zero : nil, specificForce: isRate ? nil : .zero)
      return row
    }
    var merger = SampleMerger()
    merger.put(half(4, isRate: false))
    for t: UInt64 in [5, 10, 15] { merger.put(half(t, isRate: true)) }
    #expect(deliver(&merger, at: 16) == [4])
    for t: UInt64 in [6, 11, 16] { merger.put(half(t, isRate: false)) }
    #expect(deliver(&merger, at: 17) == [5, 6, 10, 11, 15])
    // One that is lost does not hold up the other for long.
    merger.put(half(20, isRate: true))
    #expect(deliver(&merger, at: 51) == [16])
    #expect(deliver(&merger, at: 121) == [20])
    merger.put(half(125, isRate: true))
    #expect(deliver(&merger, at: 126) == [125])
  }
}
