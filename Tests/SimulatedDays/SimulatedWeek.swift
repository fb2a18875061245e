public import Monitoring
public import Quantities
import TestSupport

/// A week of a person with a receiver that is on only when it is asked.
///
/// Five workdays: home, a drive past a school of 150 m and over a bridge, office, a walk to lunch,
/// office, the drive home. Saturday a drive to a shop, Sunday a walk without a stop.
public struct SimulatedWeek {
  /// The true stays of more than some minutes: region or empty, first and last second.
  public let stays: [(region: String, from: UTCTime, to: UTCTime)]
  /// The true crossings: region, whether it was entered, when.
  public let crossings: [(region: String, isEntry: Bool, time: UTCTime)]
  /// The number of seconds; fixes are asked for each.
  public var count: Int { plan.seconds.count }

  static let lunchMetres = (8650.0, 6500.0)
  static let shopWay = [(60.0, 20.0), (-600.0, 300.0), (-900.0, 1500.0), (-2600.0, 2100.0)]
  static let sundayWalk = [
    (-300.0, -400.0), (-200.0, -1200.0), (600.0, -1500.0), (900.0, -700.0),
  ]
  private static let circles = [
    PlanCircle("bridge", 3500, 3000, 400), PlanCircle("home", 0, 0, 150),
    PlanCircle("office", 8100, 6100, 150), PlanCircle("school", 1200, 500, 150),
  ]

  private let plan: DayPlan
  private var receiver: SimulatedReceiver
  private var generator: SeededGenerator

  /// The circles on the way: home, school, bridge and office.
  public static let regions: [MonitoredRegion] = circles.map(\.region)

  /// Simulates a week; the interval of the options does not apply.
  public init(_ options: SimulatedDay.Options) {
    var generator = SeededGenerator(seed: options.seed)
    plan = DayPlan.week(&generator)
    var options = options
    options.intervalSeconds = 1
    receiver = SimulatedReceiver(options, &generator)
    self.generator = generator
    let truth = PlanTruth(plan, Self.circles)
    (stays, crossings) = (truth.stays, truth.crossings)
  }

  /// The time of a second.
  public static func time(_ second: Int) -> UTCTime {
    SimulatedDay.start.advanced(bySeconds: Double(second))
  }

  /// The fix of a receiver that is on; nil without reception. Called for each second in order,
  /// because its errors last.
  public mutating func fix(at second: Int) -> PlaceFix? {
    receiver.fix(plan.seconds[second], second, Self.time(second), &generator)
  }
}
