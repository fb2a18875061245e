import Quantities
import Radio
import TestSupport
import Testing

/// A working day in simulated time: a beacon at the desk, one in the corridor, an adapter that is
/// off for ten minutes.
@Suite("Ranging for ten hours", .timeLimit(.minutes(30)))
struct BeaconDayTests {
  private static let all = BeaconConstraint(uuid: .test(1))
  private static let day = 36_000
  private static let atDesk = [600..<11_400, 15_000..<33_000]
  private static let adapterOff = 20_000..<20_600
  private static let (desk, corridor): (UInt16, UInt16) = (1, 2)

  private struct Day {
    var reports: [Int: [RangedBeacon]] = [:]
    var rangingFaults = 0
    var presence: [PresenceReport] = []

    mutating func add(_ messages: [BeaconSubscriptions.Message], at second: Int) {
      for message in messages {
        switch message {
        case .ranging(_, .ranged(let beacons, _)): reports[second] = beacons
        case .ranging(_, .failed): rangingFaults += 1
        case .presence(_, let report): presence.append(report)
        }
      }
    }
  }

  /// One advertisement of each beacon in range, with 4 dB of shadowing.
  private static func sightings(
    at second: Int, _ generator: inout SeededGenerator
  ) -> [BeaconSighting] {
    func strength(_ mean: Int) -> Int { mean + Int.random(in: -4...4, using: &generator) }
    var sightings: [BeaconSighting] = []
    if atDesk.contains(where: { $0.contains(second) }) {
      sightings.append(.test(desk, strength(-62), at: Double(second)))
    }
    // On each way past it.
    if second % 3600 < 20 {
      sightings.append(.test(corridor, strength(-80), at: Double(second)))
    }
    return sightings
  }

  private static func run() -> Day {
    var (day, subscriptions) = (Day(), BeaconSubscriptions())
    var generator = SeededGenerator(seed: 3)
    _ = subscriptions.range(1, BeaconRanger(all))
    _ = subscriptions.watch(
      2, BeaconPresence(BeaconConstraint(uuid: .test(1), major: 1, minor: desk)))
    day.add(subscriptions.receive(.listening(adapter: "hci0")), at: 0)
    for second in 0..<Self.day {
      if second == adapterOff.lowerBound {
        day.add(subscriptions.receive(.unavailable(BeaconError(.noAdapter))), at: second)
      } else if second == adapterOff.upperBound {
        day.add(subscriptions.receive(.listening(adapter: "hci0")), at: second)
      }
      if !adapterOff.contains(second) {
        for sighting in sightings(at: second, &generator) {
          day.add(subscriptions.receive(.sighting(sighting)), at: second)
        }
      }
      day.add(subscriptions.advance(to: .after(Double(second) + 0.5)), at: second)
    }
    return day
  }

  @Test("each second of the scan has one report, with what is near")
  func reports() {
    let day = Self.run()
    #expect(day.reports.count == Self.day - Self.adapterOff.count && day.rangingFaults == 1)
    var (near, total) = (0, 0)
    for (second, beacons) in day.reports {
      let minors = Set(beacons.map(\.identity.minor))
      // A silent beacon is listed for ten seconds.
      let isDesk = Self.atDesk.contains { $0.contains(second) }
      let wasDesk = Self.atDesk.contains { $0.contains(second - 10) }
      if isDesk { #expect(minors.contains(Self.desk), "\(second)") }
      if !isDesk, !wasDesk { #expect(!minors.contains(Self.desk), "\(second)") }
      let passed = second % 3600
      #expect(minors.contains(Self.corridor) ? passed < 30 : passed >= 20, "\(second)")
      guard isDesk, let beacon = beacons.first(where: { $0.identity.minor == Self.desk }) else {
        continue
      }
      total += 1
      near += beacon.proximity == .near ? 1 : 0
    }
    // 3 dB below the strength at 1 m: about 1.4 m.
    #expect(Double(near) > 0.97 * Double(total), "\(near) of \(total)")
  }

  @Test("the desk is reached and left twice; the adapter's absence is no departure")
  func presence() {
    let day = Self.run()
    let words = day.presence.map { report -> String in
      switch report {
      case .changed(let transition): "\(transition.to)"
      case .failed: "failed"
      case .resumed: "resumed"
      }
    }
    #expect(
      words.drop { $0 == "outside" }
        == ["inside", "outside", "inside", "failed", "resumed", "inside", "outside"])
  }
}
