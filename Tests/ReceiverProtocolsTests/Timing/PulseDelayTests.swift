import Quantities
import ReceiverProtocols
import Testing

@Suite("Second of a pulse by message delay", .timeLimit(.minutes(30)))
struct PulseDelayTests {
  /// The error of the paired second of the last of twenty pulses, s.
  private func error(_ world: PulseWorld, configured: Double? = nil) -> (Double?, PulseTiming) {
    var world = world
    var parameters = PulsePairing.Parameters()
    parameters.messageDelaySeconds = configured
    var pairing = PulsePairing(parameters: parameters)
    world.run(0..<20, into: &pairing)
    let timing = world.timing(pairing, at: 19.999)
    return (timing.lastPulse?.second?.seconds(since: PulseWorld.utc(19)), timing)
  }

  @Test(
    "A typical delay within the second after the pulse decides",
    arguments: [0.05, 0.3, 0.6, 0.9])
  func typical(delay: Double) throws {
    var world = PulseWorld()
    world.delay = delay
    // The system clock is wrong by an hour and reports no error estimate.
    world.systemOffset = 3600.3
    let (second, timing) = error(world)
    #expect(second == 0)
    let found = try #require(timing.messageDelaySeconds)
    #expect(abs(found - delay) < 1e-6)
    let offset = try #require(timing.systemOffsetSeconds)
    #expect(abs(offset - 3600.3) < 1e-6)
  }

  @Test("Sentences close to the pulse are not paired", arguments: [0.0, 1.0])
  func ambiguous(delay: Double) {
    var world = PulseWorld()
    world.delay = delay
    world.delayJitter = 0.03
    world.systemOffset = 3600.3
    let (second, timing) = error(world)
    #expect(second == nil)
    #expect(timing.state == .unpaired)
    #expect(timing.obstacle == .delay || timing.obstacle == .learning)
    #expect(timing.mapping == nil)
  }

  @Test(
    "A configured delay decides, also beyond a second and before the pulse",
    arguments: [-0.3, 0.0, 0.5, 1.0, 1.4])
  func configured(delay: Double) throws {
    var world = PulseWorld()
    world.delay = delay
    world.delayJitter = 0.03
    world.systemOffset = 3600.3
    let (second, timing) = error(world, configured: delay + 0.2)
    #expect(second == 0)
    let found = try #require(timing.messageDelaySeconds)
    #expect(abs(found - delay) < 0.05)
  }

  @Test(
    "A synchronised system clock decides",
    arguments: [-0.3, 0.0, 0.5, 1.0, 1.4])
  func clock(delay: Double) {
    var world = PulseWorld()
    world.delay = delay
    world.delayJitter = 0.03
    world.systemOffset = -0.02
    world.systemError = 0.05
    #expect(error(world).0 == 0)
  }

  @Test(
    "An unsynchronised system clock close to another second prevents the pairing",
    arguments: [-0.3, 1.4])
  func doubt(delay: Double) {
    var world = PulseWorld()
    world.delay = delay
    world.systemOffset = 0.01
    let (second, timing) = error(world)
    #expect(second == nil)
    #expect(timing.obstacle == .clock)
  }

  @Test("A receiver's announcements decide within three pulses")
  func announced() {
    var world = PulseWorld()
    world.delay = 1.3
    world.systemOffset = nil
    var pairing = PulsePairing()
    for second in 0..<20 {
      pairing.add(
        PulseAnnouncement(
          second: PulseWorld.utc(Double(second)), arrival: world.instant(Double(second) - 0.4)))
      if second > 0 { pairing.add(world.epoch(Double(second - 2))) }
      let pulse = pairing.add(world.edge(Double(second)))
      if second >= 3 { #expect(pulse?.second == PulseWorld.utc(Double(second))) }
    }
    #expect(world.timing(pairing, at: 19.2).state == .paired)
  }

  @Test("A synchronised system clock replaces a label by typical delay")
  func denied() {
    var world = PulseWorld()
    world.delay = 1.3
    world.systemOffset = 3600.3
    var pairing = PulsePairing()
    world.run(0..<10, into: &pairing)
    #expect(world.timing(pairing, at: 9.99).lastPulse?.second == PulseWorld.utc(8))
    world.systemOffset = 0
    world.systemError = 0.01
    world.run(10..<20, into: &pairing)
    #expect(world.timing(pairing, at: 19.99).lastPulse?.second == PulseWorld.utc(19))
  }

  @Test("A delay that drifts beyond a second keeps its label")
  func wandering() throws {
    var world = PulseWorld()
    world.systemOffset = nil
    var pairing = PulsePairing()
    world.delay = 0.7
    world.run(0..<20, into: &pairing)
    for second in 20..<40 {
      world.delay = 0.7 + 0.03 * Double(second - 20)
      pairing.add(world.epoch(Double(second - 1)))
      _ = pairing.add(world.edge(Double(second)))
    }
    let timing = world.timing(pairing, at: 39.1)
    #expect(timing.lastPulse?.second == PulseWorld.utc(39))
    #expect(timing.state == .paired)
  }
}
