import CoreLocation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExtensionUpdateTests {
  @Test("live updates of a source deliver that source's locations, and no other's")
  func source() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).csv")
    defer { do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) } }
    let lines = (0..<100).map { "\(Double($0) / 5),54,10,20,3,4,5,30" }
    let text = (["t,lat,lon,alt,hacc,vacc,speed,course"] + lines).joined(separator: "\n")
    try Data((text + "\n").utf8).write(to: url)
    let source = CLLocationSource(id: "replay:\(url.path)", kind: .replay)
    let bench = Bench()
    let updates = bench.use { CLLocationUpdate.liveUpdates(source: source) }
    var isFound = false
    for try await update in updates {
      guard let location = update.location else { continue }
      #expect(location.sources == [source] && abs(location.coordinate.longitude - 10) < 1e-9)
      isFound = true
      break
    }
    #expect(isFound)
    #expect(bench.openings.withLock { $0 } == 0)
  }
}
