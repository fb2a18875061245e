import Quantities
import RealModule

/// A quantity with its first and second derivative by time, all exact.
package struct Jet: Equatable, Sendable {
  /// The quantity.
  package var value: Double
  /// Its change per second.
  package var rate: Double
  /// The change of its rate per second.
  package var acceleration: Double

  package init(value: Double, rate: Double, acceleration: Double) {
    (self.value, self.rate, self.acceleration) = (value, rate, acceleration)
  }

  /// The sum, derivative by derivative.
  package static func + (a: Jet, b: Jet) -> Jet {
    Jet(
      value: a.value + b.value, rate: a.rate + b.rate,
      acceleration: a.acceleration + b.acceleration)
  }
}

/// One sine wave in time.
public struct Sinusoid: Equatable, Sendable {
  /// The greatest excursion, in the quantity's unit (metres or radians).
  public var amplitude: Double
  /// Cycles per second.
  public var hertz: Double
  /// Radians at time zero.
  public var phase: Double

  /// Makes a wave `amplitude * sin(2 pi hertz t + phase)`.
  public init(amplitude: Double, hertz: Double, phase: Double = 0) {
    (self.amplitude, self.hertz, self.phase) = (amplitude, hertz, phase)
  }
}

/// A smooth change of a quantity within a time, at rest before and after it.
public struct Ramp: Equatable, Sendable {
  /// Its begin, seconds.
  public var fromSeconds: Double
  /// Its duration, seconds.
  public var seconds: Double
  /// The change, in the quantity's unit (metres or radians).
  public var change: Double

  /// Makes a change.
  public init(fromSeconds: Double, seconds: Double, change: Double) {
    (self.fromSeconds, self.seconds, self.change) = (fromSeconds, seconds, change)
  }
}

/// A smooth function of time: a mean, a steady growth, changes, and waves on top. In metres or
/// radians.
public struct Oscillation: Equatable, Sendable {
  /// The mean at time zero.
  public var mean: Double
  /// Growth of the mean per second.
  public var growthPerSecond: Double
  /// The waves.
  public var waves: [Sinusoid]
  /// The changes.
  public var ramps: [Ramp]

  /// Makes a function; without arguments it is constant zero.
  public init(
    mean: Double = 0, growthPerSecond: Double = 0, waves: [Sinusoid] = [], ramps: [Ramp] = []
  ) {
    self.ramps = ramps
    (self.mean, self.growthPerSecond, self.waves) = (mean, growthPerSecond, waves)
  }

  package func jet(atSeconds t: Double) -> Jet {
    var sum = Jet(value: mean + growthPerSecond * t, rate: growthPerSecond, acceleration: 0)
    for wave in waves {
      let w = 2 * Double.pi * wave.hertz
      let sine = wave.amplitude * Double.sin(w * t + wave.phase)
      let cosine = wave.amplitude * Double.cos(w * t + wave.phase)
      sum.value += sine
      sum.rate += cosine * w
      sum.acceleration -= sine * w * w
    }
    for ramp in ramps where t > ramp.fromSeconds {
      let blend = Blend(elapsed: t - ramp.fromSeconds, duration: ramp.seconds)
      sum.value += ramp.change * blend.value
      sum.rate += ramp.change * blend.rate
      sum.acceleration += ramp.change * blend.acceleration
    }
    return sum
  }
}
