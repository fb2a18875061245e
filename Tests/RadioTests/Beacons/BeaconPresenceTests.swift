import Quantities
import Radio
import Testing

@Suite("Beacon regions", .timeLimit(.minutes(30)))
struct BeaconPresenceTests {
  private static let region = BeaconConstraint(uuid: .test(1), major: 1)

  @Test("the first sighting is inside, 30 s without one are outside, and nothing is reported twice")
  func enterAndLeave() {
    var presence = BeaconPresence(Self.region)
    var transitions: [BeaconPresence.Transition] = []
    for second in 0..<200 {
      // Received until 60 s, with gaps of 29 s.
      if second <= 60, second.isMultiple(of: 29) {
        if let change = presence.add(.test(1, -70, at: Double(second))) {
          transitions.append(change)
        }
      }
      if let change = presence.advance(to: .after(Double(second) + 0.5)) {
        transitions.append(change)
      }
    }
    #expect(transitions.map(\.to) == [.inside, .outside])
    #expect(transitions.first?.from == .unknown)
    #expect(transitions.last?.instant == .after(58 + 30 + 0.5))
  }

  @Test("without a beacon it is outside after a scan of 30 s")
  func outside() {
    var presence = BeaconPresence(Self.region)
    #expect(presence.advance(to: .after(0)) == nil)
    #expect(presence.advance(to: .after(29.9)) == nil)
    #expect(
      presence.advance(to: .after(30)) == .init(from: .unknown, to: .outside, instant: .after(30)))
  }

  @Test("a beacon outside the constraint is ignored")
  func foreign() {
    var presence = BeaconPresence(BeaconConstraint(uuid: .test(2)))
    #expect(presence.add(.test(1, -50, at: 0)) == nil)
    #expect(presence.state == .unknown)
  }

  @Test("after a lost scan the state is unknown until a sighting or a full silence")
  func reset() {
    var presence = BeaconPresence(Self.region)
    _ = presence.add(.test(1, -50, at: 0))
    presence.reset()
    #expect(presence.state == .unknown)
    #expect(presence.advance(to: .after(1000)) == nil)
    #expect(presence.advance(to: .after(1029)) == nil)
    #expect(presence.state == .unknown)
    #expect(presence.advance(to: .after(1030))?.to == .outside)
  }
}
