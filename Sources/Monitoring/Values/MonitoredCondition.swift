public import Quantities

/// The area or beacon of a region or condition.
public enum MonitoredCondition: Codable, Equatable, Sendable {
  /// Within a radius of a place.
  case circle(center: GeodeticPosition, radiusMetres: Double)
  /// Within a polygon; its edges are geodesics, the last vertex joins the first.
  case polygon(vertices: [GeodeticPosition])
  /// Near a beacon.
  case beacon(BeaconPattern)
}

/// A set of beacons; a value that is nil matches any.
public struct BeaconPattern: Codable, Hashable, Sendable {
  /// The UUID in its canonical upper-case text form.
  public var uuid: String
  /// The major value.
  public var major: UInt16?
  /// The minor value; requires a major value.
  public var minor: UInt16?

  /// Makes a pattern.
  public init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }
}

/// The state of a region or condition.
public enum ConditionState: String, CaseIterable, Codable, Sendable {
  /// Not known yet.
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
  /// Unique within the application.
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

  #if !hasFeature(Embedded)
    /// Reads a region; it notifies both ways by default.
    /// - Throws: `DecodingError` without an identifier and a condition.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        identifier: try values.decode(String.self, forKey: .identifier),
        condition: try values.decode(MonitoredCondition.self, forKey: .condition))
      notifiesOnEntry = try values.decodeIfPresent(Bool.self, forKey: .notifiesOnEntry) ?? true
      notifiesOnExit = try values.decodeIfPresent(Bool.self, forKey: .notifiesOnExit) ?? true
    }
  #endif
}
