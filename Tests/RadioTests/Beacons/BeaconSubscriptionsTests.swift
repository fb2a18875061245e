import Foundation
import Quantities
import Radio
import Testing

@Suite("The beacons' subscriptions", .timeLimit(.minutes(30)))
struct BeaconSubscriptionsTests {
  private static let all = BeaconConstraint(uuid: .test(1))

  @Test("ranging needs more than regions, and without users no scan is needed")
  func purpose() {
    var subscriptions = BeaconSubscriptions()
    #expect(subscriptions.purpose == nil)
    _ = subscriptions.watch(1, BeaconPresence(Self.all))
    #expect(subscriptions.purpose == .presence)
    _ = subscriptions.range(2, BeaconRanger(Self.all))
    #expect(subscriptions.purpose == .ranging)
    subscriptions.remove(2)
    #expect(subscriptions.purpose == .presence)
    subscriptions.remove(1)
    #expect(subscriptions.purpose == nil)
  }

  @Test("reports start with the scan, also empty ones, and stop while it is not possible")
  func reports() {
    var subscriptions = BeaconSubscriptions()
    _ = subscriptions.range(1, BeaconRanger(Self.all))
    #expect(subscriptions.advance(to: .after(1)).isEmpty)
    #expect(subscriptions.receive(.listening(adapter: "hci0")).isEmpty)
    #expect(subscriptions.advance(to: .after(2)) == [.ranging(key: 1, .ranged([], at: .after(2)))])
    #expect(subscriptions.receive(.sighting(.test(1, -59, at: 2.5))).isEmpty)
    guard case .ranging(1, .ranged(let beacons, _)) = subscriptions.advance(to: .after(3)).first
    else {
      Issue.record("no report")
      return
    }
    #expect(beacons.map(\.rssiDBm) == [-59])
    let error = BeaconError(.poweredOff("hci0"))
    #expect(subscriptions.receive(.unavailable(error)) == [.ranging(key: 1, .failed(error))])
    #expect(subscriptions.advance(to: .after(4)).isEmpty)
    // A new user gets the fault at once.
    #expect(subscriptions.range(2, BeaconRanger(Self.all)) == [.ranging(key: 2, .failed(error))])
    #expect(subscriptions.watch(3, BeaconPresence(Self.all)) == [.presence(key: 3, .failed(error))])
    _ = subscriptions.receive(.listening(adapter: "hci0"))
    #expect(subscriptions.advance(to: .after(5)).count == 2)
  }

  @Test("a lost adapter does not leave a region")
  func adapterGone() {
    var subscriptions = BeaconSubscriptions()
    _ = subscriptions.watch(1, BeaconPresence(Self.all))
    _ = subscriptions.receive(.listening(adapter: "hci0"))
    let entered = subscriptions.receive(.sighting(.test(1, nil, at: 0)))
    let received = BeaconSighting.test(1, nil, at: 0).identity
    #expect(
      entered == [
        .presence(
          key: 1,
          .changed(.init(from: .unknown, to: .inside, instant: .after(0), identity: received)))
      ])
    _ = subscriptions.receive(.unavailable(BeaconError(.noAdapter)))
    #expect(subscriptions.advance(to: .after(500)).isEmpty)
    #expect(
      subscriptions.receive(.listening(adapter: "hci0")) == [.presence(key: 1, .resumed)])
    #expect(subscriptions.advance(to: .after(1000)).isEmpty)
    #expect(subscriptions.advance(to: .after(1029)).isEmpty)
    #expect(
      subscriptions.advance(to: .after(1030)) == [
        .presence(key: 1, .changed(.init(from: .unknown, to: .outside, instant: .after(1030))))
      ])
  }
}
