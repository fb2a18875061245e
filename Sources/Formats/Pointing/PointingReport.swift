import EarthModel
import Quantities
import RealModule

/// The correction of the mounting by one star, which is added to the measured direction.
package struct PointingAlignment: Equatable, Sendable {
  package var azimuth: Angle
  package var altitude: Angle

  package init(azimuth: Angle = .zero, altitude: Angle = .zero) {
    (self.azimuth, self.altitude) = (azimuth, altitude)
  }
}

/// Where an axis of the board points: a telescope, an antenna or a camera that is fixed to it.
///
/// nil where a value is not known at the estimate's time: no true heading, no level, no place.
package struct PointingReport: Sendable {
  /// The axis of the body that points.
  package let axis: AxisDirection
  /// Whether celestial coordinates are corrected for refraction, which lifts a star.
  package let hasRefraction: Bool
  package var alignment: PointingAlignment

  package init(
    axis: AxisDirection, hasRefraction: Bool = false, alignment: PointingAlignment = .init()
  ) {
    (self.axis, self.hasRefraction, self.alignment) = (axis, hasRefraction, alignment)
  }

  /// The direction above true north and the horizon.
  package func direction(_ estimate: Estimate) -> HorizontalDirection? {
    guard var direction = measured(estimate) else { return nil }
    direction.azimuth = direction.azimuth + alignment.azimuth
    direction.altitude = direction.altitude + alignment.altitude
    // Beyond the zenith the azimuth is the opposite one.
    if abs(direction.altitude.radians) > .pi / 2 {
      let half = Angle(radians: direction.altitude.radians < 0 ? -.pi : .pi)
      direction.altitude = half - direction.altitude
      direction.azimuth = direction.azimuth + half
    }
    direction.azimuth = direction.azimuth.wrappedToTurn
    return direction
  }

  /// The direction among the stars by the equinox of the date.
  package func ofDate(_ estimate: Estimate) -> EquatorialDirection? {
    guard let sky = Self.sky(estimate), var direction = direction(estimate) else { return nil }
    if hasRefraction {
      direction.altitude = direction.altitude - Refraction.ofApparent(direction.altitude)
    }
    return sky.equatorial(direction)
  }

  /// The direction among the stars by the equinox of J2000.
  package func j2000(_ estimate: Estimate) -> EquatorialDirection? {
    guard let sky = Self.sky(estimate), let direction = ofDate(estimate) else { return nil }
    return sky.j2000(ofDate: direction)
  }

  /// The alignment by which the axis points to a star now, by the equinox of the date.
  package func alignment(on star: EquatorialDirection, _ estimate: Estimate) -> PointingAlignment? {
    guard let sky = Self.sky(estimate), let measured = measured(estimate) else { return nil }
    var seen = sky.horizontal(star)
    if hasRefraction { seen.altitude = seen.altitude + Refraction.ofTrue(seen.altitude) }
    return PointingAlignment(
      azimuth: (seen.azimuth - measured.azimuth).wrappedToHalfTurn,
      altitude: seen.altitude - measured.altitude)
  }

  /// The sky of the estimate's place and time.
  package static func sky(_ estimate: Estimate) -> Sky? {
    guard let place = estimate.position, estimate.positionState?.isGone != true,
      let utc = estimate.utc
    else { return nil }
    return Sky(at: place, utc)
  }

  /// The direction without the alignment.
  private func measured(_ estimate: Estimate) -> HorizontalDirection? {
    guard estimate.isLevelKnown, estimate.headingState?.isGone != true,
      let heading = estimate.trueHeading?.angle, let attitude = estimate.attitude
    else { return nil }
    let axis = attitude.rotate(axis.unitVector)
    // From the attitude's north to true north: the declination, and a vehicle's deviation.
    let north = heading - attitude.attitudeAngles.heading
    let level = (axis.x * axis.x + axis.y * axis.y).squareRoot()
    return HorizontalDirection(
      azimuth: Angle(radians: Double.atan2(y: axis.y, x: axis.x)) + north,
      altitude: Angle(radians: Double.atan2(y: -axis.z, x: level)))
  }
}
