/// A location, or why there is none.
public struct CLLocationUpdate: Sendable {
  /// The location; nil where something stands in its way.
  public let location: CLLocation?
  /// The device stays where it is: updates pause after this one until it moves.
  public let stationary: Bool

  let obstacles: Obstacles

  init(location: CLLocation?, stationary: Bool = false, obstacles: Obstacles = []) {
    (self.location, self.stationary, self.obstacles) = (location, stationary, obstacles)
  }

  /// The older name of `stationary`.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  /// The program may not use locations.
  public var authorizationDenied: Bool { obstacles.contains(.denied) }
  /// No program may: location services are off, which they are where no source can be opened.
  public var authorizationDeniedGlobally: Bool { obstacles.contains(.deniedGlobally) }
  /// An administrator's rule forbids it.
  public var authorizationRestricted: Bool { obstacles.contains(.restricted) }
  /// The authorization was asked for, and nobody has answered yet.
  public var authorizationRequestInProgress: Bool { obstacles.contains(.requestInProgress) }
  /// Never: a program on Linux counts as in use while it runs.
  public var insufficientlyInUse: Bool { obstacles.contains(.insufficientlyInUse) }
  /// No fix for now: for 30 seconds, or because there is no receiver. Updates go on once there is one.
  public var locationUnavailable: Bool { obstacles.contains(.locationUnavailable) }
  /// The program may know the area only.
  public var accuracyLimited: Bool { obstacles.contains(.accuracyLimited) }
  /// Never: updates ask for the authorization themselves where nobody has decided.
  public var serviceSessionRequired: Bool { obstacles.contains(.serviceSessionRequired) }

  /// What moves, as a cue for the motion model and for pauses.
  public enum LiveConfiguration: Hashable, Sendable {
    /// Nothing of the others.
    case `default`
    /// A car that follows roads.
    case automotiveNavigation
    /// A train, another vehicle off the road.
    case otherNavigation
    /// A person on foot.
    case fitness
    /// An aircraft.
    case airborne
    /// A boat.
    case maritime
  }

  /// The locations of this device from now on: the last known one first where it is at most 15 seconds
  /// old, then each new one, for as long as a loop asks for them. Nothing starts before a loop does.
  /// - Parameter configuration: What moves.
  /// - Returns: A sequence that each loop gets from its own beginning.
  public static func liveUpdates(
    _ configuration: LiveConfiguration = .default
  ) -> Updates {
    Updates(configuration: configuration, services: .current)
  }
}
