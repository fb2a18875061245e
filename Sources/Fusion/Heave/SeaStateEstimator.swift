import Quantities
import RealModule

/// Height, period and direction of the waves that a boat follows.
public struct SeaState: Equatable, Sendable {
  /// Four standard deviations of the surface (Hm0), metres.
  public var significantHeightMetres: Double
  /// The period of the peak of the spectrum, seconds; nil in a calm.
  public var peakPeriodSeconds: Double?
  /// The mean period between upward crossings of the mean height (Tm02), seconds; nil in a calm.
  public var meanPeriodSeconds: Double?
  /// The direction from which the waves of the peak come, clockwise from the north of the
  /// accelerations; nil where it is not clear.
  public var direction: Angle?
}

/// The sea state from heave and horizontal accelerations, by the averaged spectra of overlapping
/// segments (Welch).
///
/// A floating body moves on circles: while it is on a crest, it moves with the waves. The imaginary
/// part of the spectrum of height and horizontal acceleration therefore points to where the waves
/// run (the first moments of a directional buoy).
///
/// Heave is used before its phase correction; the response of `HeaveFilter`'s high-pass is divided
/// out at each frequency. The hull averages out waves that are shorter than itself. Under way the
/// periods are those of encounter.
///
/// - Accuracy: of 20 minutes of one sea the significant height varies by about 7 % (one sigma) by
///   chance alone.
/// - Source: M. J. Tucker, E. G. Pitt, Waves in Ocean Engineering, 2001 (moments, Tm02, directional
///   buoys); I. R. Young, Ocean Engineering 22, 669 (1995) (weighted peak frequency); P. D. Welch,
///   IEEE Trans. Audio Electroacoust. 15, 70 (1967).
public struct SeaStateEstimator: Sendable {
  /// The rate of the means that are analysed, hertz.
  private static let rate = 4.0
  private static let stepNanoseconds: UInt64 = 250_000_000
  /// The means of a segment: 256 s, of which the newer half begins the next segment.
  private static let length = 1024
  /// Segments that are averaged, 19 minutes, and those that are needed, 11 minutes. Few: quick and
  /// scattered; many: slow after a change of the wind.
  private static let (mostSegments, leastSegments) = (8, 4)
  /// The frequencies of waves, of 25 s to 2 s, as multiples of a segment's frequency.
  private static let bins = 10...128
  /// Means that are repeated where samples are missing; a longer gap begins anew.
  private static let longestGap = 4
  /// A significant height below which there is nothing but noise, metres.
  private static let calm = 0.1
  /// The part of the motion that must fit one direction, 0 to 1.
  private static let clearDirection = 0.4
  /// The frequencies that give the peak's direction, as multiples of the peak's frequency.
  private static let peak = 0.8...1.25

  private struct Mean: Sendable {
    var height = 0.0
    var north = 0.0
    var east = 0.0
    var hasNorth = true
  }

  /// The spectra of a segment, for each of `bins`: of height in m²/Hz, of the horizontal
  /// acceleration, and the parts of both along north and east.
  private struct Spectra: Sendable {
    var height = [Double](repeating: 0, count: bins.count)
    var acceleration = [Double](repeating: 0, count: bins.count)
    var north = [Double](repeating: 0, count: bins.count)
    var east = [Double](repeating: 0, count: bins.count)
    var hasNorth = true
  }

  /// The corner of the high-pass of the heights, rad/s.
  private let corner: Double
  private var begin: Timestamp?
  private var sum = Mean()
  private var count = 0
  private var index: UInt64 = 0
  private var means: [Mean] = []
  private var segments: [Spectra] = []
  /// The newest result; nil before there are enough segments.
  public private(set) var state: SeaState?

  /// Makes an estimator of heights behind a third-order high-pass with its corner at a period.
  public init(longestPeriod: Double = HeaveFilter().longestPeriod) {
    corner = 2 * .pi / longestPeriod
    means.reserveCapacity(Self.length)
  }

  /// Begins anew.
  public mutating func restart() {
    (begin, sum, count, index, state) = (nil, Mean(), 0, 0, nil)
    means.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
  }

  /// Processes the height, metres up, and the acceleration without gravity, m/s².
  /// - Parameters:
  ///   - height: `HeaveFilter.highPassedMetres`.
  ///   - north: The acceleration to the north.
  ///   - east: The acceleration to the east.
  ///   - hasNorth: Whether the north is known; without it there is no direction.
  ///   - now: The time.
  public mutating func update(
    heightMetres height: Double, north: Double, east: Double, hasNorth: Bool, at now: Timestamp
  ) {
    guard height.isFinite, north.isFinite, east.isFinite else { return }
    guard let begin, now >= begin else {
      restart()
      self.begin = now
      return add(height, north, east, hasNorth)
    }
    let next = (now.nanoseconds - begin.nanoseconds) / Self.stepNanoseconds
    if next > index {
      guard count > 0, next - index <= UInt64(Self.longestGap) else {
        restart()
        self.begin = now
        return add(height, north, east, hasNorth)
      }
      let share = 1 / Double(count)
      let mean = Mean(
        height: sum.height * share, north: sum.north * share, east: sum.east * share,
        hasNorth: sum.hasNorth)
      while index < next {
        append(mean)
        index += 1
      }
      (sum, count) = (Mean(), 0)
    }
    add(height, north, east, hasNorth)
  }

