import RealModule

/// Heading, pitch and roll as in navigation: rotate by heading about down, then by pitch about the
/// right-hand axis (bow up is positive), then by roll about forward (right side down is positive).
public struct AttitudeAngles: Equatable, Sendable {
  /// Clockwise from the earth frame's north, 0 to 2 pi.
  public var heading: Angle
  /// Bow up positive, -pi/2 to pi/2.
  public var pitch: Angle
  /// Right side down positive, -pi to pi.
  public var roll: Angle

  /// Makes the three angles.
  public init(heading: Angle, pitch: Angle, roll: Angle) {
    self.heading = heading
    self.pitch = pitch
    self.roll = roll
  }
}

extension Rotation where From == BodyFrame {
  /// The body's attitude above an earth frame with x north, y east, z down.
  ///
  /// With the bow straight up or down, heading and roll rotate about the same axis; roll is then
  /// set to zero.
  public var attitudeAngles: AttitudeAngles {
    let (north, east, down) = rows
    let pitch = Double.atan2(y: -down.x, x: (down.y * down.y + down.z * down.z).squareRoot())
    if abs(down.x) > 0.999_999_9 {
      let heading = Double.atan2(y: -north.y, x: east.y)
      return AttitudeAngles(
        heading: Angle(radians: heading).wrappedToTurn, pitch: Angle(radians: pitch), roll: .zero)
    }
    return AttitudeAngles(
      heading: Angle(radians: Double.atan2(y: east.x, x: north.x)).wrappedToTurn,
      pitch: Angle(radians: pitch),
      roll: Angle(radians: Double.atan2(y: down.y, x: down.z)))
  }

  /// The attitude with these angles.
  public init(_ angles: AttitudeAngles) {
    func half(_ a: Angle) -> (c: Double, s: Double) {
      let h = a.wrappedToHalfTurn.radians / 2
      return (Double.cos(h), Double.sin(h))
    }
    let (h, p, r) = (half(angles.heading), half(angles.pitch), half(angles.roll))
    // The product of the three turns written out: heading about z, pitch about y, roll about x.
    self.init(
      unchecked: h.c * p.c * r.c + h.s * p.s * r.s,
      SIMD3(
        h.c * p.c * r.s - h.s * p.s * r.c,
        h.c * p.s * r.c + h.s * p.c * r.s,
        h.s * p.c * r.c - h.c * p.s * r.s))
  }
}
