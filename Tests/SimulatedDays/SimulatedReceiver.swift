import Monitoring
import Quantities
import RealModule

/// A receiver's fixes: correlated noise, reflections with sudden start and end, hours without
/// reception.
struct SimulatedReceiver {
  private let options: SimulatedDay.Options
  private var wander = SIMD2<Double>.zero
  private var reflection = SIMD2<Double>.zero
  private var reflectionEnds = 0
  private var outageEnds = 0
  private var receptionEnds = 0

  init(_ options: SimulatedDay.Options, _ generator: inout some RandomNumberGenerator) {
    self.options = options
    receptionEnds = .random(in: 900...2400, using: &generator)
  }

  mutating func fix(
    _ second: DayPlan.Second, _ index: Int, _ time: UTCTime,
    _ generator: inout some RandomNumberGenerator
  ) -> PlaceFix? {
    let sigma: Double =
      switch second.sky {
      case .open: 2
      case .street: 4
      case .tunnel: 5
      case .indoors: 9
      case .office: 14
      }
    // A first-order process with a correlation of two minutes.
    let keep = Double.exp(-1.0 / 120)
    wander = wander * keep + gaussian(&generator) * (sigma * (1 - keep * keep).squareRoot())
    reflect(second, index, &generator)
    guard isReceiving(second, index, &generator), index % options.intervalSeconds == 0 else {
      return nil
    }
    let white = gaussian(&generator) * (second.sky == .open ? 1.0 : 2.0)
    let error = wander + white + reflection
    let east = second.east + error.x
    let north = second.north + error.y
    var fix = PlaceFix(
      position: SimulatedDay.place(east, north),
      horizontalAccuracyMetres: accuracy(sigma, &generator), time: time)
    if options.hasSpeed {
      fix.speedMetresPerSecond = max(0, second.speed + gaussian(&generator).x * 0.2)
      fix.courseDegrees = second.course
    }
    return fix
  }

  private func accuracy(
    _ sigma: Double, _ generator: inout some RandomNumberGenerator
  ) -> Double {
    let usual = max(3, 1.5 * sigma) * .random(in: 0.8...1.3, using: &generator)
    let size = (reflection * reflection).sum().squareRoot()
    switch options.multipath {
    case .none: return usual
    case .honest: return max(usual, size * .random(in: 0.7...1.3, using: &generator))
    case .dishonest: return min(usual, .random(in: 5...10, using: &generator))
    }
  }

  /// Reflections last 3 to 45 s; their size has a heavy tail, from 20 to 600 m.
  private mutating func reflect(
    _ second: DayPlan.Second, _ index: Int, _ generator: inout some RandomNumberGenerator
  ) {
    guard options.multipath != .none, second.sky != .open else { return reflection = .zero }
    if index < reflectionEnds { return }
    reflection = .zero
    guard Double.random(in: 0..<1, using: &generator) < 1.0 / 600 else { return }
    let share = Double.random(in: 0.005..<1, using: &generator)
    let size = min(600, 20 / Double.pow(share, 0.75))
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    reflection = SIMD2(.cos(angle), .sin(angle)) * size
    reflectionEnds = index + .random(in: 3...45, using: &generator)
  }

  private mutating func isReceiving(
    _ second: DayPlan.Second, _ index: Int, _ generator: inout some RandomNumberGenerator
  ) -> Bool {
    guard options.hasGaps else { return true }
    switch second.sky {
    case .open, .street: return true
    case .tunnel: return false
    case .indoors, .office:
      if index < outageEnds { return false }
      if index < receptionEnds { return true }
      outageEnds = index + .random(in: 300...9000, using: &generator)
      receptionEnds = outageEnds + .random(in: 10...900, using: &generator)
      return false
    }
  }

  private func gaussian(_ generator: inout some RandomNumberGenerator) -> SIMD2<Double> {
    let radius = (-2 * Double.log(.random(in: 1e-12..<1, using: &generator))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    return SIMD2(.cos(angle), .sin(angle)) * radius
  }
}
