/// What a `CLMonitor` watches. The monitor knows the conditions that it has types for; it reports one
/// of another type as unsupported.
public protocol CLCondition: Decodable, Encodable, Sendable {}

extension CLMonitor {
  /// Being within a circle on the earth.
  public struct CircularGeographicCondition: CLCondition {
    /// The middle.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Makes the condition.
    /// - Parameters:
    ///   - center: The middle.
    ///   - radius: Metres; one above `maximumRegionMonitoringDistance` is not supported.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  /// Being near a beacon; what is nil may be anything.
  public struct BeaconIdentityCondition: CLCondition, Hashable {
    /// The beacon's UUID.
    public let uuid: UUID
    /// The major value; nil: any.
    public let major: UInt16?
    /// The minor value; nil: any.
    public let minor: UInt16?

    /// Means every beacon of the UUID.
    public init(uuid: UUID) { self.init(BeaconIdentity(uuid: uuid)) }

    /// Means every beacon of the UUID and major value.
    public init(uuid: UUID, major: UInt16) {
      self.init(BeaconIdentity(uuid: uuid, major: major))
    }

    /// Means one beacon.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      self.init(BeaconIdentity(uuid: uuid, major: major, minor: minor))
    }

    init(_ identity: BeaconIdentity) {
      (uuid, major, minor) = (identity.uuid, identity.major, identity.minor)
    }
  }

  /// Being within a polygon on the earth. Lodestar's own; Apple has nothing alike.
  public struct PolygonGeographicCondition: CLCondition {
    /// A coast in more detail than a receiver can tell; one command of it to the daemon stays short.
    static let mostVertices = 1000

    /// The corners, in either direction round; the last joins the first. Three to 1000.
    public let vertices: [CLLocationCoordinate2D]

    /// Makes the condition.
    /// - Parameter vertices: The corners, in either direction round; the last joins the first. With
    ///   fewer than three or more than 1000 the condition is not supported.
    public init(vertices: [CLLocationCoordinate2D]) { self.vertices = vertices }
  }
}

/// The name that Apple's articles write for the circle.
public typealias CLCircularGeographicCondition = CLMonitor.CircularGeographicCondition
/// The name that Apple's articles write for beacons.
public typealias CLBeaconIdentityCondition = CLMonitor.BeaconIdentityCondition
