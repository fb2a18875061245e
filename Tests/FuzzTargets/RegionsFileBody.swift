import Configuration
import Monitoring
import Quantities

/// The reader of a replay's regions: regions on the earth with names of their own, which monitoring
/// takes within its limits, or one error with a text.
struct RegionsFileBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let file: RegionsFile
    do throws(RegionsFileError) {
      file = try RegionsFile(json: Array(input), path: "fuzz.json")
    } catch {
      guard case .refused(_, let reason) = error else { throw Violation("\(error)") }
      return try expect(!reason.isEmpty, "an error without a text")
    }
    let names = Set(file.regions.map(\.identifier))
    try expect(names.count == file.regions.count, "\(names.count) of \(file.regions.count) names")
    var monitor = ApplicationMonitor(configuration: file.configuration)
    for region in file.regions {
      monitor.perform(.startRegion(region), at: MonitorPromises.start)
      monitor.perform(.requestState(region), at: MonitorPromises.start)
    }
    if file.visits { monitor.perform(.startVisits, at: MonitorPromises.start) }
    if file.significantChanges {
      monitor.perform(.startSignificantChanges, at: MonitorPromises.start)
    }
    var second = 0.0
    for region in file.regions {
      guard let place = try Self.place(of: region.condition) else { continue }
      for _ in 0..<4 {
        second += 40
        monitor.process(MonitorPromises.fix(at: place, second: second))
      }
    }
    monitor.advance(to: MonitorPromises.start.advanced(bySeconds: 1e9))
    try monitor.checkPromises()
  }

  private static func place(
    of condition: MonitoredCondition
  ) throws(Violation) -> GeodeticPosition? {
    switch condition {
    case .circle(let center, let radius):
      try Bounds.place(center)
      try Bounds.positive(radius)
      return center
    case .polygon(let vertices):
      for vertex in vertices { try Bounds.place(vertex) }
      try expect(vertices.count >= 3, "\(vertices.count) corners")
      return vertices.first
    case .beacon: throw Violation("a beacon in a regions file")
    }
  }
}
