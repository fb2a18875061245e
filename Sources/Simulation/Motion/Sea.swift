import Quantities
import RealModule

/// The waves of one spectrum: wind waves or swell, in deep water.
///
/// - Source: K. Hasselmann et al. 1973 (JONSWAP): the spectrum S(f) ~ f⁻⁵ exp(-5/4 (f/fp)⁻⁴) γ^b
///   with b = exp(-(f/fp - 1)² / (2 σ²)), σ = 0.07 below and 0.09 above the peak, scaled to the
///   significant height.
public struct WaveSystem: Equatable, Sendable {
  /// Significant height, metres: four standard deviations of the surface.
  public var heightMetres: Double
  /// Period of the peak, seconds.
  public var periodSeconds: Double
  /// The direction into which the waves run, clockwise from north.
  public var direction: Angle
  /// Peak enhancement: 3.3 for wind waves, 6 and more for swell.
  public var enhancement: Double
  /// One sigma of the directions about the main one.
  public var spread: Angle

  /// Makes a wave system.
  public init(
    heightMetres: Double, periodSeconds: Double, direction: Angle, enhancement: Double = 3.3,
    spread: Angle = Angle(degrees: 20)
  ) {
    (self.heightMetres, self.periodSeconds) = (heightMetres, periodSeconds)
    (self.direction, self.enhancement, self.spread) = (direction, enhancement, spread)
  }

  /// The number of sine waves that stand for the spectrum.
  private static var count: Int { 32 }
  /// The frequencies that are represented, in those of the peak, and the highest one, hertz:
  /// shorter waves pass under a hull.
  private static var lowest: Double { 0.6 }
  private static var highest: Double { 4 }
  private static var highestHertz: Double { 1.2 }

  /// One sine wave.
  struct Wave {
    var amplitude: Double
    var hertz: Double
    var phase: Double
    var direction: Double

    /// The wave number, rad/m.
    var number: Double { (2 * .pi * hertz) * (2 * .pi * hertz) / 9.806_65 }
  }

  func waves(_ random: inout RandomStream) -> [Wave] {
    let peak = 1 / periodSeconds
    let (from, to) = (Self.lowest * peak, min(Self.highest * peak, Self.highestHertz))
    // Equal steps of the logarithm: each wave stands for a share of the spectrum near it.
    let step = Double.log(to / from) / Double(Self.count)
    var waves: [Wave] = []
    var variance = 0.0
    for i in 0..<Self.count {
      let hertz = from * Double.exp((Double(i) + random.uniform()) * step)
      let x = hertz / peak
      let width = x < 1 ? 0.07 : 0.09
      let b = Double.exp(-(x - 1) * (x - 1) / (2 * width * width))
      let density =
        Double.pow(x, -5) * Double.exp(-1.25 * Double.pow(x, -4)) * Double.pow(enhancement, b)
      let square = 2 * density * hertz * step
      variance += square / 2
      waves.append(
        Wave(
          amplitude: square.squareRoot(), hertz: hertz, phase: 2 * .pi * random.uniform(),
          direction: direction.radians + spread.radians * random.gaussian()))
    }
    let scale = heightMetres / 4 / variance.squareRoot()
    return waves.map {
      var wave = $0
      wave.amplitude *= scale
      return wave
    }
  }
}

/// A boat in waves: it follows the surface, and its hull evens out waves shorter than itself.
public struct Sea: Equatable, Sendable {
  /// The waves.
  public var systems: [WaveSystem]
  /// The length of the hull, metres.
  public var hullMetres: Double
  /// Roll in proportion to the slope of the surface across: a hull with little damping rolls more
  /// than the surface.
  public var rollFactor: Double
  /// Yaw in proportion to the slope across.
  public var yawFactor: Double
  /// Impacts of the bow in a minute.
  public var slamsPerMinute: Double
  /// The acceleration of the engine's vibration, m/s²; zero without one.
  public var engineAcceleration = 0.0
  /// Its frequency, hertz.
  public var engineHertz = 25.0

  /// Makes a sea.
  public init(
    _ systems: [WaveSystem], hullMetres: Double = 9, rollFactor: Double = 1.3,
    yawFactor: Double = 0.4, slamsPerMinute: Double = 0
  ) {
    (self.systems, self.hullMetres) = (systems, hullMetres)
    (self.rollFactor, self.yawFactor) = (rollFactor, yawFactor)
    self.slamsPerMinute = slamsPerMinute
  }

  /// Seconds of motion for which slams are made.
  private static var slamSeconds: Double { 1800 }

  /// The motion of a boat on a route in this sea, the bow along the course.
  /// - Parameters:
  ///   - route: The route; waves meet the bow as on its first leg.
  ///   - seed: Selects the waves' phases and directions, and the times of the slams.
  /// - Returns: The motion.
  public func motion(along route: Route, seed: UInt64) -> Motion {
    var random = RandomStream(seed: seed, stream: 97)
    let bow = route.legs.first?.course.radians ?? 0
    let speed = route.legs.first?.speedMetresPerSecond ?? 0
    var motion = Motion(route: route, bow: .alongCourse)
    for system in systems {
      for wave in system.waves(&random) {
        let number = wave.number
        let along = wave.direction - bow
        // The frequency at which the boat meets the wave; negative for one that it overtakes.
        let met = wave.hertz - number * speed * Double.cos(along) / (2 * .pi)
        let size = number * hullMetres / 2
        let evened = wave.amplitude * Double.exp(-size * size / 2)
        let slope = evened * number
        func add(_ part: WritableKeyPath<Motion, Oscillation>, _ amplitude: Double, _ lead: Double)
        {
          // sin(-x + p) = sin(x + π - p).
          let phase = wave.phase + lead
          motion[keyPath: part].waves.append(
            Sinusoid(amplitude: amplitude, hertz: abs(met), phase: met < 0 ? .pi - phase : phase))
        }
        // Height a cos p, slope along the wave's way a k sin p, orbit along it a sin p.
        add(\.up, evened, .pi / 2)
        add(\.north, evened * Double.cos(wave.direction), 0)
        add(\.east, evened * Double.sin(wave.direction), 0)
        add(\.pitch, slope * Double.cos(along), 0)
        add(\.roll, -rollFactor * slope * Double.sin(along), 0.6)
        add(\.heading, yawFactor * slope * Double.sin(along), 0.9)
      }
    }
    if engineAcceleration > 0 {
      let w = 2 * Double.pi * engineHertz
      for part in [\Motion.up, \.east] {
        motion[keyPath: part].waves.append(
          Sinusoid(amplitude: engineAcceleration / (w * w), hertz: engineHertz))
      }
    }
    addSlams(to: &motion, &random)
    return motion
  }

  /// Impacts: the bow is thrown up by two degrees and the hull by 3 cm within a fifth of a second,
  /// and sinks back.
  private func addSlams(to motion: inout Motion, _ random: inout RandomStream) {
    guard slamsPerMinute > 0 else { return }
    var t = 0.0
    while t < Self.slamSeconds {
      t += -60 / slamsPerMinute * Double.log(1 - random.uniform())
      for (part, change) in [(\Motion.up, 0.03), (\.pitch, 2 * Double.pi / 180)] {
        motion[keyPath: part].ramps += [
          Ramp(fromSeconds: t, seconds: 0.2, change: change),
          Ramp(fromSeconds: t + 0.25, seconds: 1, change: -change),
        ]
      }
    }
  }
}
