import Foundation
import Glibc
import LinuxIO
import Monitoring
import Quantities
import SimulatedDays
import Storage
import Testing

@Suite("The session of monitoring")
struct DeskTests {
  @Test("events stay pending, in order, until a receiver is set")
  func waiting() throws {
    let desk = try MonitoringSession.open(MemoryFiles())
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    let waiting = desk.pending.map(\.sequence)
    #expect(waiting.count > 30)
    let received = ReceivedEvents()
    received.listen(to: desk)
    desk.settle()
    desk.settle()
    #expect(received.crossings.count >= 8 && received.visits == SimulatedDay.visitWords)
    #expect(desk.pending.isEmpty)
  }

  @Test("an event is on the medium before it is delivered")
  func storedBeforeDelivered() throws {
    let files = MemoryFiles()
    let desk = try MonitoringSession.open(files)
    let lost = ReceivedEvents()
    desk.deliver { event in
      do {
        let stored = try MonitoringJournal(folder: "/state", files: files.afterKill()).load()
        if stored?.pending.contains(event) != true { lost.record(event) }
      } catch { lost.record(event) }
    }
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    #expect(lost.inOrder == [])
    #expect(desk.pending.count > 30)
  }

  @Test("a monitor's events are delivered only while it is open")
  func monitors() throws {
    let desk = try MonitoringSession.open(MemoryFiles())
    let received = ReceivedEvents()
    received.listen(to: desk)
    let home = SimulatedDay.regions[1].condition
    desk.perform(
      .addCondition(monitor: "m", identifier: "home", condition: home, assuming: .unknown))
    for fix in KillTests.day.fixes.prefix(20) { desk.process(fix) }
    desk.settle()
    #expect(received.inOrder == [] && desk.pending.count == 1)
    desk.perform(.openMonitor(name: "m"))
    desk.settle()
    desk.settle()
    #expect(received.inOrder == ["m/home=satisfied"] && desk.pending.isEmpty)
    #expect(desk.registrations().monitors["m"]?["home"]?.lastEvent.state == .satisfied)
    desk.perform(.closeMonitor(name: "m"))
    for fix in KillTests.day.fixes.dropFirst(20) { desk.process(fix) }
    desk.settle()
    // A condition has at most one pending event.
    #expect(received.inOrder.count == 1 && desk.pending.count == 1)
  }

  @Test("fixes at rest are written at most every 120 s")
  func writes() throws {
    let files = MemoryFiles()
    let desk = try MonitoringSession.open(files)
    desk.registerForTheDay()
    let place = SimulatedDay.regions[1].condition
    guard case .circle(let center, _) = place else { return }
    func fix(_ second: Int) -> PlaceFix {
      PlaceFix(
        position: center, horizontalAccuracyMetres: 5,
        time: SimulatedDay.start.advanced(bySeconds: Double(second)))
    }
    for second in 0..<600 { desk.process(fix(second)) }
    desk.settle()
    let before = files.steps
    for second in 600..<4200 {
      desk.process(fix(second))
      desk.settle()
    }
    // An hour of one fix a second: 30 writes of five steps.
    #expect((files.steps - before) / 5 <= 31)
    #expect(files.steps > before)
  }

  @Test("a full card is reported once, and events are delivered nevertheless")
  func fullCard() throws {
    let files = MemoryFiles()
    let desk = try MonitoringSession.open(files)
    let (received, faults) = (ReceivedEvents(), Faults())
    received.listen(to: desk)
    desk.onFault { faults.record($0) }
    files.refusal = ENOSPC
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    #expect(received.visits == SimulatedDay.visitWords)
    #expect(
      faults.all.count == 1 && faults.all.first?.description.contains("free some space") == true)
    #expect(desk.fault?.code == ENOSPC)
    files.refusal = nil
    desk.close()
    #expect(desk.fault == nil)
    let again = try MonitoringSession.open(files.afterKill())
    #expect(again.registrations().regions.count == 4)
  }

  @Test("a new tuning applies to later commands")
  func tuning() throws {
    let desk = try MonitoringSession.open(MemoryFiles())
    let received = ReceivedEvents()
    received.listen(to: desk)
    desk.perform(.startRegion(SimulatedDay.regions[1]))
    var configuration = MonitoringConfiguration()
    configuration.conditionLimit = 1
    desk.use(configuration)
    desk.perform(.startRegion(SimulatedDay.regions[2]))
    desk.settle()
    #expect(desk.registrations().regions.count == 1)
    configuration.conditionLimit = 2
    desk.use(configuration)
    desk.perform(.startRegion(SimulatedDay.regions[2]))
    #expect(desk.registrations().regions.count == 2)
  }

  @Test("the demand is reported at once and on each change")
  func demand() throws {
    let desk = try MonitoringSession(journal: nil)
    let demands = Demands()
    desk.onDemandChange { demands.record($0) }
    desk.settle()
    desk.perform(.startRegion(SimulatedDay.regions[1]))
    desk.settle()
    for fix in KillTests.day.fixes.prefix(3) { desk.process(fix) }
    desk.settle()
    desk.perform(.stopRegion(identifier: "home"))
    desk.settle()
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
