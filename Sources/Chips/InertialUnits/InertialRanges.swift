/// The ranges of a gyroscope, smallest first.
public protocol AngularRateRange: CaseIterable, Sendable {
  /// Full scale, radians per second.
  var radiansPerSecond: Double { get }
  /// A count in radians per second.
  var radiansPerSecondPerCount: Double { get }
  /// The last of all.
  static var widest: Self { get }
}

extension AngularRateRange {
  /// The smallest range that holds a rate in radians per second; ±1000 degrees a second, or more,
  /// without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first { Unit.range($0.radiansPerSecond, holds: wanted ?? ChipSettings.handHeldRate) }
      ?? widest
  }
}

/// The ranges of an accelerometer, smallest first.
public protocol SpecificForceRange: CaseIterable, Sendable {
  /// Full scale, metres per second squared.
  var metresPerSecondSquared: Double { get }
  /// The last of all.
  static var widest: Self { get }
}

extension SpecificForceRange {
  /// The smallest range that holds a force in metres per second squared; ±8 g without one.
  static func least(for wanted: Double?) -> Self {
    least(for: wanted, among: allCases) ?? widest
  }

  /// The smallest of some ranges that holds a force; nil where none does.
  static func least(for wanted: Double?, among ranges: some Sequence<Self>) -> Self? {
    ranges.first {
      Unit.range($0.metresPerSecondSquared, holds: wanted ?? ChipSettings.handHeldForce)
    }
  }
}

/// The ranges of an accelerometer whose counts have one size on every axis and in every part.
public protocol UniformForceRange: SpecificForceRange {
  /// A count in metres per second squared.
  var metresPerSecondSquaredPerCount: Double { get }
}
