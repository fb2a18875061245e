/// When a region's boundary counts as crossed.
public struct RegionRules: Sendable, Equatable {
  /// How many times its horizontal accuracy a fix must be beyond the boundary. Small: early and with
  /// flapping; large: late. 1, since the accuracy is the radius that holds 68 %.
  public var cushionFactor = 1.0
  /// The least distance beyond the boundary in metres. 20: above what a receiver drifts in a minute; Apple
  /// advises 200 for a phone without one.
  public var minimumCushionMetres = 20.0
  /// How long in seconds the fixes must stay there. 20, as Apple's Location and Maps Programming Guide says.
  public var dwellSeconds = 20.0
  /// After how many seconds without a usable fix a region's events count as delayed. 300: the upper end of
  /// the 3 to 5 minutes that Apple's guide names.
  public var responseDelaySeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// When a change of place is significant.
public struct SignificantChangeRules: Sendable, Equatable {
  /// The least distance in metres from the fix delivered last. 500, Apple's.
  public var distanceMetres = 500.0
  /// The least time in seconds between two fixes. 300, Apple's.
  public var intervalSeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// When a stay is a visit.
public struct VisitRules: Sendable, Equatable {
  /// The radius in metres that the fixes stay in; Apple documents none. Small: one stay in a large building
  /// becomes several; large: neighbours become one. 100.
  public var radiusMetres = 100.0
  /// The least time in seconds; Apple documents none. Small: traffic lights become visits. 300.
  public var dwellSeconds = 300.0

  /// Makes the default rules.
  public init() {}
}

/// A service that turns Wi-Fi scans into a location, as Ichnaea does. It learns where the board is.
public struct WiFiLocationRules: Sendable, Equatable {
  /// The service's address: http or https.
  public var url: String
  /// The key that it wants; nil where it wants none.
  public var key: String?
  /// The least time in seconds between two questions. 300: as often as a significant change may come.
  public var intervalSeconds = 300.0

  /// Makes the rules for a service.
  public init(url: String, key: String? = nil) {
    (self.url, self.key) = (url, key)
  }
}
