/// When a region's boundary counts as crossed.
public struct RegionRules: Sendable, Equatable {
  /// The distance of a fix beyond the boundary as a multiple of its horizontal accuracy. Small:
  /// early and with repeated crossings; large: late. 1, since the accuracy is the radius that holds
  /// 68 %.
  public var cushionFactor = 1.0
  /// The least distance beyond the boundary in metres. 20: more than a receiver's drift in a
  /// minute; Apple advises 200 for a phone without a receiver.
  public var minimumCushionMetres = 20.0
  /// The time of the fixes beyond the boundary in seconds. 20: Apple, Location and Maps Programming
  /// Guide.
  public var dwellSeconds = 20.0
  /// The time without a usable fix after which a region's events count as delayed, seconds. 300:
  /// the upper end of the 3 to 5 minutes in Apple's guide.
  public var responseDelaySeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// When a change of place is significant.
public struct SignificantChangeRules: Sendable, Equatable {
  /// The least distance in metres from the last delivered fix. 500, as Apple documents.
  public var distanceMetres = 500.0
  /// The least time in seconds between two fixes. 300, as Apple documents.
  public var intervalSeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// When a stay is a visit.
public struct VisitRules: Sendable, Equatable {
  /// The radius of a stay in metres; Apple documents none. Small: one stay in a large building
  /// becomes several; large: neighbouring stays become one. 100.
  public var radiusMetres = 100.0
  /// The least time in seconds; Apple documents none. Small: traffic lights become visits. 300.
  public var dwellSeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// A service that computes a location from Wi-Fi scans, such as Ichnaea. It learns the board's
/// location.
public struct WiFiLocationRules: Sendable, Equatable {
  /// The service's address: http or https.
  public var url: String
  /// The service's key; nil for none.
  public var key: String?
  /// The least time in seconds between two requests. 300: the interval of significant changes.
  public var intervalSeconds = 300.0

  /// Makes the rules for a service.
  public init(url: String, key: String? = nil) {
    (self.url, self.key) = (url, key)
  }
}
