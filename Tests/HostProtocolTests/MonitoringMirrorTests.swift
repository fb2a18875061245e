import HostClient
import HostProtocol
import Monitoring
import Quantities
import Testing

@Suite("Monitoring mirror", .timeLimit(.minutes(30)))
struct MonitoringMirrorTests {
  private func region(_ radius: Double = 100) -> MonitoredRegion {
    MonitoredRegion(
      identifier: "here",
      condition: .circle(
        center: GeodeticPosition(latitudeDegrees: 48.137154, longitudeDegrees: 11.576124),
        radiusMetres: radius))
  }

  private func event(_ sequence: UInt64) -> MonitoringEvent {
    MonitoringEvent(
      sequence: sequence, time: UTCTime(nanosecondsSince1970: 0), kind: .entered(region()))
  }

  @Test("events are delivered once each, and again only to another receiver until acknowledged")
  func events() {
    var mirror = MonitoringMirror()
    func numbers() -> [UInt64] { mirror.deliverNew().map(\.sequence) }
    func takes(_ sequence: UInt64) -> Bool { mirror.receive(event(sequence)) }
    for sequence in [1, 2, 4] as [UInt64] { #expect(takes(sequence)) }
    #expect(numbers() == [1, 2, 4])
    #expect(numbers().isEmpty)
    // The daemon restarts and sends its events again, and one that was queued.
    for sequence in [1, 2, 4] as [UInt64] { #expect(!takes(sequence)) }
    #expect(takes(3))
    #expect(numbers() == [3])
    _ = mirror.perform(.acknowledge(sequence: 2), id: 1)
    #expect(!takes(2))
    mirror.receiverChanged()
    #expect(numbers() == [1, 4, 3])
  }

  @Test("a command executed before the connection was lost is not sent again")
  func doneBefore() {
    var mirror = MonitoringMirror()
    let sent = [mirror.perform(.startRegion(region()), id: 1), mirror.perform(.startVisits, id: 2)]
    #expect(sent.allSatisfy { $0 != nil })
    let first = mirror.resumption(id: 9)
    #expect(first == [.registrations(id: 9)])
    // A command during the request for registrations is queued.
    let meanwhile = mirror.perform(.stopVisits, id: 3)
    #expect(meanwhile == nil)
    var known = MonitoringRegistrations()
    known.regions["here"] = region()
    let others = mirror.receive(known, id: 8)
    #expect(others == nil)
    let left = mirror.receive(known, id: 9)
    #expect(left == [.monitor(id: 2, .startVisits), .monitor(id: 3, .stopVisits)])
    let confirmed = [2, 3, 1].map { mirror.confirm($0) }
    #expect(confirmed == [true, true, false])
    let last = mirror.resumption(id: 10)
    #expect(last.isEmpty)
  }

  @Test("a command is sent again together with a later one about the same registration")
  func followedUp() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region()), id: 1)
    _ = mirror.perform(.stopRegion(identifier: "here"), id: 2)
    _ = mirror.resumption(id: 9)
    var known = MonitoringRegistrations()
    known.regions["here"] = region()
    let left = mirror.receive(known, id: 9)
    #expect(left?.count == 2)
    #expect(mirror.registrations.regions.isEmpty)
  }

  @Test("a temporarily refused command is sent again unless a later one replaces it")
  func refusedForNow() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region()), id: 1)
    _ = mirror.perform(.startVisits, id: 2)
    let busy = HostFault(.other, "the journal is in use")
    let refused = [1, 2].map { mirror.confirm($0, busy) }
    #expect(refused == [true, true])
    #expect(mirror.hasRefused)
    _ = mirror.perform(.stopVisits, id: 3)
    let again = mirror.again()
    #expect(again == [.monitor(id: 1, .startRegion(region()))])
    #expect(!mirror.hasRefused)
    let done = [1, 3].map { mirror.confirm($0) }
    #expect(done == [true, true])
    // A permanently refused command is not sent again.
    _ = mirror.perform(.startVisits, id: 4)
    _ = mirror.confirm(4, HostFault(.malformed, "no"))
    #expect(!mirror.hasRefused)
    let nothing = mirror.resumption(id: 9)
    #expect(nothing.isEmpty)
  }

  @Test("an executed command that was not stored is checked after a reconnection")
  func notKept() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region()), id: 1)
    _ = mirror.confirm(1, HostFault(.notKept, "the disk is full"))
    #expect(!mirror.hasRefused)
    let asked = mirror.resumption(id: 9)
    #expect(asked == [.registrations(id: 9)])
    let lost = mirror.receive(MonitoringRegistrations(), id: 9)
    #expect(lost == [.monitor(id: 1, .startRegion(region()))])
  }

  @Test("an acknowledged event that arrives again is acknowledged again")
  func acknowledgedAgain() {
    var mirror = MonitoringMirror()
    let areNew = [1, 2].map { mirror.receive(event($0)) }
    #expect(areNew == [true, true])
    _ = mirror.perform(.acknowledge(sequence: 1), id: 1)
    let onItsWay = mirror.acknowledgeAgain(1, id: 2)
    #expect(onItsWay == nil)
    _ = mirror.confirm(1)
    let again = mirror.acknowledgeAgain(1, id: 3)
    #expect(again == .monitor(id: 3, .acknowledge(sequence: 1)))
    let waiting = mirror.acknowledgeAgain(2, id: 4)
    #expect(waiting == nil)
  }

  @Test("a new journal may use the numbers of old events for new ones")
  func countedAnew() {
    var mirror = MonitoringMirror()
    mirror.journalIs(5)
    _ = mirror.receive(event(1))
    _ = mirror.perform(.acknowledge(sequence: 1), id: 1)
    mirror.journalIs(5)
    let known = mirror.receive(event(1))
    #expect(!known)
    mirror.journalIs(6)
    let isNew = mirror.receive(event(1))
    #expect(isNew)
    // The old acknowledgement is not sent to the new journal.
    let nothing = mirror.resumption(id: 9)
    #expect(nothing.isEmpty)
  }

  @Test("an event beyond the greatest number is ignored")
  func beyondTheNumbers() {
    var mirror = MonitoringMirror()
    mirror.journalIs(5)
    let isNew = mirror.receive(event(.max))
    #expect(isNew)
    mirror.journalIs(6)
    let isBeyond = mirror.receive(event(1))
    #expect(!isBeyond)
    let again = mirror.acknowledgeAgain(1, id: 2)
    #expect(again == nil)
  }

  @Test(
    "the number of queued commands is limited, and the last one of each slot is sent")
  func bounded() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region()), id: 1)
    for n in 0..<10_000 {
      let command = n % 2 == 0 ? MonitoringCommand.startVisits : .stopVisits
      _ = mirror.perform(command, id: UInt64(n + 2))
    }
    #expect(mirror.pendingCount <= MonitoringMirror.mostPending)
    let asked = mirror.resumption(id: 20_000)
    #expect(asked.count == 1)
    let left = mirror.receive(MonitoringRegistrations(), id: 20_000) ?? []
    #expect(left.first == .monitor(id: 1, .startRegion(region())))
    #expect(left.last == .monitor(id: 10_001, .stopVisits))
    for n in 0..<10_000 {
      _ = mirror.perform(.acknowledge(sequence: UInt64(n)), id: UInt64(n + 30_000))
    }
    #expect(mirror.pendingCount <= MonitoringMirror.mostPending)
  }

  @Test("a changed region of the same identifier is sent")
  func changed() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region(200)), id: 1)
    _ = mirror.resumption(id: 9)
    var known = MonitoringRegistrations()
    known.regions["here"] = region(100)
    let left = mirror.receive(known, id: 9)
    #expect(left?.count == 1)
  }

  @Test("registrations contain commands that the host has not received")
  func ahead() {
    var mirror = MonitoringMirror()
    _ = mirror.perform(.startRegion(region()), id: 1)
    _ = mirror.perform(.startSignificantChanges, id: 2)
    _ = mirror.perform(
      .addCondition(
        monitor: "m", identifier: "c", condition: region().condition, assuming: .unknown), id: 3)
    #expect(mirror.registrations.regions.count == 1 && mirror.registrations.significantChanges)
    #expect(mirror.registrations.monitors["m"]?["c"]?.condition == region().condition)
    mirror.learn(MonitoringRegistrations())
    #expect(mirror.registrations.conditionCount == 2)
    _ = mirror.perform(.stopRegion(identifier: "here"), id: 4)
    #expect(mirror.registrations.regions.isEmpty)
  }
}
