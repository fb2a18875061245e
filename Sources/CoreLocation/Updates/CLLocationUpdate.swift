/// A location, or the reason why there is none.
public struct CLLocationUpdate: Sendable {
  /// The location; nil where one of the properties below prevents it.
  public let location: CLLocation?
  /// The device is stationary: updates pause after this one until it moves.
  public let stationary: Bool

  let obstacles: Obstacles

  init(location: CLLocation?, stationary: Bool = false, obstacles: Obstacles = []) {
    (self.location, self.stationary, self.obstacles) = (location, stationary, obstacles)
  }

  /// The older name of `stationary`.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  /// The program has no authorization for locations.
  public var authorizationDenied: Bool { obstacles.contains(.denied) }
  /// Location services are off for every program, or no source can be opened.
  public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
  /// An administrator's rule forbids it.
  public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
  /// The authorization was requested and is not determined yet.
  public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
  /// Never: a program on Linux counts as in use while it runs.
  public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
  /// No fix for 30 seconds, or no receiver. Updates continue with the next fix.
  public var locationUnavailable: Bool { obstacles.contains(.locationUnavailable) }
  /// The program has reduced accuracy.
  public var accuracyLimited: Bool { obstacles.contains(.accuracyLimited) }
  /// Never: updates request the authorization themselves where it is not determined.
  public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }

  /// The kind of motion, for the motion model and for pauses.
  public enum LiveConfiguration: Hashable, Sendable {
    /// None of the others.
    case `default`
    /// A car that follows roads.
    case automotiveNavigation
    /// A train or another vehicle off the road.
    case otherNavigation
    /// A person on foot.
    case fitness
    /// An aircraft.
    case airborne
    /// A boat.
    case maritime
  }

  /// The locations of this device from now on: first the last known location if it is at most 15
  /// seconds old, then each new one while a loop runs. The service starts with the loop.
  /// - Parameter configuration: The kind of motion.
  /// - Returns: A sequence that starts anew for each loop.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default
  ) -> Updates {
    Updates(configuration: configuration, services: .current)
  }
}
