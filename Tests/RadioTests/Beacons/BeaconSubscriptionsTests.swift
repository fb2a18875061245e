import Foundation
import Quantities
import Radio
import Testing

@Suite("The beacons' subscriptions")
struct BeaconDeskTests {
  private static let all = BeaconConstraint(uuid: .test(1))

  @Test("ranging needs more than regions, and without users no scan is needed")
  func purpose() {
    var desk = BeaconSubscriptions()
    #expect(desk.purpose == nil)
    _ = desk.watch(1, BeaconPresence(Self.all))
    #expect(desk.purpose == .presence)
    _ = desk.range(2, BeaconRanger(Self.all))
    #expect(desk.purpose == .ranging)
    desk.remove(2)
    #expect(desk.purpose == .presence)
    desk.remove(1)
    #expect(desk.purpose == nil)
  }

  @Test("reports start with the scan, also empty ones, and stop while it is not possible")
  func reports() {
    var desk = BeaconSubscriptions()
    _ = desk.range(1, BeaconRanger(Self.all))
    #expect(desk.advance(to: .after(1)).isEmpty)
    #expect(desk.take(.listening(adapter: "hci0")).isEmpty)
    #expect(desk.advance(to: .after(2)) == [.ranging(key: 1, .ranged([], at: .after(2)))])
    #expect(desk.take(.sighting(.test(1, -59, at: 2.5))).isEmpty)
    guard case .ranging(1, .ranged(let beacons, _)) = desk.advance(to: .after(3)).first else {
      Issue.record("no report")
      return
    }
    #expect(beacons.map(\.rssiDBm) == [-59])
    let error = BeaconError(.poweredOff("hci0"))
    #expect(desk.take(.unavailable(error)) == [.ranging(key: 1, .failed(error))])
    #expect(desk.advance(to: .after(4)).isEmpty)
    // A new user gets the fault at once.
    #expect(desk.range(2, BeaconRanger(Self.all)) == [.ranging(key: 2, .failed(error))])
    #expect(desk.watch(3, BeaconPresence(Self.all)) == [.presence(key: 3, .failed(error))])
    _ = desk.take(.listening(adapter: "hci0"))
    #expect(desk.advance(to: .after(5)).count == 2)
  }

  @Test("a lost adapter does not leave a region")
  func adapterGone() {
    var desk = BeaconSubscriptions()
    _ = desk.watch(1, BeaconPresence(Self.all))
    _ = desk.take(.listening(adapter: "hci0"))
    let entered = desk.take(.sighting(.test(1, nil, at: 0)))
    let received = BeaconSighting.test(1, nil, at: 0).identity
    #expect(
      entered == [
        .presence(
          key: 1,
          .changed(.init(from: .unknown, to: .inside, instant: .after(0), identity: received)))
      ])
    _ = desk.take(.unavailable(BeaconError(.noAdapter)))
    #expect(desk.advance(to: .after(500)).isEmpty)
    _ = desk.take(.listening(adapter: "hci0"))
    #expect(desk.advance(to: .after(1000)).isEmpty)
    #expect(desk.advance(to: .after(1029)).isEmpty)
    #expect(
      desk.advance(to: .after(1030)) == [
        .presence(key: 1, .changed(.init(from: .inside, to: .outside, instant: .after(1030))))
      ])
  }
}
