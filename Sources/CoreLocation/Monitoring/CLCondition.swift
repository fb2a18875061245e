internal import Radio

/// A condition of a `CLMonitor`. The monitor supports the types below and reports any other type as
/// unsupported.
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

  /// Being near a beacon; nil values match any.
  public struct BeaconIdentityCondition: CLCondition, Hashable {
    /// The beacon's UUID.
    public let uuid: UUID
    /// The major value; nil: any.
    public let major: UInt16?
    /// The minor value; nil: any.
    public let minor: UInt16?

    /// Matches every beacon of the UUID.
    public init(uuid: UUID) { self.init(BeaconConstraint(uuid: uuid)) }

    /// Matches every beacon of the UUID and major value.
    public init(uuid: UUID, major: UInt16) {
      self.init(BeaconConstraint(uuid: uuid, major: major))
    }

    /// Matches one beacon.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      self.init(BeaconConstraint(uuid: uuid, major: major, minor: minor))
    }

    init(_ constraint: BeaconConstraint) {
      (uuid, major, minor) = (constraint.uuid, constraint.major, constraint.minor)
    }
  }

  /// Being within a polygon on the earth. A Lodestar extension.
  public struct PolygonGeographicCondition: CLCondition {
    /// The maximum number of vertices: detail beyond a receiver's accuracy, in a short message to
    /// the daemon.
    static let mostVertices = 1000

    /// The corners in either direction; the last one connects to the first. Three to 1000.
    public let vertices: [CLLocationCoordinate2D]

    /// Makes the condition.
    /// - Parameter vertices: The corners in either direction; the last one connects to the first.
    ///   With fewer than three or more than 1000 the condition is not supported.
    public init(vertices: [CLLocationCoordinate2D]) { self.vertices = vertices }
  }
}

/// The name of the circle in Apple's articles.
public typealias CLCircularGeographicCondition = CLMonitor.CircularGeographicCondition
/// The name of the beacon condition in Apple's articles.
public typealias CLBeaconIdentityCondition = CLMonitor.BeaconIdentityCondition
