import Monitoring
import MonitoringStore
import Quantities
import SimulatedDays
import Testing

@Suite("Monitoring that is killed")
struct KillTests {
  static let day: SimulatedDay = {
    var options = SimulatedDay.Options(seed: 12)
    options.intervalSeconds = 60
    return SimulatedDay(options)
  }()
  /// Outside the hours at rest.
  private static func isOnTheWay(_ index: Int) -> Bool {
    let fix = day.fixes[index]
    return (day.fixes[index].speedMetresPerSecond ?? 0) > 0.8
      || fix.time.seconds(since: SimulatedDay.start) < 600
  }

  /// Too fast for a fix a minute.
  static func isSlow(_ word: String) -> Bool { !word.hasSuffix("bridge") }

  @Test("killed after any fix and started again nothing is lost and nothing is told twice")
  func everyFix() throws {
    let files = MemoryFiles()
    let told = Told()
    let desk = try MonitoringDesk.open(files)
    told.listen(to: desk)
    desk.registerForTheDay()
    var moments: [(files: MemoryFiles, told: Told)] = []
    for fix in Self.day.fixes {
      desk.process(fix)
      desk.settle()
      moments.append((files.afterKill(), Told(told)))
    }
    let crossings = told.crossings.filter(Self.isSlow)
    #expect(crossings == SimulatedDay.crossingWords.filter(Self.isSlow))
    #expect(told.visits == SimulatedDay.visitWords)
    for (index, moment) in moments.enumerated() where index % 3 == 0 || Self.isOnTheWay(index) {
      let desk = try MonitoringDesk.open(moment.files)
      let later = moment.told
      later.listen(to: desk)
      for fix in Self.day.fixes[(index + 1)...] { desk.process(fix) }
      desk.settle()
      #expect(later.crossings.filter(Self.isSlow) == crossings, "killed after fix \(index)")
      #expect(later.visits == told.visits, "killed after fix \(index)")
      #expect(later.contradictions.isEmpty, "killed after fix \(index)")
    }
  }

  @Test("killed before it acknowledged it hears the same events again, by the same numbers")
  func unacknowledged() throws {
    let files = MemoryFiles()
    let told = Told()
    let desk = try MonitoringDesk.open(files)
    told.listen(to: desk, acknowledging: false)
    desk.registerForTheDay()
    for fix in Self.day.fixes { desk.process(fix) }
    desk.settle()
    let again = Told()
    let next = try MonitoringDesk.open(files.afterKill())
    again.listen(to: next)
    next.settle()
    #expect(again.inOrder == told.inOrder && !told.inOrder.isEmpty)
    next.settle()
    #expect(next.pending.isEmpty)
  }

  @Test("killed between any two steps of writing, what was told is kept and goes on from there")
  func everyStep() throws {
    var total = 0
    var step = 0
    repeat {
      let files = MemoryFiles()
      files.lastsFor = step
      let told = Told()
      do {
        let desk = try MonitoringDesk.open(files)
        // A program that cannot write any more is dead: it tells nothing either.
        desk.deliver { [weak desk] event in
          guard files.steps <= files.lastsFor else { return }
          told.take(event)
          desk?.perform(.acknowledge(sequence: event.sequence))
        }
        Self.live(desk)
        total = files.steps
      } catch {
        total = step + 2
      }
      let before = told.highest
      let desk = try MonitoringDesk.open(files.afterKill())
      #expect(desk.refusals.isEmpty, "killed at step \(step): \(desk.refusals)")
      told.listen(to: desk)
      Self.live(desk)
      let expected = ["started:home", "home=unsatisfied", "-home", "home=satisfied", "+home"]
      // Commands that were not kept are given again, as an application does when it starts.
      #expect(
        told.inOrder.filter { $0 != "started:home" } == Array(expected.dropFirst()),
        "killed at step \(step) after event \(before)")
      #expect(told.contradictions.isEmpty, "killed at step \(step)")
      step += 1
    } while step <= total
    #expect(step > 40)
  }

  /// In, out, and in again.
  private static func live(_ desk: MonitoringDesk) {
    let home = SimulatedDay.regions[1]
    desk.perform(.startRegion(home))
    desk.settle()
    guard case .circle(let center, _) = home.condition else { return }
    for minute in 0..<24 {
      let isIn = minute < 6 || minute >= 14
      let place = GeodeticPosition(
        latitudeDegrees: center.latitude.degrees + (isIn ? 0 : 0.01),
        longitudeDegrees: center.longitude.degrees)
      let time = SimulatedDay.start.advanced(bySeconds: Double(minute) * 60)
      guard time > desk.lastFix?.time ?? SimulatedDay.start.advanced(bySeconds: -1) else {
        continue
      }
      desk.process(PlaceFix(position: place, horizontalAccuracyMetres: 5, time: time))
      desk.settle()
    }
  }
}
