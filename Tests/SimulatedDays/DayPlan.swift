import Quantities
import RealModule

/// The true movement of the day: position, speed and sky view for each second.
struct DayPlan {
  enum Sky { case open, street, indoors, office, tunnel }

  struct Second {
    var east: Double
    var north: Double
    var speed: Double
    /// Clockwise from north, degrees; nil at rest.
    var course: Double?
    var sky: Sky
  }

  private(set) var seconds: [Second] = []
  private var (east, north) = (0.0, 0.0)

  /// Home, by car to the office with a tunnel and a jam, a walk through the park at noon, and home
  /// again.
  static func workday(_ generator: inout some RandomNumberGenerator) -> DayPlan {
    var plan = DayPlan()
    func some(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    plan.stay(until: Int(bounded: some(25_000...28_000)), .indoors)
    plan.go(to: (60, 20), speed: 1.3, .street)
    plan.drive(plan.way, lights: [40, 25, 60], &generator)
    plan.go(to: SimulatedDay.officeMetres, speed: 1.3, .street)
    plan.stay(until: Int(bounded: some(43_500...45_000)), .office)
    for corner in SimulatedDay.parkWalk { plan.go(to: corner, speed: some(1.2...1.6), .open) }
    plan.go(to: SimulatedDay.officeMetres, speed: 1.3, .street)
    plan.stay(until: Int(bounded: some(62_000...64_000)), .office)
    plan.go(to: (8040, 6030), speed: 1.3, .street)
    plan.drive(plan.way.reversed(), lights: [30, 80, 45], &generator)
    plan.go(to: (0, 0), speed: 1.3, .street)
    plan.stay(until: 86_400, .indoors)
    return plan
  }

  /// Seven days from Monday's midnight: five workdays with a walk to lunch, a Saturday with a drive
  /// to a shop, and a Sunday with a walk.
  static func week(_ generator: inout some RandomNumberGenerator) -> DayPlan {
    var plan = DayPlan()
    func some(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for day in 0..<7 {
      let midnight = day * 86_400
      func at(_ range: ClosedRange<Double>) -> Int { midnight + Int(bounded: some(range)) }
      switch day {
      case 0..<5:
        plan.stay(until: at(25_000...28_000), .indoors)
        plan.go(to: (60, 20), speed: 1.3, .street)
        plan.drive(plan.way, lights: [40, 25, 60], &generator)
        plan.go(to: SimulatedDay.officeMetres, speed: 1.3, .street)
        plan.stay(until: at(43_500...45_000), .office)
        plan.go(to: SimulatedWeek.lunchMetres, speed: some(1.2...1.6), .street)
        plan.stay(until: plan.seconds.count + Int(bounded: some(2000...2800)), .indoors)
        plan.go(to: SimulatedDay.officeMetres, speed: some(1.2...1.6), .street)
        plan.stay(until: at(62_000...64_000), .office)
        plan.go(to: (8040, 6030), speed: 1.3, .street)
        plan.drive(plan.way.reversed(), lights: [30, 80, 45], &generator)
      case 5:
        plan.stay(until: at(36_000...38_000), .indoors)
        plan.go(to: (60, 20), speed: 1.3, .street)
        for corner in SimulatedWeek.shopWay {
          plan.go(to: corner, speed: some(9...13), .street)
        }
        plan.stay(until: plan.seconds.count + Int(bounded: some(2400...3600)), .indoors)
        for corner in SimulatedWeek.shopWay.reversed().dropFirst() {
          plan.go(to: corner, speed: some(9...13), .street)
        }
        plan.go(to: (60, 20), speed: some(9...13), .street)
      default:
        plan.stay(until: at(50_000...52_000), .indoors)
        for corner in SimulatedWeek.sundayWalk {
          plan.go(to: corner, speed: some(1.2...1.6), .open)
        }
      }
      plan.go(to: (0, 0), speed: 1.3, .street)
    }
    plan.stay(until: 7 * 86_400, .indoors)
    return plan
  }

  /// The corners of the street between the two parking places, east and north of home, metres.
  private var way: [(Double, Double)] {
    [(60, 20), (400, 100), (2000, 900), (3500, 3000), (5200, 3400), (7000, 5200), (8040, 6030)]
  }

  private mutating func stay(until second: Int, _ sky: Sky) {
    while seconds.count < second {
      seconds.append(Second(east: east, north: north, speed: 0, sky: sky))
    }
  }

  private mutating func go(to: (Double, Double), speed: Double, _ sky: Sky) {
    let (x, y) = (to.0 - east, to.1 - north)
    let length = (x * x + y * y).squareRoot()
    let count = max(1, Int(bounded: (length / speed).rounded(.up)))
    let (fromEast, fromNorth) = (east, north)
    let course = (Double.atan2(y: x, x: y) * 180 / .pi + 360)
      .truncatingRemainder(dividingBy: 360)
    for step in 1...count {
      let part = Double(step) / Double(count)
      (east, north) = (fromEast + x * part, fromNorth + y * part)
      seconds.append(
        Second(
          east: east, north: north, speed: length / Double(count), course: course, sky: sky))
    }
  }

  /// Along the street, with stops at traffic lights, a jam of four minutes and a tunnel.
  private mutating func drive(
    _ way: [(Double, Double)], lights: [Int], _ generator: inout some RandomNumberGenerator
  ) {
    for (index, corner) in way.dropFirst().enumerated() {
      let sky: Sky = index == 2 ? .tunnel : .street
      go(to: corner, speed: .random(in: 11...22, using: &generator), sky)
      if index < lights.count { stay(until: seconds.count + lights[index], .street) }
      if index == 3 { stay(until: seconds.count + 230, .street) }
    }
  }
}
