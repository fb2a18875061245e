import Quantities
import ReceiverProtocols
import Testing

@Suite("Pulses and times that change")
struct PulseChangesTests {
  private func paired(_ world: inout PulseWorld) -> PulsePairing {
    var pairing = PulsePairing()
    world.run(0..<20, into: &pairing)
    return pairing
  }

  @Test("without a fix pulses free-wheel by the last known second")
  func freeWheeling() throws {
    var world = PulseWorld()
    world.partsPerMillion = 20
    var pairing = paired(&world)
    world.hasFix = false
    world.run(20..<23, into: &pairing)
    #expect(world.timing(pairing, at: 22.5).state == .paired)
    world.run(23..<80, into: &pairing)
    let timing = world.timing(pairing, at: 79.5)
    #expect(timing.state == .freeWheeling)
    #expect(timing.lastPulse?.second == PulseWorld.utc(79))
    let error = try #require(world.error(of: timing, at: 79.5))
    #expect(abs(error) < 1e-6)
    world.hasFix = true
    world.run(80..<81, into: &pairing)
    #expect(world.timing(pairing, at: 80.5).state == .paired)
  }

  @Test("a pulse that stops is told, and the mapping lasts a minute")
  func stops() throws {
    var world = PulseWorld()
    world.partsPerMillion = 30
    let pairing = paired(&world)
    let soon = world.timing(pairing, at: 30)
    #expect(soon.state == .noPulse)
    let error = try #require(world.error(of: soon, at: 30))
    #expect(abs(error) < 1e-6)
    #expect(world.timing(pairing, at: 80).mapping == nil)
  }

  @Test("a pulse that the receiver moves at its first fix is paired anew")
  func moved() {
    var world = PulseWorld()
    var pairing = PulsePairing()
    world.hasFix = false
    for second in 0..<20 { _ = pairing.add(world.edge(Double(second) + 0.37)) }
    world.hasFix = true
    world.run(25..<40, into: &pairing)
    let timing = world.timing(pairing, at: 39.5)
    #expect(timing.state == .paired)
    #expect(timing.lastPulse?.second == PulseWorld.utc(39))
  }

  @Test("a garbled time is passed over; a date that jumps puts the pairing in doubt, then moves it")
  func dateJumps() {
    var world = PulseWorld()
    var pairing = paired(&world)
    world.receiverOffset = 40
    world.run(20..<21, into: &pairing)
    #expect(world.timing(pairing, at: 20.5).lastPulse?.second == PulseWorld.utc(20))
    #expect(world.timing(pairing, at: 20.5).state == .paired)
    world.receiverOffset = 0
    world.run(21..<25, into: &pairing)
    // A receiver that had the leap seconds wrong.
    world.receiverOffset = -3
    world.run(25..<27, into: &pairing)
    #expect(world.timing(pairing, at: 26.5).state == .unpaired)
    #expect(world.timing(pairing, at: 26.5).mapping == nil)
    world.run(27..<30, into: &pairing)
    #expect(world.timing(pairing, at: 29.5).state == .paired)
    world.run(30..<31, into: &pairing)
    #expect(world.timing(pairing, at: 30.5).lastPulse?.second == PulseWorld.utc(27))
  }

  @Test("a receiver past its week rollover is paired where the clock is being set")
  func rollover() throws {
    var world = PulseWorld()
    world.receiverOffset = -1024 * 7 * 86_400
    world.systemError = 0.02
    var pairing = PulsePairing()
    world.run(0..<20, into: &pairing)
    let timing = world.timing(pairing, at: 19.5)
    #expect(timing.state == .paired)
    #expect(timing.lastPulse?.second == PulseWorld.utc(19))
    let delay = try #require(timing.messageDelaySeconds)
    #expect(abs(delay - 0.2) < 1e-6)
    // And when it has found its way.
    world.receiverOffset = 0
    world.run(20..<40, into: &pairing)
    #expect(world.timing(pairing, at: 39.5).lastPulse?.second == PulseWorld.utc(39))
  }

  @Test("an inserted leap second moves the label at once, a left-out one too", arguments: [-1, 1])
  func leapSecond(step: Int64) throws {
    // The world's zero is noon of 2026-06-01: midnight of the first of July is 29.5 days later.
    let midnight = 29 * 86_400 + 43_200
    var world = PulseWorld()
    world.systemOffset = nil
    var pairing = PulsePairing()
    let first = midnight - 20
    world.run(first..<midnight + (step < 0 ? 1 : -1), into: &pairing)
    // What is second 60 to the receiver is 0 already; from then on its time is a second less or more.
    world.receiverOffset = step
    let next = midnight + (step < 0 ? 1 : -1)
    world.run(next..<next + 1, into: &pairing)
    #expect(world.timing(pairing, at: Double(next) + 0.5).state == .paired)
    world.run(next + 1..<next + 2, into: &pairing)
    let timing = world.timing(pairing, at: Double(next) + 1.5)
    #expect(timing.state == .paired)
    #expect(timing.lastPulse?.second == PulseWorld.utc(Double(next + 1) + Double(step)))
  }

