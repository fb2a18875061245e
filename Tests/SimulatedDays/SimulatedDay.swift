public import Monitoring
public import Quantities
import TestSupport

/// A day of a person with a receiver: home, drive, office, walk, office, drive, home; with the
/// receiver's fixes and the truth.
public struct SimulatedDay: Sendable {
  /// The accuracy that the receiver reports during reflections.
  public enum Multipath: String, CaseIterable, Sendable {
    /// There are no reflections.
    case none
    /// An accuracy about the size of the error.
    case honest
    /// An accuracy of 5 to 10 m.
    case dishonest
  }

  /// The parameters of a day.
  public struct Options: Sendable {
    /// Equal seeds make equal days.
    public var seed: UInt64
    /// Between two fixes, seconds.
    public var intervalSeconds = 10
    /// Reflections.
    public var multipath = Multipath.honest
    /// Whether the receiver has no reception in the tunnel and mostly none indoors.
    public var hasGaps = true
    /// Whether fixes carry the receiver's speed.
    public var hasSpeed = true

    /// Makes the usual day of a seed.
    public init(seed: UInt64) { self.seed = seed }
  }

  /// The fixes, oldest first.
  public let fixes: [PlaceFix]
  /// The true stays: identifier of the region, first and last second.
  public let stays: [(region: String, from: UTCTime, to: UTCTime)]
  /// The true crossings: region, whether it was entered, when.
  public let crossings: [(region: String, isEntry: Bool, time: UTCTime)]

  /// The start of the day.
  public static let start = UTCTime(nanosecondsSince1970: 1_767_571_200_000_000_000)

  static let officeMetres = (8100.0, 6100.0)
  static let parkWalk = [
    (8350.0, 6350.0), (8700.0, 6400.0), (8900.0, 6750.0), (8550.0, 6900.0), (8250.0, 6600.0),
  ]
  private static let circles = [
    PlanCircle("bridge", 3500, 3000, 400), PlanCircle("home", 0, 0, 150),
    PlanCircle("office", 8100, 6100, 150), PlanCircle("park", 8700, 6650, 200),
  ]

  /// The circles on the way: home, office, park and a bridge that is driven over.
  public static let regions: [MonitoredRegion] = circles.map(\.region)

  /// The place at a distance east and north of home, metres.
  static func place(_ east: Double, _ north: Double) -> GeodeticPosition {
    GeodeticPosition(
      latitudeDegrees: 52.5 + north / 111_270, longitudeDegrees: 13.4 + east / 67_890)
  }

  /// Simulates a day.
  public init(_ options: Options) {
    var generator = SeededGenerator(seed: options.seed)
    let plan = DayPlan.workday(&generator)
    var receiver = SimulatedReceiver(options, &generator)
    var fixes: [PlaceFix] = []
    for (index, second) in plan.seconds.enumerated() {
      let time = Self.start.advanced(bySeconds: Double(index))
      if let fix = receiver.fix(second, index, time, &generator) { fixes.append(fix) }
    }
    self.fixes = fixes
    let truth = PlanTruth(plan, Self.circles)
    (stays, crossings) = (truth.stays, truth.crossings)
  }
}
