/// The tuning of monitoring. Every parameter says its unit, what small and large do, and where it is from.
public struct MonitoringConfiguration: Codable, Equatable, Sendable {
  /// Regions and conditions that an application may have together.
  /// - Source: Apple, CLLocationManager.startMonitoring(for:): 20.
  public var conditionLimit = 20
  /// The longest radius that can be monitored, metres; larger polygons are refused as well. Beyond it a
  /// crossing says little, and the distance to a circle's edge loses its centimetres.
  public var maximumRegionRadiusMetres = 500_000.0

  /// A crossing counts so many times the fix's accuracy (68 %) beyond the boundary. Small: noise at the
  /// boundary crosses it. Large: late, and narrow streets between two regions are never decided.
  public var cushionFactor = 1.0
  /// The least distance beyond the boundary, metres. Small: a receiver that thinks too well of itself
  /// flaps. Large: small regions are entered only at their middle (never more than half of their depth
  /// is asked for).
  public var minimumCushionMetres = 20.0
  /// How long one has to be beyond the boundary, seconds.
  /// - Source: Apple, Region Monitoring: "remain beyond it for at least 20 seconds".
  public var dwellSeconds = 20.0
  /// Fixes that a dwell needs where they come often. One less lets a single outlier of a slow receiver in.
  public var dwellFixes = 3
  /// Two fixes are enough for a dwell once it is this long, seconds: what a sleeping receiver can give.
  public var sparseDwellSeconds = 120.0
  /// What lies farther apart is not one dwell, seconds: the absence of fixes proves no stay.
  public var longestDwellGapSeconds = 600.0
  /// A dwell after a leap that no vehicle makes, seconds: reflected signals last about as long. Large: late
  /// where the earlier place was the wrong one.
  public var leapDwellSeconds = 60.0
  /// A leap this long is taken for a new place at once (the dwell stays), metres: reflections err by less.
  public var longestReflectionMetres = 1000.0
  /// What a vehicle may gain in a second, metres per second squared: 100 km/h in 8 s. Small: true starts look
  /// like leaps and are told late. Large: reflections of a receiver with few fixes look like starts.
  public var greatestAcceleration = 3.5
  /// Fixes farther apart say nothing about leaps, seconds.
  public var leapGapSeconds = 30.0

  /// A state that was asked for and cannot be told is told as unknown after so many seconds.
  public var stateRequestSeconds = 10.0
  /// A fix this young answers a request for a region's state, seconds.
  public var knownFixSeconds = 60.0
  /// A beacon that was reported absent for so long is left, seconds. Small: a body in the way is a departure.
  public var beaconDepartureSeconds = 20.0

  /// How far a significant change is, metres.
  /// - Source: Apple, startMonitoringSignificantLocationChanges(): 500 m.
  public var significantDistanceMetres = 500.0
  /// The least time between two significant changes, seconds.
  /// - Source: as above: 5 minutes.
  public var significantIntervalSeconds = 300.0
  /// A fix whose accuracy is worse tells no first place, metres.
  public var significantAccuracyMetres = 3000.0

  /// A stay is within so many metres of its middle, or twice the fix's accuracy where that is more. Small:
  /// a large building is several visits. Large: neighbouring shops are one.
  public var visitRadiusMetres = 100.0
  /// A stay is a visit from so many seconds on. Small: traffic jams are visits. Large: late, short ones are
  /// missed.
  public var visitMinimumStaySeconds = 300.0
  /// A visit has ended once one is outside for so long, seconds. Small: a walk around the house, or a slow
  /// reflection, ends a visit.
  public var visitDepartureSeconds = 180.0
  /// Farther than this from the middle a dwell is enough to have left, metres.
  public var visitFarMetres = 500.0
  /// Fixes that are worse do not decide about visits, metres.
  public var visitAccuracyMetres = 200.0
  /// What counts as the stay itself is within this of where it ended, metres: what came before was the way
  /// there. Small: a large or badly seen building is never settled in. Large: a slow walk is a visit.
  public var visitDriftMetres = 75.0

