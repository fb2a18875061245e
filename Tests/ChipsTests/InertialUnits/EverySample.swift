import Chips
import Quantities
import Simulation
import Testing

/// Reads a unit's FIFO each 10 ms for a second, and expects all samples of its rate.
func expectEverySample(
  of driver: inout some InertialUnit, on bus: EmulatedBus, hertz: Double,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let begin = bus.now
  var count = 0
  for _ in 0..<100 {
    bus.wait(nanoseconds: 10_000_000)
    #expect(try driver.readInertia { _ in count += 1 } == 0, sourceLocation: sourceLocation)
  }
  let expected = bus.now.seconds(since: begin) * hertz
  #expect(abs(Double(count) - expected) <= 3, sourceLocation: sourceLocation)
}
