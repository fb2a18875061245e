import Foundation
import Glibc
import LinuxIO
import Monitoring
import Quantities
import SimulatedDays
import Storage
import Testing

@Suite("The monitoring session of an application", .timeLimit(.minutes(30)))
struct MonitoringSessionTests {
  @Test("events stay pending, in order, until a receiver is set")
  func waiting() throws {
    let session = try MonitoringSession.open(MemoryFiles())
    session.registerForTheDay()
    for fix in KillTests.day.fixes { session.process(fix) }
    session.waitUntilIdle()
    let waiting = session.pending.map(\.sequence)
    #expect(waiting.count > 30)
    let received = ReceivedEvents()
    received.listen(to: session)
    session.waitUntilIdle()
    session.waitUntilIdle()
    #expect(received.crossings.count >= 8 && received.visits == SimulatedDay.visitWords)
    #expect(session.pending.isEmpty)
  }

  @Test("an event is on the medium before it is delivered")
  func storedBeforeDelivered() throws {
    let files = MemoryFiles()
    let session = try MonitoringSession.open(files)
    let lost = ReceivedEvents()
    session.deliver { event in
      do {
        let stored = try MonitoringJournal(folder: "/state", files: files.afterKill()).load()
        if stored?.pending.contains(event) != true { lost.record(event) }
      } catch { lost.record(event) }
    }
    session.registerForTheDay()
    for fix in KillTests.day.fixes { session.process(fix) }
    session.waitUntilIdle()
    #expect(lost.inOrder == [])
    #expect(session.pending.count > 30)
  }

  @Test("a monitor's events are delivered only while it is open")
  func monitors() throws {
    let session = try MonitoringSession.open(MemoryFiles())
    let received = ReceivedEvents()
    received.listen(to: session)
    let home = SimulatedDay.regions[1].condition
    session.perform(
      .addCondition(monitor: "m", identifier: "home", condition: home, assuming: .unknown))
    for fix in KillTests.day.fixes.prefix(20) { session.process(fix) }
    session.waitUntilIdle()
    #expect(received.inOrder == [] && session.pending.count == 1)
    session.perform(.openMonitor(name: "m"))
    session.waitUntilIdle()
    session.waitUntilIdle()
    #expect(received.inOrder == ["m/home=satisfied"] && session.pending.isEmpty)
    #expect(session.registrations().monitors["m"]?["home"]?.lastEvent.state == .satisfied)
    session.perform(.closeMonitor(name: "m"))
    for fix in KillTests.day.fixes.dropFirst(20) { session.process(fix) }
    session.waitUntilIdle()
    // A condition has at most one pending event.
    #expect(received.inOrder.count == 1 && session.pending.count == 1)
  }

  @Test("fixes at rest are written at most every 120 s")
  func writes() throws {
    let files = MemoryFiles()
    let session = try MonitoringSession.open(files)
    session.registerForTheDay()
    let place = SimulatedDay.regions[1].condition
    guard case .circle(let center, _) = place else {
      Issue.record("\(place)")
      return
    }
    func fix(_ second: Int) -> PlaceFix {
      PlaceFix(
        position: center, horizontalAccuracyMetres: 5,
        time: SimulatedDay.start.advanced(bySeconds: Double(second)))
    }
    for second in 0..<600 { session.process(fix(second)) }
    session.waitUntilIdle()
    let before = files.steps
    for second in 600..<4200 {
      session.process(fix(second))
      session.waitUntilIdle()
    }
    // An hour of one fix a second: 30 writes of five steps.
    #expect((files.steps - before) / 5 <= 31)
    #expect(files.steps > before)
  }

  @Test("a full card is reported once, and events are delivered nevertheless")
  func fullCard() throws {
    let files = MemoryFiles()
    let session = try MonitoringSession.open(files)
    let (received, faults) = (ReceivedEvents(), Faults())
    received.listen(to: session)
    session.onFault { faults.record($0) }
    files.refusal = ENOSPC
    session.registerForTheDay()
    for fix in KillTests.day.fixes { session.process(fix) }
    session.waitUntilIdle()
    #expect(received.visits == SimulatedDay.visitWords)
    #expect(
      faults.all.count == 1 && faults.all.first?.description.contains("free some space") == true)
    #expect(session.fault?.code == ENOSPC)
    files.refusal = nil
    session.close()
    #expect(session.fault == nil)
    let again = try MonitoringSession.open(files.afterKill())
    #expect(again.registrations().regions.count == 4)
  }

  @Test("a new tuning applies to later commands")
  func tuning() throws {
    let session = try MonitoringSession.open(MemoryFiles())
    let received = ReceivedEvents()
    received.listen(to: session)
    session.perform(.startRegion(SimulatedDay.regions[1]))
    var configuration = MonitoringConfiguration()
    configuration.conditionLimit = 1
    session.use(configuration)
    session.perform(.startRegion(SimulatedDay.regions[2]))
    session.waitUntilIdle()
    #expect(session.registrations().regions.count == 1)
    configuration.conditionLimit = 2
    session.use(configuration)
    session.perform(.startRegion(SimulatedDay.regions[2]))
    #expect(session.registrations().regions.count == 2)
  }

  @Test("the demand is reported at once and on each change")
  func demand() throws {
    let session = try MonitoringSession(journal: nil)
    let demands = Demands()
    session.onDemandChange { demands.record($0) }
    session.waitUntilIdle()
    session.perform(.startRegion(SimulatedDay.regions[1]))
    session.waitUntilIdle()
    for fix in KillTests.day.fixes.prefix(3) { session.process(fix) }
    session.waitUntilIdle()
    session.perform(.stopRegion(identifier: "home"))
    session.waitUntilIdle()
    #expect(demands.all.first == FixDemand.none && demands.all.last == FixDemand.none)
    #expect(demands.all.contains(.continuous) && demands.all.contains(.every(seconds: 20)))
  }
}

private final class Faults: @unchecked Sendable {
  private let lock = NSLock()
  private var faults: [FileFault] = []
  func record(_ fault: FileFault) { lock.withLock { faults.append(fault) } }
  var all: [FileFault] { lock.withLock { faults } }
}

private final class Demands: @unchecked Sendable {
  private let lock = NSLock()
  private var demands: [FixDemand] = []
  func record(_ demand: FixDemand) { lock.withLock { demands.append(demand) } }
  var all: [FixDemand] { lock.withLock { demands } }
}
