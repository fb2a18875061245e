import Board
import CoreLocation
import LinuxIO
import LocationHost
import Monitoring
import Observers
import ScriptedSource
import TestSupport
import Testing

/// Changes of monitoring are stored when their calls return.
@Suite(.timeLimit(.minutes(30))) struct StoredChangesTests {
  /// Runs the probe, which is built beside the test bundle, with a state folder and no daemon.
  @discardableResult
  private func probe(_ arguments: [String], state: String) throws -> String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = ChildProcess()
    process.executableURL = bundle.appendingPathComponent("DeliveryProbe")
    process.arguments = arguments
    process.environment = [
      "LODESTAR_SOURCE": "simulate", "XDG_STATE_HOME": state, "CL_APPLICATION_ID": "probe",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitOrKill()
    return (String(data: bytes, encoding: .utf8) ?? "").trimmingCharacters(in: .newlines)
  }

  @Test("a change is stored when its call returns: a kill directly after it loses nothing")
  func kill() throws {
    let folder = try TemporaryFolder()
    let changes = [
      ("startMonitoring", "home"), ("startVisits", "home visits"),
      ("startChanges", "home visits changes"), ("add", "home office visits changes"),
      ("stopMonitoring", "office visits changes"), ("stopVisits", "office changes"),
      ("stopChanges", "office"), ("remove", ""),
    ]
    for (name, registered) in changes {
      try probe(["change", name], state: folder.path)
      #expect(try probe(["stored"], state: folder.path) == registered, "after \(name)")
    }
  }

  @Test("a change waits for what another thread is sending")
  func beside() async throws {
    let (publisher, monitoring) = (ScriptedPublisher(), ScriptedMonitoringHost())
    let mayOpen = Waitable(false)
    let isOpening = Locked(false)
    let host = ScriptedHost.make(
      SourceOpening(isLive: true) { () throws(SourceError) in
        isOpening.withLock { $0 = true }
        mayOpen.wait(atMost: 10) { $0 ? () : nil }
        return OpenedSource(publisher: publisher)
      }, access: ScriptedAccess(.authorizedAlways), journals: ScriptedJournals(monitoring))
    let services = LocationServices(over: host)
    let monitor = await LocationServices.$current.withValue(services) { await CLMonitor("places") }
    let observation = Locked<Observation?>(nil)
    // This thread sends its demand, and the host opens the source on it.
    Thread { observation.withLock { $0 = services.client.publisher.observe { _ in } } }.start()
    #expect(try await eventually { isOpening.withLock { $0 } })
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { mayOpen.withLock { $0 = true } }
    await monitor.add(
      CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 60, longitude: 25), radius: 100),
      identifier: "home")
    #expect(
      monitoring.commands.contains {
        if case .addCondition(_, "home", _, _) = $0 { true } else { false }
      })
    observation.withLock { $0 = nil }
  }
}
