/// The kind of motion, for the motion model and for pauses.
public enum CLActivityType: Int, Sendable {
  /// None of the others.
  case other = 1
  /// A car that follows roads.
  case automotiveNavigation = 2
  /// A person on foot.
  case fitness = 3
  /// A boat, a train or another vehicle off the road.
  case otherNavigation = 4
  /// An aircraft.
  case airborne = 5
}
