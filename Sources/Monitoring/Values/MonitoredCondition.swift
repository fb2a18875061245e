public import Quantities

/// What has to hold for a region or condition to be satisfied.
public enum MonitoredCondition: Codable, Equatable, Sendable {
  /// Within so many metres of a place.
  case circle(center: GeodeticPosition, radiusMetres: Double)
  /// Within a polygon of places; its edges are geodesics, its end joins its start.
  case polygon(vertices: [GeodeticPosition])
  /// Near a beacon.
  case beacon(BeaconPattern)
}

/// Which beacons are meant; what is nil may be anything.
public struct BeaconPattern: Codable, Hashable, Sendable {
  /// The UUID in its canonical upper-case text form.
  public var uuid: String
  /// The major value.
  public var major: UInt16?
  /// The minor value; only where there is a major one.
  public var minor: UInt16?

  /// Makes a pattern.
  public init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }
}

/// How a region or condition stands.
public enum ConditionState: String, Codable, Sendable {
  /// Nothing is known yet.
  case unknown
  /// Inside; satisfied.
  case satisfied
  /// Outside; not satisfied.
  case unsatisfied
  /// Not watched any more.
  case unmonitored
}

/// A region of `CLLocationManager`.
public struct MonitoredRegion: Codable, Equatable, Sendable {
  /// Names the region within the application.
  public var identifier: String
  /// The area or beacon.
  public var condition: MonitoredCondition
  /// Whether entering makes an event.
  public var notifiesOnEntry = true
  /// Whether leaving makes an event.
  public var notifiesOnExit = true

  /// Makes a region that notifies both ways.
  public init(identifier: String, condition: MonitoredCondition) {
    self.identifier = identifier
    self.condition = condition
  }

  /// Reads a region; one that does not say notifies both ways.
  /// - Throws: `DecodingError` without an identifier and a condition.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      identifier: try values.decode(String.self, forKey: .identifier),
      condition: try values.decode(MonitoredCondition.self, forKey: .condition))
    notifiesOnEntry = try values.decodeIfPresent(Bool.self, forKey: .notifiesOnEntry) ?? true
    notifiesOnExit = try values.decodeIfPresent(Bool.self, forKey: .notifiesOnExit) ?? true
  }
}
