/// The class of a beacon's distance.
public enum CLProximity: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// Within an arm's length.
  case immediate = 1
  /// Within a few metres.
  case near = 2
  /// Farther than a few metres.
  case far = 3
}
