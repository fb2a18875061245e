import CalibrationStore
import Foundation
import Glibc
import Monitoring
import MonitoringStore
import Quantities
import SimulatedDays
import Testing

@Suite("The desk of monitoring")
struct DeskTests {
  @Test("2.4d events wait, in order, until somebody takes them")
  func waiting() throws {
    let desk = try MonitoringDesk.open(MemoryFiles())
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    let waiting = desk.pending.map(\.sequence)
    #expect(waiting.count > 30)
    let told = Told()
    told.listen(to: desk)
    desk.settle()
    desk.settle()
    #expect(told.crossings.count >= 8 && told.visits == SimulatedDay.visitWords)
    #expect(desk.pending.isEmpty)
  }

  @Test("an event is on the medium before it is handed over")
  func keptBeforeTold() throws {
    let files = MemoryFiles()
    let desk = try MonitoringDesk.open(files)
    let lost = Told()
    desk.deliver { event in
      do {
        let kept = try MonitoringJournal(folder: "/state", files: files.afterKill()).load()
        if kept?.pending.contains(event) != true { lost.take(event) }
      } catch { lost.take(event) }
    }
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    #expect(lost.inOrder == [])
    #expect(desk.pending.count > 30)
  }

  @Test("2.15 a monitor's events wait until it is opened, and again from when it is closed")
  func monitors() throws {
    let desk = try MonitoringDesk.open(MemoryFiles())
    let told = Told()
    told.listen(to: desk)
    let home = SimulatedDay.regions[1].condition
    desk.perform(
      .addCondition(monitor: "m", identifier: "home", condition: home, assuming: .unknown))
    for fix in KillTests.day.fixes.prefix(20) { desk.process(fix) }
    desk.settle()
    #expect(told.inOrder == [] && desk.pending.count == 1)
    desk.perform(.openMonitor(name: "m"))
    desk.settle()
    desk.settle()
    #expect(told.inOrder == ["m/home=satisfied"] && desk.pending.isEmpty)
    #expect(desk.registrations().monitors["m"]?["home"]?.lastEvent.state == .satisfied)
    desk.perform(.closeMonitor(name: "m"))
    for fix in KillTests.day.fixes.dropFirst(20) { desk.process(fix) }
    desk.settle()
    // One waits; while it does the condition makes no other.
    #expect(told.inOrder.count == 1 && desk.pending.count == 1)
  }

  @Test("a fix that changes nothing of worth is not written")
  func writes() throws {
    let files = MemoryFiles()
    let desk = try MonitoringDesk.open(files)
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

  @Test("a full card is told once, and events are told all the same")
  func fullCard() throws {
    let files = MemoryFiles()
    let desk = try MonitoringDesk.open(files)
    let (told, faults) = (Told(), Faults())
    told.listen(to: desk)
    desk.onFault { faults.take($0) }
    files.refusal = ENOSPC
    desk.registerForTheDay()
    for fix in KillTests.day.fixes { desk.process(fix) }
    desk.settle()
    #expect(told.visits == SimulatedDay.visitWords)
    #expect(
      faults.all.count == 1 && faults.all.first?.description.contains("free some space") == true)
    #expect(desk.fault?.code == ENOSPC)
    files.refusal = nil
    desk.close()
    #expect(desk.fault == nil)
    let again = try MonitoringDesk.open(files.afterKill())
    #expect(again.registrations().regions.count == 4)
  }

  @Test("another tuning holds from when it is given")
  func tuning() throws {
    let desk = try MonitoringDesk.open(MemoryFiles())
    let told = Told()
    told.listen(to: desk)
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

  @Test("whoever drives the receiver hears the demand at once and on each change")
  func demand() throws {
    let desk = try MonitoringDesk(journal: nil)
    let demands = Demands()
    desk.onDemandChange { demands.take($0) }
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
  func take(_ fault: FileFault) { lock.withLock { faults.append(fault) } }
  var all: [FileFault] { lock.withLock { faults } }
}

private final class Demands: @unchecked Sendable {
  private let lock = NSLock()
  private var demands: [FixDemand] = []
  func take(_ demand: FixDemand) { lock.withLock { demands.append(demand) } }
  var all: [FixDemand] { lock.withLock { demands } }
}
