/// The kind of motion, with Core Location's names.
public enum Activity: String, CaseIterable, Sendable {
  /// Unknown.
  case other
  /// In a car.
  case automotiveNavigation
  /// On foot or on a bicycle.
  case fitness
  /// In a boat, a train or anything else that is not a car.
  case otherNavigation
  /// In the air.
  case airborne
}
