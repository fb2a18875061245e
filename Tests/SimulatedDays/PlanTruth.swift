import Monitoring
import Quantities

/// A circle on the plan's plane, metres east and north of home.
struct PlanCircle {
  let name: String
  let east, north, radius: Double

  init(_ name: String, _ east: Double, _ north: Double, _ radius: Double) {
    (self.name, self.east, self.north, self.radius) = (name, east, north, radius)
  }

  var region: MonitoredRegion {
    MonitoredRegion(
      identifier: name,
      condition: .circle(center: SimulatedDay.place(east, north), radiusMetres: radius))
  }

  func contains(_ second: DayPlan.Second) -> Bool {
    let (x, y) = (second.east - east, second.north - north)
    return x * x + y * y < radius * radius
  }
}

/// What truly happened in a plan.
struct PlanTruth {
  /// Stays in buildings: the name of the circle there, else none; first and last second.
  private(set) var stays: [(region: String, from: UTCTime, to: UTCTime)] = []
  private(set) var crossings: [(region: String, isEntry: Bool, time: UTCTime)] = []

  init(_ plan: DayPlan, _ circles: [PlanCircle]) {
    var inside: [Bool?] = circles.map { _ in nil }
    for (index, second) in plan.seconds.enumerated() {
      let time = SimulatedDay.start.advanced(bySeconds: Double(index))
      for (number, circle) in circles.enumerated() {
        let isInside = circle.contains(second)
        if let before = inside[number], before != isInside {
          crossings.append((circle.name, isInside, time))
        }
        inside[number] = isInside
      }
      guard second.sky == .indoors || second.sky == .office else { continue }
      if let last = stays.last, time.seconds(since: last.to) <= 1 {
        stays[stays.count - 1].to = time
      } else {
        stays.append((circles.first { $0.contains(second) }?.name ?? "", time, time))
      }
    }
  }
}
