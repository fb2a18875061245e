import Monitoring
import Quantities
import SimulatedDays
import Storage
import Testing

@Suite("Monitoring that is killed", .timeLimit(.minutes(30)))
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

  /// The crossings of the bridge are too fast for one fix a minute.
  static func isSlow(_ word: String) -> Bool { !word.hasSuffix("bridge") }

  @Test("a kill after any fix loses no event and delivers none twice")
  func everyFix() throws {
    let files = MemoryFiles()
    let received = ReceivedEvents()
    let session = try MonitoringSession.open(files)
    received.listen(to: session)
    session.registerForTheDay()
    var moments: [(files: MemoryFiles, received: ReceivedEvents)] = []
    for fix in Self.day.fixes {
      session.process(fix)
      session.waitUntilIdle()
      moments.append((files.afterKill(), ReceivedEvents(received)))
    }
    let crossings = received.crossings.filter(Self.isSlow)
    #expect(crossings == SimulatedDay.crossingWords.filter(Self.isSlow))
    #expect(received.visits == SimulatedDay.visitWords)
    for (index, moment) in moments.enumerated() where index % 3 == 0 || Self.isOnTheWay(index) {
      let session = try MonitoringSession.open(moment.files)
      let later = moment.received
      later.listen(to: session)
      for fix in Self.day.fixes[(index + 1)...] { session.process(fix) }
      session.waitUntilIdle()
      #expect(later.crossings.filter(Self.isSlow) == crossings, "killed after fix \(index)")
      #expect(later.visits == received.visits, "killed after fix \(index)")
      #expect(later.contradictions.isEmpty, "killed after fix \(index)")
    }
  }

  @Test("events without acknowledgement are delivered again after a kill, with the same numbers")
  func unacknowledged() throws {
    let files = MemoryFiles()
    let received = ReceivedEvents()
    let session = try MonitoringSession.open(files)
    received.listen(to: session, acknowledging: false)
    session.registerForTheDay()
    for fix in Self.day.fixes { session.process(fix) }
    session.waitUntilIdle()
    let again = ReceivedEvents()
    let next = try MonitoringSession.open(files.afterKill())
    again.listen(to: next)
    next.waitUntilIdle()
    #expect(again.inOrder == received.inOrder && !received.inOrder.isEmpty)
    next.waitUntilIdle()
    #expect(next.pending.isEmpty)
  }

  @Test("a kill between any two steps of writing loses no delivered event")
  func everyStep() throws {
    var total = 0
    var step = 0
    repeat {
      let files = MemoryFiles()
      files.lastsFor = step
      let received = ReceivedEvents()
      do {
        let session = try MonitoringSession.open(files)
        // A program that cannot write any more counts as killed and receives nothing.
        session.deliver { [weak session] event in
          guard files.steps <= files.lastsFor else { return }
          received.record(event)
          session?.perform(.acknowledge(sequence: event.sequence))
        }
        Self.live(session)
        total = files.steps
      } catch {
        total = step + 2
      }
      let before = received.highest
      let session = try MonitoringSession.open(files.afterKill())
      #expect(session.refusals.isEmpty, "killed at step \(step): \(session.refusals)")
      received.listen(to: session)
      Self.live(session)
      let expected = ["started:home", "home=unsatisfied", "-home", "home=satisfied", "+home"]
      // Commands that were not stored are repeated, as an application does at its start.
      #expect(
        received.inOrder.filter { $0 != "started:home" } == Array(expected.dropFirst()),
        "killed at step \(step) after event \(before)")
      #expect(received.contradictions.isEmpty, "killed at step \(step)")
      step += 1
    } while step <= total
    #expect(step > 40)
  }

  /// Enters, leaves and enters the region.
  private static func live(_ session: MonitoringSession) {
    let home = SimulatedDay.regions[1]
    session.perform(.startRegion(home))
    session.waitUntilIdle()
    guard case .circle(let center, _) = home.condition else {
      Issue.record("\(home.condition)")
      return
    }
    for minute in 0..<24 {
      let isIn = minute < 6 || minute >= 14
      let place = GeodeticPosition(
        latitudeDegrees: center.latitude.degrees + (isIn ? 0 : 0.01),
        longitudeDegrees: center.longitude.degrees)
      let time = SimulatedDay.start.advanced(bySeconds: Double(minute) * 60)
      guard time > session.lastFix?.time ?? SimulatedDay.start.advanced(bySeconds: -1) else {
        continue
      }
      session.process(PlaceFix(position: place, horizontalAccuracyMetres: 5, time: time))
      session.waitUntilIdle()
    }
  }
}
