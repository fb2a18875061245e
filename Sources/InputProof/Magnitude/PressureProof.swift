import Quantities
import RealModule

/// Whether pressures are hectopascal, by the height of a receiver, else by the first samples: programs start on the ground.
struct PressureProof: Equatable, Sendable {
  /// Pressures on the ground, hectopascal: the summit of Everest and the highest at sea level.
  private static let ground = 300.0...1100.0
  /// Where most people live: a factor must bring a pressure here.
  private static let usual = 650.0...1085.0
  /// Measured by expected pressure at a receiver's height, which the weather does not explain: it reaches 6 %.
  private static let possible = 0.88...1.14
  /// Samples before a verdict.
  private static let fewest = 5

  /// True by measured, where it is contradicted.
  private(set) var factor: Double?
  private(set) var isProven = false
  private var contradictions = 0
  private var agreements = 0

  /// - Parameters:
  ///   - hectopascal: The pressure.
  ///   - altitude: The receiver's height above the sea, m; nil without one.
  mutating func add(_ hectopascal: Double, altitudeMetres altitude: Double?) {
    guard hectopascal > 0 else { return }
    if let altitude {
      guard altitude > -500, altitude < 11_000 else { return }
      // The standard atmosphere below 11 km.
      let expected = 1013.25 * Double.pow(1 - 2.25577e-5 * altitude, 5.25588)
      let ratio = hectopascal / expected
      judge(Self.possible.contains(ratio) ? nil : 1 / ratio)
    } else if !isProven {
      guard !Self.ground.contains(hectopascal) else { return judge(nil) }
      let unit = SampleUnit.others(of: .pressure).first {
        Self.usual.contains(hectopascal * $0.factor)
      }
      judge(unit?.factor)
    }
  }

  private mutating func judge(_ value: Double?) {
    guard let value else {
      (agreements, contradictions) = (agreements + 1, 0)
      if agreements >= Self.fewest { (isProven, factor) = (true, nil) }
      return
    }
    (agreements, contradictions) = (0, contradictions + 1)
    if contradictions >= Self.fewest { (isProven, factor) = (false, value) }
  }
}
