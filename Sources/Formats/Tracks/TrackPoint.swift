import Quantities

/// A point of a track.
package struct TrackPoint: Equatable, Sendable {
  /// When the craft was there; nil where it is not known.
  package var utc: UTCTime?
  /// The instant on the recording's clock.
  package var timestamp: Timestamp
  package var position: GeodeticPosition
  /// Metres above mean sea level.
  package var altitudeMetres: Double?
  /// Metres above the ellipsoid.
  package var ellipsoidalAltitudeMetres: Double?
  package var speedMetresPerSecond: Double?
  /// Over ground, from true north.
  package var course: Angle?
  /// Of the bow, from true north.
  package var heading: Angle?
  /// From true north to magnetic north, positive east.
  package var declination: Angle?

  /// Greatest time between two points of one piece of a track, seconds.
  package static let longestGap = 30.0

  /// The point of an estimate; nil for one without a position.
  package init?(_ estimate: Estimate) {
    guard let position = estimate.position else { return nil }
    (utc, timestamp, self.position) = (estimate.utc, estimate.timestamp, position)
    altitudeMetres = estimate.altitudeMetres
    ellipsoidalAltitudeMetres = estimate.ellipsoidalAltitudeMetres
    speedMetresPerSecond = estimate.speedMetresPerSecond
    course = estimate.course
    heading = estimate.trueHeading?.angle
    if let heading, let magnetic = estimate.magneticHeading?.angle {
      declination = (heading - magnetic).wrappedToHalfTurn
    }
  }

  /// Whether the track is interrupted between a point and this one.
  package func beginsPiece(after point: TrackPoint) -> Bool {
    timestamp.seconds(since: point.timestamp) > Self.longestGap
  }
}
