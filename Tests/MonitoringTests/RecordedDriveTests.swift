import Monitoring
import Quantities
import Testing

@Suite("Recorded drives", .timeLimit(.minutes(30)))
struct RecordedDriveTests {
  private static let names = Array(RecordedTrack.names.prefix(3))

  /// A flat-earth distance, metres: accurate enough for circles of some hundred metres, and fast.
  private static func metres(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
    let north = (a.latitude.degrees - b.latitude.degrees) * 111_050
    let east = (a.longitude.degrees - b.longitude.degrees) * 85_200
    return (north * north + east * east).squareRoot()
  }

  @Test(
    "a circle on the way is entered and left once for each long passage",
    arguments: names)
  func circles(_ name: String) {
    guard let drive = RecordedTrack(name) else {
      print("no reference data: \(name) is not looked at")
      return
    }
    var monitor = ApplicationMonitor()
    let centers = (1...6).map { drive.fixes[drive.fixes.count * $0 / 7].position }
    for (index, center) in centers.enumerated() {
      monitor.perform(
        .startRegion(
          MonitoredRegion(
            identifier: "\(index)", condition: .circle(center: center, radiusMetres: 800))),
        at: drive.fixes[0].time)
    }
    for fix in drive.fixes { monitor.process(fix) }
    for (index, center) in centers.enumerated() {
      // Passages: at least 30 s at least 60 m inside, separated by 30 s at least 60 m outside.
      var runs = 0
      var inside = 0
      var outside = 30
      for fix in drive.fixes {
        let metres = Self.metres(center, fix.position)
        if metres < 740 {
          inside += 1
          if inside == 30, outside >= 30 {
            runs += 1
            outside = 0
          }
        } else if metres > 860 {
          outside = inside > 0 && inside < 30 ? outside : outside + 1
          if outside >= 30 { inside = 0 }
        }
      }
      let words = monitor.pending.compactMap { event -> String? in
        switch event.kind {
        case .entered(let region) where region.identifier == "\(index)": "+"
        case .exited(let region) where region.identifier == "\(index)": "-"
        default: nil
        }
      }
      #expect(words.filter { $0 == "+" }.count == runs, "\(name) \(index) \(words)")
      #expect(zip(words, words.dropFirst()).allSatisfy { $0 != $1 }, "\(name) \(index) \(words)")
    }
  }
}
