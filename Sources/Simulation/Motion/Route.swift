import Quantities
import RealModule

/// One straight stretch of a route, entered by a smooth turn.
public struct Leg: Equatable, Sendable {
  /// Its duration, including the turn into it.
  public var seconds: Double
  /// Its course, clockwise from true north.
  public var course: Angle
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double
  /// The mean roll on it, right side down positive: a sailing boat heels away from the wind.
  public var heel: Angle

  /// Makes a leg.
  public init(seconds: Double, course: Angle, speedMetresPerSecond: Double, heel: Angle = .zero) {
    self.seconds = seconds
    self.course = course
    self.speedMetresPerSecond = speedMetresPerSecond
    self.heel = heel
  }

  var velocity: SIMD2<Double> {
    SIMD2(Double.cos(course.radians), Double.sin(course.radians)) * speedMetresPerSecond
  }
}

/// A sequence of legs, repeated without end.
///
/// A turn leads the velocity along a straight line from the old vector to the new one, by a
/// polynomial in time whose integral is known, so that position, velocity and acceleration agree
/// exactly. The vehicle loses speed in the turn as boats and cars do: to 71 % in the middle of a
/// right angle.
public struct Route: Equatable, Sendable {
  /// The legs in order; empty for no motion.
  public let legs: [Leg]
  /// The duration of a turn, seconds.
  public let turnSeconds: Double
  private let stretches: [Stretch]
  private let lapSeconds: Double
  private let lapDisplacement: SIMD2<Double>

  private struct Stretch: Equatable, Sendable {
    var start: Double
    var startPosition: SIMD2<Double>
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    var fromHeel: Double
    var toHeel: Double
  }

  /// Standing still.
  public static var standstill: Route { Route(legs: [], turnSeconds: 1) }

  /// Makes a route that starts on its first leg, after the turn.
  public init(legs: [Leg], turnSeconds: Double) {
    self.legs = legs
    self.turnSeconds = turnSeconds
    var stretches: [Stretch] = []
    var start = 0.0
    var before = legs.last
    // Time and position zero are at the end of the first turn.
    var position = SIMD2<Double>.zero
    if let first = legs.first, let last = legs.last {
      position = (first.velocity + last.velocity) * (-turnSeconds / 2)
    }
    let firstPosition = position
    for leg in legs {
      let from = (before ?? leg).velocity
      let heelBefore = (before ?? leg).heel.radians
      stretches.append(
        Stretch(
          start: start, startPosition: position, from: from, to: leg.velocity,
          fromHeel: heelBefore, toHeel: leg.heel.radians))
      position += from * leg.seconds
      // The blend's integral over a whole turn is half of its length.
      position += (leg.velocity - from) * (leg.seconds - turnSeconds / 2)
      start += leg.seconds
      before = leg
    }
    self.stretches = stretches
    lapSeconds = start
    lapDisplacement = position - firstPosition
  }

  /// Position and heel at an instant, with their first and second derivatives.
  package struct State: Sendable {
    package var north: Jet
    package var east: Jet
    package var heel: Jet
  }

  package func state(atSeconds t: Double) -> State {
    let nothing = Jet(value: 0, rate: 0, acceleration: 0)
    guard !stretches.isEmpty else { return State(north: nothing, east: nothing, heel: nothing) }
    // Time zero lies behind the first turn.
    let time = t + turnSeconds
    let lap = (time / lapSeconds).rounded(.down)
    let within = time - lap * lapSeconds
    var index = stretches.count - 1
    while index > 0, stretches[index].start > within { index -= 1 }
    let stretch = stretches[index]
    let elapsed = within - stretch.start
    let blend = Blend(elapsed: elapsed, duration: turnSeconds)
    let change = stretch.to - stretch.from
    let velocity = stretch.from + change * blend.value
    let acceleration = change * blend.rate
    let position =
      stretch.startPosition + lapDisplacement * lap + stretch.from * elapsed
      + change * blend.integral
    let heelChange = stretch.toHeel - stretch.fromHeel
    return State(
      north: Jet(value: position.x, rate: velocity.x, acceleration: acceleration.x),
      east: Jet(value: position.y, rate: velocity.y, acceleration: acceleration.y),
      heel: Jet(
        value: stretch.fromHeel + heelChange * blend.value, rate: heelChange * blend.rate,
        acceleration: heelChange * blend.acceleration))
  }
}

/// A smooth step from 0 to 1 with its derivatives and its integral: 10 x³ - 15 x⁴ + 6 x⁵, whose
/// first and second derivatives vanish at both ends.
struct Blend {
  let value: Double
  let rate: Double
  let acceleration: Double
  let integral: Double

  init(elapsed: Double, duration: Double) {
    guard elapsed < duration else {
      (value, rate, acceleration) = (1, 0, 0)
      integral = elapsed - duration / 2
      return
    }
    let x = max(elapsed, 0) / duration
    value = x * x * x * (10 + x * (-15 + x * 6))
    rate = x * x * (30 + x * (-60 + x * 30)) / duration
    acceleration = x * (60 + x * (-180 + x * 120)) / (duration * duration)
    integral = x * x * x * x * (2.5 + x * (-3 + x)) * duration
  }
}
