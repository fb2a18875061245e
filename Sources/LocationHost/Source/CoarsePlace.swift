import Quantities
import Radio

/// Where a search found the board to be.
package struct CoarsePlace: Sendable {
  /// The place.
  package var position: GeodeticPosition
  /// The radius that holds it with 95 % probability, metres.
  package var radius95Metres: Double
  /// When the access points were scanned.
  package var time: UTCTime

  /// Makes a place.
  package init(position: GeodeticPosition, radius95Metres: Double, time: UTCTime) {
    (self.position, self.radius95Metres, self.time) = (position, radius95Metres, time)
  }

  init(_ found: CoarsePosition) {
    self.init(
      position: GeodeticPosition(
        latitudeDegrees: found.latitudeDegrees, longitudeDegrees: found.longitudeDegrees),
      radius95Metres: found.radius95Metres, time: found.time)
  }
}
