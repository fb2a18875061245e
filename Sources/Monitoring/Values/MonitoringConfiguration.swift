/// The tuning parameters of monitoring: unit, effect of small and large values, source.
public struct MonitoringConfiguration: Codable, Equatable, Sendable {
  /// The most regions and conditions of one application together.
  /// - Source: Apple, CLLocationManager.startMonitoring(for:): 20.
  public var conditionLimit = 20
  /// The longest radius that can be monitored, metres; larger polygons are refused as well. Beyond
  /// it the distance to a circle's edge is less accurate.
  public var maximumRegionRadiusMetres = 500_000.0

  /// The distance beyond the boundary that a crossing needs, as a multiple of the fix's accuracy
  /// (68 %). Small: noise at the boundary makes crossings. Large: late, and a narrow gap between
  /// two regions is never outside both.
  public var cushionFactor = 1.0
  /// The least distance beyond the boundary, metres. Small: false crossings with a receiver that
  /// reports too good an accuracy. Large: small regions are entered only at their middle (limited
  /// inside to half of the region's depth).
  public var minimumCushionMetres = 20.0
  /// The time beyond the boundary that a crossing needs, seconds.
  /// - Source: Apple, Region Monitoring: "remain beyond it for at least 20 seconds".
  public var dwellSeconds = 20.0
  /// The fixes that a dwell needs at the usual rate. With one less a single outlier of a slow
  /// receiver counts.
  public var dwellFixes = 3
  /// The length from which two fixes are enough for a dwell, seconds: for a receiver that sleeps.
  public var sparseDwellSeconds = 120.0
  /// The longest gap within a dwell, seconds: a gap without fixes is no evidence.
  public var longestDwellGapSeconds = 600.0
  /// The length of a dwell after a leap that no vehicle can make, seconds: about the duration of a
  /// reflection. Large: late where the place before the leap was the wrong one.
  public var leapDwellSeconds = 60.0
  /// The longest error of a reflection, metres. A longer leap needs only the usual dwell.
  public var longestReflectionMetres = 1000.0
  /// The greatest acceleration of a vehicle, metres per second squared: 100 km/h in 8 s. Small:
  /// true starts look like leaps and are reported late. Large: sparse reflections look like starts.
  public var greatestAcceleration = 3.5
  /// The longest gap between two fixes over which a leap can be detected, seconds.
  public var leapGapSeconds = 30.0

  /// The least speed of a body whose track alone decides a crossing, without the dwell, metres per
  /// second. Small: a position that drifts indoors, and whose receiver reports a speed, makes
  /// crossings. Large: a bicycle's crossings are reported after the dwell, or not.
  public var travelSpeed = 3.0
  /// The distance beyond the boundary that such a crossing needs, in sigmas of one axis of the
  /// track, beside the cushion. Small: a passage close by is an entry. Large: a small region, or
  /// one between two fixes, is passed unnoticed.
  public var passageSigmas = 2.0
  /// The density of the random walk of a vehicle's velocity, each axis, m²/s³: how far the path
  /// between two fixes may lie from the interpolated one. Small: regions beside the road are
  /// entered. Large: regions between two fixes are not.
  public var trackDensity = 2.0
  /// The longest time between two fixes whose path is interpolated, seconds.
  public var longestSegmentSeconds = 60.0

  /// The timeout of a state request, seconds: then the state is reported as unknown.
  public var stateRequestSeconds = 10.0
  /// The greatest age of a fix that answers a request for a region's state, seconds.
  public var knownFixSeconds = 60.0
  /// The time of absence that makes a departure from a beacon, seconds. Small: a body that shields
  /// the antenna makes a departure.
  public var beaconDepartureSeconds = 20.0

  /// The distance of a significant change, metres.
  /// - Source: Apple, startMonitoringSignificantLocationChanges(): 500 m.
  public var significantDistanceMetres = 500.0
  /// The least time between two significant changes, seconds.
  /// - Source: as above: 5 minutes.
  public var significantIntervalSeconds = 300.0
  /// The worst accuracy of the first reported place, metres: that of a cell of reduced accuracy
  /// still counts.
  public var significantAccuracyMetres = 4000.0

  /// The radius of a stay around its middle, metres, at least twice the fix's accuracy. Small: a
  /// large building makes several visits. Large: neighbouring shops make one.
  public var visitRadiusMetres = 100.0
  /// The least length of a visit, seconds. Small: traffic jams are visits. Large: arrivals are
  /// late, short visits are missed.
  public var visitMinimumStaySeconds = 300.0
  /// The time outside that ends a visit, seconds. Small: a walk around the house, or a slow
  /// reflection, ends a visit.
  public var visitDepartureSeconds = 180.0
  /// The distance from the middle beyond which a dwell ends a visit, metres.
  public var visitFarMetres = 500.0
  /// The worst accuracy of a fix that visits use, metres.
  public var visitAccuracyMetres = 200.0
  /// The radius around the end of a candidate that separates the stay from the approach, metres.
  /// Small: no visit in a large building or with poor reception. Large: a slow walk is a visit.
  public var visitDriftMetres = 75.0

  /// The assumed speed towards a boundary, metres per second: 160 km/h. Small: a fast car has
  /// crossed the region before the receiver wakes. Large: the receiver wakes more often than
  /// necessary.
  public var assumedSpeed = 45.0
  /// The least interval between fixes for regions while no decision is in progress, seconds.
  public var shortestSleepSeconds = 20.0
  /// `shortestSleepSeconds` while at rest. It delays the detection of an exit.
  public var restingSleepSeconds = 60.0
  /// The greatest interval between fixes for regions, seconds.
  public var longestSleepSeconds = 300.0
  /// The greatest interval between fixes for visits, seconds.
  public var visitFixSeconds = 60.0

  /// The most pending events of an application; see `ApplicationMonitor.pending`.
  public var pendingLimit = 512
  /// The limits of names and sizes. It is not a tuning parameter, and not read from files.
  public var budget = MonitoringBudget()

  /// The defaults.
  public init() {}

  /// The distance beyond a boundary at which a fix of an accuracy (68 %) counts, metres.
  func cushionMetres(accuracy: Double) -> Double {
    max(cushionFactor * accuracy, minimumCushionMetres)
  }

  #if !hasFeature(Embedded)
    /// Reads the given parameters; the others keep their defaults.
    /// - Throws: `DecodingError` for an unknown name, or a value out of range.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: ParameterName.self)
      for name in values.allKeys {
        if let path = Self.numbers[name.stringValue] {
          let value = try values.decode(Double.self, forKey: name)
          guard value.isFinite, value >= 0 else { throw Self.fault(name, decoder, "0 or more") }
          self[keyPath: path] = value
        } else if let path = Self.counts[name.stringValue] {
          let value = try values.decode(Int.self, forKey: name)
          guard (1...Self.largestCount).contains(value) else {
            throw Self.fault(name, decoder, "1 to \(Self.largestCount)")
          }
          self[keyPath: path] = value
        } else {
          throw Self.fault(name, decoder, "one of \(Self.names.joined(separator: ", "))")
        }
      }
    }

    /// A larger count has no use, and its double must be a number too.
    private static let largestCount = 1_000_000

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

    /// The names of all parameters, sorted.
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
        "leapDwellSeconds": \.leapDwellSeconds, "travelSpeed": \.travelSpeed,
        "passageSigmas": \.passageSigmas, "trackDensity": \.trackDensity,
        "longestSegmentSeconds": \.longestSegmentSeconds,
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
  #endif
}

#if !hasFeature(Embedded)
  /// A coding key of any name.
  private struct ParameterName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
#endif
