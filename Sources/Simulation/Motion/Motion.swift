import Quantities

/// The reference of the bow's direction, before `Motion.heading` and `Motion.pitch` are added.
public enum BowRule: String, CaseIterable, Sendable {
  /// True north and level: the motion's angles are the whole direction.
  case free
  /// Along the route over ground: a boat, whose heave does not raise the bow.
  case alongCourse
  /// Along the route and its climb: a car on a hill.
  case alongClimb
}

/// The motion of a vehicle or a hand: an analytic function of time, so that attitude, angular rate,
/// velocity and specific force agree to rounding.
public struct Motion: Equatable, Sendable {
  /// The route over ground.
  public var route: Route
  /// The reference of the bow's direction.
  public var bow: BowRule
  /// Northward motion about the route, metres.
  public var north: Oscillation
  /// Eastward motion about the route, metres.
  public var east: Oscillation
  /// Height above the scenario's starting height, metres: heave and hills.
  public var up: Oscillation
  /// Added to the bow's direction, radians clockwise: yaw, or the whole heading of a free bow.
  public var heading: Oscillation
  /// Added to the bow's elevation, radians, bow up positive.
  public var pitch: Oscillation
  /// Added to the leg's heel, radians, right side down positive.
  public var roll: Oscillation

  /// Makes a motion; omitted parts are constant zero.
  public init(
    route: Route = .standstill, bow: BowRule = .free,
    north: Oscillation = Oscillation(), east: Oscillation = Oscillation(),
    up: Oscillation = Oscillation(), heading: Oscillation = Oscillation(),
    pitch: Oscillation = Oscillation(), roll: Oscillation = Oscillation()
  ) {
    (self.route, self.bow) = (route, bow)
    (self.north, self.east, self.up) = (north, east, up)
    (self.heading, self.pitch, self.roll) = (heading, pitch, roll)
  }
}
