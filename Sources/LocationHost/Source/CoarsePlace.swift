import Quantities
import Radio

/// The result of a Wi-Fi search.
package struct CoarsePlace: Sendable {
  package var position: GeodeticPosition
  /// The 95 % radius, metres.
  package var radius95Metres: Double
  /// The time of the scan.
  package var time: UTCTime

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
