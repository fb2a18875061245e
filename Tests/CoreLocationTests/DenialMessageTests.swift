import Configuration
import CoreLocation
import ScriptedSource
import TestSupport
import Testing

/// The reasons of a denial that a program without the daemon reports.
@Suite(.timeLimit(.minutes(30))) struct DenialMessageTests {
  @Test(
    "a denial names the policy's file that was used, and no daemon",
    arguments: ["default: denied", "default: restricted", "enabled: false"])
  func file(text: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/own.yaml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let policy = try Policy.load(environment: ["LODESTAR_POLICY": path], folder: "/nonexistent")
    let bench = Bench(policy: policy)
    let (manager, recorder) = bench.manager()
    manager.startUpdatingLocation()
    #expect(try await eventually { recorder.errors == ["error 1"] })
    bench.waitUntilIdle()
    let message = bench.services.denial.localizedDescription
    #expect(message.contains(path) && !message.contains("/etc/") && !message.contains("daemon"))
    manager.requestLocation()
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100, identifier: "home")
    manager.startMonitoring(for: region)
    #expect(try await eventually { recorder.events.contains("failed home 4") })
  }

  @Test("a refused request for full accuracy is not the daemon's, where there is none")
  func fullAccuracy() async throws {
    let bench = Bench()
    let refusal = bench.services.authority.requestFullAccuracy(purposeKey: "map")
    let message = try #require(refusal).localizedDescription
    #expect(message.contains("full accuracy") && !message.contains("daemon"))
  }
}
