import Monitoring
import Quantities
import Testing

@Suite("The budget of an application's monitoring", .timeLimit(.minutes(30)))
struct MonitoringBudgetTests {
  private let time = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)

  private func polygon(_ identifier: String, _ corners: Int) -> MonitoredRegion {
    let vertices = (0..<corners).map { corner in
      GeodeticPosition(
        latitudeDegrees: corner % 2 == 0 ? 10 : 10.1,
        longitudeDegrees: 20 + Double(corner) / Double(corners))
    }
    return MonitoredRegion(identifier: identifier, condition: .polygon(vertices: vertices))
  }

  private func condition(_ identifier: String, _ corners: Int) -> MonitoringCommand {
    .addCondition(
      monitor: "m", identifier: identifier, condition: polygon("", corners).condition,
      assuming: .unknown)
  }

  @Test("long names, polygons of too many corners and too many monitors are refused")
  func refused() {
    var monitor = ApplicationMonitor()
    let long = String(repeating: "é", count: 257)
    let commands: [MonitoringCommand] = [
      .startRegion(polygon(long, 3)), .stopRegion(identifier: long),
      .requestState(polygon(long, 3)), .openMonitor(name: long), .closeMonitor(name: long),
      .addCondition(
        monitor: "m", identifier: long, condition: polygon("", 3).condition, assuming: .unknown),
      .removeCondition(monitor: long, identifier: "c"),
    ]
    for command in commands {
      #expect(monitor.excess(of: command) == .name(bytes: 514, limit: 512), "\(command)")
    }
    #expect(
      monitor.excess(of: condition("p", 4097)) == .corners(4097, limit: 4096))
    #expect(monitor.excess(of: .startRegion(polygon("p", 513))) == .corners(513, limit: 512))
    for n in 0..<64 {
      #expect(monitor.excess(of: .openMonitor(name: "\(n)")) == nil)
      monitor.perform(.openMonitor(name: "\(n)"), at: time)
    }
    #expect(monitor.excess(of: .openMonitor(name: "64")) == .monitors(limit: 64))
    #expect(monitor.excess(of: .openMonitor(name: "5")) == nil)
    monitor.perform(.closeMonitor(name: "5"), at: time)
    #expect(monitor.excess(of: .openMonitor(name: "64")) == nil)
  }

  @Test("regions are refused beyond the bytes of all registrations; a replaced one counts once")
  func registrations() {
    var monitor = ApplicationMonitor()
    var accepted = 0
    for n in 0..<20 {
      let command = condition("\(n)", 3000)
      guard monitor.excess(of: command) == nil else { continue }
      monitor.perform(command, at: time)
      accepted += 1
    }
    #expect(accepted == 2 && monitor.registrations.monitors["m"]?.count == 2)
    #expect(monitor.excess(of: condition("0", 2900)) == nil)
    #expect(monitor.excess(of: condition("new", 3000))?.isLasting == false)
    let removal = MonitoringCommand.removeCondition(monitor: "m", identifier: "0")
    #expect(monitor.excess(of: removal) == nil)
    monitor.perform(removal, at: time)
    #expect(monitor.excess(of: condition("new", 3000)) == nil)
    // A smaller one is accepted also where an earlier version stored too much.
    monitor.configuration.budget.registeredBytes = 1000
    #expect(monitor.excess(of: condition("1", 2900)) == nil)
  }

  @Test("refused polygons inside events, and requests for states, have a limit of bytes")
  func events() {
    var monitor = ApplicationMonitor()
    // Wider than can be monitored, so that each command makes an event that contains the region.
    let wide = (0..<2000).map {
      GeodeticPosition(latitudeDegrees: $0 % 2 == 0 ? -60 : 60, longitudeDegrees: Double($0) / 10)
    }
    for n in 0..<200 {
      let region = MonitoredRegion(identifier: "\(n)", condition: .polygon(vertices: wide))
      monitor.perform(.startRegion(region), at: time)
    }
    #expect(monitor.pending.count == 1 && monitor.droppedEvents == 199)
    for n in 0..<60 { monitor.perform(.requestState(polygon("\(n)", 1000)), at: time) }
    #expect(monitor.storedBytes < 3 * monitor.configuration.budget.pendingBytes)
  }

  @Test("an application that registers again and again and acknowledges nothing occupies no more")
  func repeated() {
    var monitor = ApplicationMonitor()
    let (region, refused) = (polygon("r", 3), polygon("s", 2))
    for _ in 0..<200 {
      for command in [.startRegion(region), .startRegion(refused), .requestState(region)]
        as [MonitoringCommand]
      {
        monitor.perform(command, at: time)
      }
    }
    #expect(monitor.pending.count <= 24 && monitor.droppedEvents == 0)
    // The newest answer is there.
    #expect(monitor.pending.contains { $0.kind == .regionStarted(region) })
    #expect(monitor.pending.map(\.sequence).max() ?? 0 >= 400)
  }
}