  private mutating func add(
    _ height: Double, _ north: Double, _ east: Double, _ hasNorth: Bool
  ) {
    sum.height += height
    sum.north += north
    sum.east += east
    sum.hasNorth = sum.hasNorth && hasNorth
    count += 1
  }

  private mutating func append(_ mean: Mean) {
    means.append(mean)
    guard means.count == Self.length else { return }
    if segments.count == Self.mostSegments { segments.removeFirst() }
    segments.append(spectra())
    means.removeFirst(Self.length / 2)
    if segments.count >= Self.leastSegments { state = analysed() }
  }

  // MARK: Spectra

  private struct Complex {
    var re = 0.0
    var im = 0.0

    /// The product of the conjugate of this number and another one.
    func conjugated(times other: Complex) -> Complex {
      Complex(re: re * other.re + im * other.im, im: re * other.im - im * other.re)
    }
    var square: Double { re * re + im * im }
  }

  /// The spectra of the full segment: a direct transform of each frequency of waves, about four
  /// hundred thousand products each two minutes.
  private func spectra() -> Spectra {
    var result = Spectra()
    let n = Self.length
    let share = 1 / Double(n)
    var middle = Mean()
    for mean in means {
      middle.height += mean.height * share
      middle.north += mean.north * share
      middle.east += mean.east * share
      result.hasNorth = result.hasNorth && mean.hasNorth
    }
    let series = means.enumerated().map { i, mean in
      // Hann's window, whose squares sum to 3/8 of the length.
      let window = 0.5 - 0.5 * Double.cos(2 * .pi * Double(i) * share)
      return SIMD3(
        mean.height - middle.height, mean.north - middle.north, mean.east - middle.east) * window
    }
    let scale = 2 / (Self.rate * 0.375 * Double(n))
    for bin in Self.bins {
      let turn = 2 * Double.pi * Double(bin) * share
      let (stepCos, stepSin) = (Double.cos(turn), Double.sin(turn))
      var (c, s) = (1.0, 0.0)
      var (re, im) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      for values in series {
        re += values * c
        im -= values * s
        (c, s) = (c * stepCos - s * stepSin, s * stepCos + c * stepSin)
      }
      let height = Complex(re: re.x, im: im.x)
      let north = Complex(re: re.y, im: im.y)
      let east = Complex(re: re.z, im: im.z)
      let frequency = Double(bin) * Self.rate * share
      // The means over a step attenuate short waves.
      let x = Double.pi * frequency / Self.rate
      let passed = Double.sin(x) / x
      let response = highPass(2 * .pi * frequency)
      let weight = scale / (passed * passed)
      let at = bin - Self.bins.lowerBound
      result.height[at] = weight * height.square / response.square
      result.acceleration[at] = weight * (north.square + east.square)
      // The height before the high-pass: what was measured, divided by its response.
      let turned = response.conjugated(times: height)
      let surface = Complex(re: turned.re / response.square, im: turned.im / response.square)
      result.north[at] = weight * surface.conjugated(times: north).im
      result.east[at] = weight * surface.conjugated(times: east).im
    }
    return result
  }

  /// The response of the third-order Butterworth high-pass, s³ / (s³ + 2cs² + 2c²s + c³).
  private func highPass(_ w: Double) -> Complex {
    let c = corner
    let below = Complex(re: c * c * c - 2 * c * w * w, im: 2 * c * c * w - w * w * w)
    let quotient = below.conjugated(times: Complex(re: 0, im: -w * w * w))
    return Complex(re: quotient.re / below.square, im: quotient.im / below.square)
  }

  // MARK: Results

  private func analysed() -> SeaState {
    let step = Self.rate / Double(Self.length)
    var (m0, m2, top, topFrequency) = (0.0, 0.0, 0.0, 0.0)
    func mean(at: Int, _ part: (Spectra) -> [Double]) -> Double {
      segments.reduce(0) { $0 + part($1)[at] } / Double(segments.count)
    }
    for bin in Self.bins {
      let density = mean(at: bin - Self.bins.lowerBound) { $0.height }
      let frequency = Double(bin) * step
      m0 += density * step
      m2 += density * step * frequency * frequency
      let weight = density * density * density * density
      top += weight
      topFrequency += weight * frequency
    }
    var state = SeaState(significantHeightMetres: 4 * m0.squareRoot())
    guard state.significantHeightMetres >= Self.calm, m2 > 0, top > 0 else { return state }
    let peak = topFrequency / top
    state.peakPeriodSeconds = 1 / peak
    state.meanPeriodSeconds = (m0 / m2).squareRoot()
    guard segments.allSatisfy({ $0.hasNorth }) else { return state }
    var (north, east, heights, accelerations) = (0.0, 0.0, 0.0, 0.0)
    for bin in Self.bins where Self.peak.contains(Double(bin) * step / peak) {
      let at = bin - Self.bins.lowerBound
      north += mean(at: at) { $0.north }
      east += mean(at: at) { $0.east }
      heights += mean(at: at) { $0.height }
      accelerations += mean(at: at) { $0.acceleration }
    }
    let length = (north * north + east * east).squareRoot()
    if length >= Self.clearDirection * (heights * accelerations).squareRoot(), length > 0 {
      // From where they come, opposite to where they run.
      state.direction = Angle(radians: Double.atan2(y: -east, x: -north)).wrappedToTurn
    }
    return state
  }
}
