/// The state of the device relative to a region.
@frozen public enum CLRegionState: Int, Sendable {
  /// Nothing is known yet.
  case unknown = 0
  /// Inside the region.
  case inside = 1
  /// Outside the region.
  case outside = 2
}
