import Quantities
import ReceiverProtocols
import Testing

@Suite("Pairing of pulses with the receiver's time", .timeLimit(.minutes(30)))
struct PulsePairingTests {
  @Test("The simulated clock errors, delay and jitter are measured")
  func figures() throws {
    var world = PulseWorld()
    world.partsPerMillion = 12.5
    world.systemOffset = 0.034_567
    world.jitter = 4e-6
    world.delay = 0.137
    world.delayJitter = 0.01
    var pairing = PulsePairing()
    world.run(0..<120, into: &pairing)
    let timing = world.timing(pairing, at: 119.5)
    #expect(timing.state == .paired)
    #expect(timing.obstacle == nil)
    // Sixty-four pulses of 4 us: the line is known to about 1 us at its end, its slope to 0.03 ppm.
    let offset = try #require(timing.systemOffsetSeconds)
    #expect(abs(offset - 0.034_567) < 5e-6)
    let rate = try #require(timing.frequencyErrorPartsPerMillion)
    #expect(abs(rate - 12.5) < 0.15)
    let jitter = try #require(timing.jitterSeconds)
    #expect(jitter > 2.4e-6 && jitter < 6e-6)
    let delay = try #require(timing.messageDelaySeconds)
    #expect(abs(delay - 0.137) < 0.01)
    let error = try #require(world.error(of: timing, at: 119.5))
    #expect(abs(error) < 5e-6)
    #expect((timing.used, timing.missed, timing.refused) == (118, 0, 0))
    #expect(timing.lastPulse?.second == PulseWorld.utc(119))
    // The instant of a fix is before its arrival.
    let about = pairing.instant(of: PulseWorld.utc(119.4), arrivedAt: world.instant(119.6))
    let moved = try #require(about)
    #expect(abs(moved.seconds(since: world.instant(119.4))) < 5e-6)
  }

  @Test("Late interrupts do not change offset and jitter")
  func lateInterrupts() throws {
    var world = PulseWorld()
    world.partsPerMillion = -40
    world.jitter = 2e-6
    var pairing = PulsePairing()
    for second in 0..<100 {
      let late = second % 9 == 5 ? 0.0018 : 0
      _ = pairing.add(world.edge(Double(second) + late))
      pairing.add(world.epoch(Double(second)))
    }
    let timing = world.timing(pairing, at: 99.5)
    let error = try #require(world.error(of: timing, at: 99.5))
    #expect(abs(error) < 5e-6)
    let jitter = try #require(timing.jitterSeconds)
    #expect(jitter < 4e-6)
    let rate = try #require(timing.frequencyErrorPartsPerMillion)
    #expect(abs(rate + 40) < 0.2)
    #expect(timing.refused == 0)
  }

  @Test("There is no pairing before four epochs agree")
  func fourEpochs() {
    var world = PulseWorld()
    var pairing = PulsePairing()
    #expect(world.timing(pairing, at: 0).state == .noPulse)
    world.hasFix = false
    world.run(0..<4, into: &pairing)
    #expect(world.timing(pairing, at: 3.5).state == .unpaired)
    #expect(world.timing(pairing, at: 3.5).obstacle == .noFix)
    world.hasFix = true
    world.run(4..<7, into: &pairing)
    #expect(world.timing(pairing, at: 6.5).obstacle == .learning)
    #expect(world.timing(pairing, at: 6.5).mapping == nil)
    #expect(pairing.instant(of: PulseWorld.utc(6), arrivedAt: world.instant(6.5)) == nil)
    world.run(7..<8, into: &pairing)
    #expect(world.timing(pairing, at: 7.5).state == .paired)
  }

  @Test("Missing pulses are counted and bridged")
  func missing() throws {
    var world = PulseWorld()
    world.partsPerMillion = 80
    var pairing = PulsePairing()
    for second in 0..<60 {
      if !(second == 20 || (30..<37).contains(second)) {
        _ = pairing.add(world.edge(Double(second)))
      }
      pairing.add(world.epoch(Double(second)))
    }
    let timing = world.timing(pairing, at: 59.5)
    #expect(timing.state == .paired)
    #expect((timing.used, timing.missed) == (50, 8))
    let error = try #require(world.error(of: timing, at: 59.5))
    #expect(abs(error) < 1e-6)
  }

