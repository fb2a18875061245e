import Quantities
import RealModule

/// The mechanics of one instant: position, attitude, velocity, and the measurements of an ideal
/// inertial unit at the vehicle's origin.
///
/// The angular rate is relative to inertial space where the earth's rotation is included: then it
/// holds the earth's rate (15 degrees an hour) and the turning of the local level on the way.
/// - Source: P. D. Groves, Principles of GNSS, Inertial, and Multisensor Integrated Navigation
///   Systems, 2nd edition, equations 5.39, 5.44 and 5.53, solved for what the sensors feel.
package struct Kinematics: Sendable {
  package var attitude: Rotation<BodyFrame, EarthFrame>
  package var angularRate: AngularRate<BodyFrame>
  package var specificForce: SpecificForce<BodyFrame>
  package var position: GeodeticPosition
  package var ellipsoidalHeight: Double
  package var velocity: Velocity<EarthFrame>
  /// The rate of turn, radians per second, clockwise positive.
  package var headingRate: Double
  /// Chart coordinates, metres.
  package var north: Double
  package var east: Double
  package var up: Double
}

extension Motion {
  package func kinematics(
    atSeconds t: Double, chart: EllipsoidChart, includesEarthRotation: Bool
  ) -> Kinematics {
    let state = route.state(atSeconds: t)
    let north = state.north + self.north.jet(atSeconds: t)
    let east = state.east + self.east.jet(atSeconds: t)
    let up = self.up.jet(atSeconds: t)
    let place = chart.location(north: north, east: east, up: up)
    let (course, climb) = courseAndClimb(of: state, up: up, place)

    let heading = course.plus(self.heading.jet(atSeconds: t))
    let pitch = climb.plus(self.pitch.jet(atSeconds: t))
    let roll = Turning(value: 0, rate: 0).plus(state.heel + self.roll.jet(atSeconds: t))
    let attitude = Rotation<BodyFrame, EarthFrame>(
      AttitudeAngles(
        heading: Angle(radians: heading.value), pitch: Angle(radians: pitch.value),
        roll: Angle(radians: roll.value)))

    // The rates of the three turns, each about its own axis, along the body's axes.
    let (sinRoll, cosRoll) = (Double.sin(roll.value), Double.cos(roll.value))
    let (sinPitch, cosPitch) = (Double.sin(pitch.value), Double.cos(pitch.value))
    var rate = SIMD3(
      roll.rate - heading.rate * sinPitch,
      pitch.rate * cosRoll + heading.rate * sinRoll * cosPitch,
      -pitch.rate * sinRoll + heading.rate * cosRoll * cosPitch)

    let gravity = NormalGravity.metresPerSecondSquared(
      sinLatitude: place.sinLatitude, heightMetres: place.height)
    var force = place.acceleration - SIMD3(0, 0, gravity)
    if includesEarthRotation {
      let earth =
        SIMD3(place.cosLatitude, 0, -place.sinLatitude) * EllipsoidChart.rotationRate
      rate += attitude.inverse.rotate(earth + place.transportRate)
      force += (earth * 2 + place.transportRate).cross(place.velocity)
    }
    return Kinematics(
      attitude: attitude, angularRate: AngularRate(radiansPerSecond: rate),
      specificForce: SpecificForce(metresPerSecondSquared: attitude.inverse.rotate(force)),
      position: place.position, ellipsoidalHeight: place.height,
      velocity: Velocity(metresPerSecond: place.velocity), headingRate: heading.rate,
      north: north.value, east: east.value, up: up.value)
  }

  /// The direction of the route over ground and its climb, for a bow that follows them.
  private func courseAndClimb(
    of state: Route.State, up: Jet, _ place: EllipsoidChart.Location
  ) -> (course: Turning, climb: Turning) {
    let still = Turning(value: 0, rate: 0)
    let north = state.north.rate * place.scale.x
    let east = state.east.rate * place.scale.y
    let squared = north * north + east * east
    guard bow != .free, squared > 0 else { return (still, still) }
    let northRate =
      state.north.acceleration * place.scale.x + state.north.rate * place.scaleRate.x
    let eastRate = state.east.acceleration * place.scale.y + state.east.rate * place.scaleRate.y
    let course = Turning(
      value: Double.atan2(y: east, x: north), rate: (north * eastRate - east * northRate) / squared)
    guard bow == .alongClimb else { return (course, still) }
    let speed = squared.squareRoot()
    let speedRate = (north * northRate + east * eastRate) / speed
    let climb = Turning(
      value: Double.atan2(y: up.rate, x: speed),
      rate: (speed * up.acceleration - up.rate * speedRate) / (squared + up.rate * up.rate))
    return (course, climb)
  }
}

/// An angle and its rate, radians and radians per second.
private struct Turning {
  var value: Double
  var rate: Double

  func plus(_ jet: Jet) -> Turning { Turning(value: value + jet.value, rate: rate + jet.rate) }
}
