import Quantities
import ReceiverProtocols
import Testing

@Suite("Changes of pulses and times", .timeLimit(.minutes(30)))
struct PulseChangesTests {
  private func paired(_ world: inout PulseWorld) -> PulsePairing {
    var pairing = PulsePairing()
    world.run(0..<20, into: &pairing)
    return pairing
  }

  @Test("Without a fix the second is counted on, in state free-wheeling")
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

  @Test("A stopped pulse is reported, and the mapping remains valid for a minute")
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

  @Test("A pulse that the receiver moves at its first fix is paired again")
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

  @Test("A single wrong time is ignored; a jump of the date ends the pairing, then moves it")
  func dateJumps() {
    var world = PulseWorld()
    var pairing = paired(&world)
    world.receiverOffset = 40
    world.run(20..<21, into: &pairing)
    #expect(world.timing(pairing, at: 20.5).lastPulse?.second == PulseWorld.utc(20))
    #expect(world.timing(pairing, at: 20.5).state == .paired)
    world.receiverOffset = 0
    world.run(21..<25, into: &pairing)
    // The receiver corrects its leap seconds.
    world.receiverOffset = -3
    world.run(25..<27, into: &pairing)
    #expect(world.timing(pairing, at: 26.5).state == .unpaired)
    #expect(world.timing(pairing, at: 26.5).mapping == nil)
    world.run(27..<30, into: &pairing)
    #expect(world.timing(pairing, at: 29.5).state == .paired)
    world.run(30..<31, into: &pairing)
    #expect(world.timing(pairing, at: 30.5).lastPulse?.second == PulseWorld.utc(27))
  }

  @Test("A receiver after a week rollover is paired with a synchronised system clock")
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
    // The receiver then corrects its date.
    world.receiverOffset = 0
    world.run(20..<40, into: &pairing)
    #expect(world.timing(pairing, at: 39.5).lastPulse?.second == PulseWorld.utc(39))
  }

  @Test("An inserted or left-out leap second moves the label at once", arguments: [-1, 1])
  func leapSecond(step: Int64) throws {
    // The simulation starts at noon of 2026-06-01, 29.5 days before midnight of the first of July.
    let midnight = 29 * 86_400 + 43_200
    var world = PulseWorld()
    world.systemOffset = nil
    var pairing = PulsePairing()
    let first = midnight - 20
    world.run(first..<midnight + (step < 0 ? 1 : -1), into: &pairing)
    // The receiver's second 60 is 0 in POSIX time; from then on its time differs by a second.
    world.receiverOffset = step
    let next = midnight + (step < 0 ? 1 : -1)
    world.run(next..<next + 1, into: &pairing)
    #expect(world.timing(pairing, at: Double(next) + 0.5).state == .paired)
    world.run(next + 1..<next + 2, into: &pairing)
    let timing = world.timing(pairing, at: Double(next) + 1.5)
    #expect(timing.state == .paired)
    #expect(timing.lastPulse?.second == PulseWorld.utc(Double(next + 1) + Double(step)))
  }

  @Test("A step of the system clock is reported and does not change the mapping")
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

  @Test("The mapping follows a change of the clock's rate")
  func slewed() throws {
    var world = PulseWorld()
    world.jitter = 2e-6
    var pairing = PulsePairing()
    world.run(0..<80, into: &pairing)
    // 300 ppm from second 80 on. The edges are made here, because the simulation's rate is
    // constant.
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

  @Test("The edge that begins the shorter part of the second is on time", arguments: [true, false])
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

  @Test("With two equal halves the edge must be configured")
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

  @Test("An edge that is read twice counts once")
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

  @Test("A mapping converts instants in both directions")
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