  @Test("a system clock that is set is told, and the mapping does not feel it")
  func clockSet() throws {
    var world = PulseWorld()
    world.partsPerMillion = 5
    world.systemOffset = 7.25
    var pairing = paired(&world)
    world.systemOffset = 0.002
    world.run(20..<24, into: &pairing)
    let timing = world.timing(pairing, at: 23.5)
    #expect(timing.systemSteps == 1)
    #expect(timing.state == .paired)
    let offset = try #require(timing.systemOffsetSeconds)
    #expect(abs(offset - 0.002) < 1e-6)
    let error = try #require(world.error(of: timing, at: 23.5))
    #expect(abs(error) < 1e-6)
  }

  @Test("a clock whose rate is changed is followed")
  func slewed() throws {
    var world = PulseWorld()
    world.jitter = 2e-6
    var pairing = PulsePairing()
    world.run(0..<80, into: &pairing)
    // 300 ppm from second 80 on: the world's clock counts from its zero, so the edges are made here.
    var start = world.instant(80).nanoseconds
    for _ in 80..<100 {
      let edge = PulseEdge(instant: Timestamp(nanoseconds: start))
      _ = pairing.add(edge)
      start += 1_000_300_000
    }
    let now = Timestamp(nanoseconds: start - 1_000_300_000 + 500_150_000)
    let mapping = try #require(pairing.timing(at: now).mapping)
    #expect(abs(mapping.utc(at: now).seconds(since: PulseWorld.utc(99.5))) < 20e-6)
  }

  @Test("of two edges the beginning of the shorter half is on time", arguments: [true, false])
  func bothEdges(isHigh: Bool) throws {
    var world = PulseWorld()
    var pairing = PulsePairing()
    for second in 0..<20 {
      _ = pairing.add(world.edge(Double(second), isAssert: isHigh))
      _ = pairing.add(world.edge(Double(second) + 0.1, isAssert: !isHigh))
      pairing.add(world.epoch(Double(second)))
    }
    let timing = world.timing(pairing, at: 19.5)
    #expect(timing.state == .paired)
    let error = try #require(world.error(of: timing, at: 19.5))
    #expect(abs(error) < 1e-6)
    #expect(timing.refused == 0)
  }

  @Test("where both halves are as long, the edge has to be told")
  func evenHalves() throws {
    func run(_ edge: PulsePairing.Edge) -> (PulseWorld, PulseTiming) {
      var world = PulseWorld()
      var parameters = PulsePairing.Parameters()
      parameters.edge = edge
      var pairing = PulsePairing(parameters: parameters)
      for second in 0..<20 {
        _ = pairing.add(world.edge(Double(second), isAssert: false))
        pairing.add(world.epoch(Double(second)))
        _ = pairing.add(world.edge(Double(second) + 0.5, isAssert: true))
      }
      return (world, world.timing(pairing, at: 19.6))
    }
    let (_, unknown) = run(.automatic)
    #expect(unknown.state == .unpaired)
    #expect(unknown.obstacle == .edge)
    let (world, timing) = run(.clear)
    #expect(timing.state == .paired)
    let error = try #require(world.error(of: timing, at: 19.6))
    #expect(abs(error) < 1e-6)
  }

  @Test("the same edge read twice counts once")
  func sequence() {
    var world = PulseWorld()
    var pairing = PulsePairing()
    for second in 0..<6 {
      let edge = world.edge(Double(second))
      _ = pairing.add(edge)
      #expect(pairing.add(edge) == nil)
    }
    #expect(world.timing(pairing, at: 5.5).refused == 0)
  }

  @Test("a mapping takes instants there and back")
  func mapping() throws {
    let mapping = UTCMapping(
      anchor: Timestamp(nanoseconds: 5_000_000_000), utc: PulseWorld.utc(0), clockRate: 1.0001)
    let later = try #require(mapping.timestamp(of: PulseWorld.utc(10)))
    #expect(later.nanoseconds == 15_001_000_000)
    #expect(mapping.utc(at: later) == PulseWorld.utc(10))
    #expect(mapping.timestamp(of: PulseWorld.utc(-6)) == nil)
    #expect(mapping.timestamp(of: UTCTime(nanosecondsSince1970: .min)) == nil)
  }
}
