import Board
import Configuration
import Foundation
import HostClient
import LinuxIO
import LocationHost
import Monitoring
import Observers
import Quantities
import ScriptedSource
import TestSupport
import Testing

@Suite("Two copies of a program without a daemon", .timeLimit(.minutes(30)))
struct TwoCopiesTests {
  private let folder: TemporaryFolder
  private let region = MonitoredRegion(
    identifier: "home",
    condition: .circle(
      center: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11), radiusMetres: 100))

  init() throws { folder = try TemporaryFolder() }

  /// A copy: its host, its client, and what it prints.
  private final class Copy: Sendable {
    let client: HostClient
    let host: LocationHost
    let lines = Collected<String>()
    private let notices: Observation

    init(stateFolder: String) {
      let (publisher, lines) = (ScriptedPublisher(), lines)
      // As a program prints it.
      let log = HostLog { priority, text in
        if priority.rawValue <= HostLog.Priority.warning.rawValue { lines.add(text) }
      }
      let opening = SourceOpening(isLive: true) { () throws(SourceError) in
        OpenedSource(publisher: publisher)
      }
      var configuration = HostConfiguration(stateFolder: stateFolder)
      configuration.isInProcess = true
      host = LocationHost(
        configuration,
        LocationHost.Parts(
          access: ScriptedHost.access(),
          journals: StoredMonitoring(stateFolder: stateFolder, isLive: true, log: log),
          isLive: true, log: log,
          source: { OnDemandSource(opening, events: $0, clock: MachineClock()) }))
      host.start()
      client = HostClient(application: ScriptedHost.application, host: host)
      notices = client.observeNotices { lines.add($0) }
    }

    /// The lines about monitoring.
    var faults: [String] { lines.all.filter { $0.contains("cannot be opened") } }
  }

  @Test("print nothing while neither monitors, also after an earlier run has monitored")
  func neither() throws {
    do {
      let earlier = Copy(stateFolder: folder.path)
      earlier.client.monitoring.perform(.startRegion(region))
      earlier.client.monitoring.deliver { [weak client = earlier.client] event in
        client?.monitoring.perform(.acknowledge(sequence: event.sequence))
      }
      #expect(
        eventually {
          earlier.client.core.waitForEventDelivery()
          earlier.client.monitoring.perform(.stopRegion(identifier: "home"))
          return earlier.client.monitoring.registrations().regions.isEmpty
        })
      // Ends like a killed process: its journal stays.
      earlier.host.abandon {}
    }
    let copies = (0..<2).map { _ in Copy(stateFolder: folder.path) }
    for copy in copies {
      copy.client.monitoring.perform(.openMonitor(name: "places"))
      copy.host.waitUntilIdle()
    }
    #expect(copies.allSatisfy { $0.lines.all.isEmpty }, "\(copies.map(\.lines.all))")
  }

  @Test("print nothing for the copy that only receives fixes; one that monitors has the reason")
  func one() throws {
    let first = Copy(stateFolder: folder.path)
    first.client.monitoring.perform(.startRegion(region))
    let second = Copy(stateFolder: folder.path)
    second.host.waitUntilIdle()
    #expect(second.lines.all.isEmpty)
    second.client.monitoring.perform(.startVisits)
    #expect(eventually { !second.faults.isEmpty })
    #expect(first.faults.isEmpty)
  }

  @Test("events of a monitor that was opened before its first condition are delivered")
  func openedBefore() throws {
    let copy = Copy(stateFolder: folder.path)
    let events = Collected<MonitoringEvent>()
    copy.client.monitoring.deliver { events.add($0) }
    copy.client.monitoring.perform(.openMonitor(name: "places"))
    let monitored = folder.path + "/monitoring"
    #expect(!FileManager.default.fileExists(atPath: monitored))
    // The 21st is beyond the limit, which is an event at once.
    for number in 0...20 {
      copy.client.monitoring.perform(
        .addCondition(
          monitor: "places", identifier: "\(number)", condition: region.condition,
          assuming: .unknown))
    }
    #expect(eventually { !events.all.isEmpty })
    #expect(FileManager.default.fileExists(atPath: monitored))
  }
}