  /// What is assumed to move towards a boundary, metres per second: 160 km/h. Small: a fast car is through
  /// before the receiver wakes. Large: the receiver wakes for nothing.
  public var assumedSpeed = 45.0
  /// The receiver is asked for nothing more often than this while nothing is being decided, seconds.
  public var shortestSleepSeconds = 20.0
  /// The same while one stays at a place, seconds: an exit is noticed so much later.
  public var restingSleepSeconds = 60.0
  /// The receiver sleeps no longer, seconds.
  public var longestSleepSeconds = 300.0
  /// Visits need a fix this often, seconds.
  public var visitFixSeconds = 60.0

  /// Events that wait for an application at most; see `ApplicationMonitor.pending`.
  public var pendingLimit = 512

  /// The defaults.
  public init() {}

  /// Reads what is given; the rest keeps its default.
  /// - Throws: `DecodingError` for a number that is none, or an unknown name.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: ParameterName.self)
    for name in values.allKeys {
      if let path = Self.numbers[name.stringValue] {
        let value = try values.decode(Double.self, forKey: name)
        guard value.isFinite, value >= 0 else { throw Self.fault(name, decoder, "0 or more") }
        self[keyPath: path] = value
      } else if let path = Self.counts[name.stringValue] {
        let value = try values.decode(Int.self, forKey: name)
        guard value > 0 else { throw Self.fault(name, decoder, "1 or more") }
        self[keyPath: path] = value
      } else {
        throw Self.fault(name, decoder, "one of \(Self.names.joined(separator: ", "))")
      }
    }
  }

  /// Writes every parameter.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: ParameterName.self)
    for (name, path) in Self.numbers {
      try values.encode(self[keyPath: path], forKey: ParameterName(name))
    }
    for (name, path) in Self.counts {
      try values.encode(self[keyPath: path], forKey: ParameterName(name))
    }
  }

  /// The parameters' names as a configuration has them, in order.
  public static var names: [String] { ([String](numbers.keys) + [String](counts.keys)).sorted() }

  private static func fault(
    _ name: ParameterName, _ decoder: any Decoder, _ expected: String
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath + [name],
        debugDescription: "'\(name.stringValue)': expected \(expected)"))
  }

  private typealias Path<Value> = WritableKeyPath<MonitoringConfiguration, Value>
  private static var numbers: [String: Path<Double>] {
    [
      "maximumRegionRadiusMetres": \.maximumRegionRadiusMetres, "cushionFactor": \.cushionFactor,
      "minimumCushionMetres": \.minimumCushionMetres, "dwellSeconds": \.dwellSeconds,
      "sparseDwellSeconds": \.sparseDwellSeconds,
      "longestDwellGapSeconds": \.longestDwellGapSeconds,
      "leapDwellSeconds": \.leapDwellSeconds,
      "longestReflectionMetres": \.longestReflectionMetres,
      "greatestAcceleration": \.greatestAcceleration, "leapGapSeconds": \.leapGapSeconds,
      "stateRequestSeconds": \.stateRequestSeconds, "knownFixSeconds": \.knownFixSeconds,
      "beaconDepartureSeconds": \.beaconDepartureSeconds,
      "significantDistanceMetres": \.significantDistanceMetres,
      "significantIntervalSeconds": \.significantIntervalSeconds,
      "significantAccuracyMetres": \.significantAccuracyMetres,
      "visitRadiusMetres": \.visitRadiusMetres,
      "visitMinimumStaySeconds": \.visitMinimumStaySeconds,
      "visitDepartureSeconds": \.visitDepartureSeconds, "visitFarMetres": \.visitFarMetres,
      "visitAccuracyMetres": \.visitAccuracyMetres, "visitDriftMetres": \.visitDriftMetres,
      "assumedSpeed": \.assumedSpeed, "shortestSleepSeconds": \.shortestSleepSeconds,
      "restingSleepSeconds": \.restingSleepSeconds, "longestSleepSeconds": \.longestSleepSeconds,
      "visitFixSeconds": \.visitFixSeconds,
    ]
  }
  private static var counts: [String: Path<Int>] {
    [
      "conditionLimit": \.conditionLimit, "dwellFixes": \.dwellFixes,
      "pendingLimit": \.pendingLimit,
    ]
  }
}

/// A name that is looked up, not declared.
private struct ParameterName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