  @Test("Bounce and noise are refused, also at the beginning")
  func noise() throws {
    var world = PulseWorld()
    var random = SplitMix(state: 7)
    var pairing = PulsePairing()
    for second in 0..<40 {
      let t = Double(second)
      _ = pairing.add(world.edge(t))
      _ = pairing.add(world.edge(t + 60e-6))
      pairing.add(world.epoch(t))
      _ = pairing.add(world.edge(t + 0.3 + 0.3 * random.uniform()))
    }
    let timing = world.timing(pairing, at: 39.5)
    #expect(timing.state == .paired)
    #expect(timing.lastPulse?.second == PulseWorld.utc(39))
    #expect(timing.refused > 70)
    let error = try #require(world.error(of: timing, at: 39.5))
    #expect(abs(error) < 1e-6)
  }

  @Test("At five epochs per second only whole seconds count")
  func fiveHertz() throws {
    var world = PulseWorld()
    world.delay = 0.09
    var pairing = PulsePairing()
    for second in 0..<20 {
      _ = pairing.add(world.edge(Double(second)))
      for part in 0..<5 { pairing.add(world.epoch(Double(second) + 0.2 * Double(part))) }
    }
    let timing = world.timing(pairing, at: 19.95)
    #expect(timing.state == .paired)
    let delay = try #require(timing.messageDelaySeconds)
    #expect(abs(delay - 0.09) < 1e-6)
    let error = try #require(world.error(of: timing, at: 19.95))
    #expect(abs(error) < 1e-6)
  }

  @Test("Several epochs of one instant count once")
  func talkers() {
    var world = PulseWorld()
    var pairing = PulsePairing()
    for second in 0..<6 {
      _ = pairing.add(world.edge(Double(second)))
      guard second >= 3 else { continue }
      for _ in 0..<3 { pairing.add(world.epoch(Double(second))) }
    }
    // Three seconds, nine epochs: no pairing yet.
    #expect(world.timing(pairing, at: 5.5).state == .unpaired)
  }

  @Test("The announced quantisation error is corrected")
  func quantisation() throws {
    var world = PulseWorld()
    var random = SplitMix(state: 3)
    var pairing = PulsePairing()
    for second in 0..<80 {
      // The pulse is early by this time: a receiver's tick of 48 MHz.
      let early = (random.uniform() - 0.5) * 20.8e-9
      pairing.add(
        PulseAnnouncement(
          second: PulseWorld.utc(Double(second)),
          quantisationErrorPicoseconds: Int32(bounded: (early * 1e12).rounded()),
          arrival: world.instant(Double(second) - 0.3)))
      _ = pairing.add(world.edge(Double(second) - early))
      pairing.add(world.epoch(Double(second)))
    }
    let timing = world.timing(pairing, at: 79.5)
    let jitter = try #require(timing.jitterSeconds)
    // The timestamps' resolution is a nanosecond; uncorrected, the jitter would be at least 6 ns.
    #expect(jitter < 1e-9)
    #expect(timing.lastPulse?.quantisationErrorPicoseconds != nil)
  }

  @Test("Week and time of week are converted to UTC")
  func weeks() {
    // 2026-06-01T12:00:00Z is a Monday: day 16948 of GPS, week 2421, day 1; GPS is 18 s ahead.
    let arrival = Timestamp(nanoseconds: 1)
    let inGPS = PulseAnnouncement(
      week: 2421, timeOfWeekMilliseconds: (86_400 + 43_200 + 18) * 1000, leapSeconds: 18,
      quantisationErrorPicoseconds: nil, arrival: arrival)
    #expect(inGPS.second == UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    let unknown = PulseAnnouncement(
      week: 2421, timeOfWeekMilliseconds: 0, leapSeconds: nil, quantisationErrorPicoseconds: 5,
      arrival: arrival)
    #expect(unknown.second == nil)
  }
}
