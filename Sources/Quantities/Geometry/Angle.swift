import RealModule

/// A plane angle.
public struct Angle: Equatable, Comparable, Sendable {
  /// The angle in radians.
  public var radians: Double

  /// Makes an angle from radians.
  @inlinable
  public init(radians: Double) { self.radians = radians }

  /// Makes an angle from degrees.
  @inlinable
  public init(degrees: Double) { radians = degrees * (.pi / 180) }

  /// The angle in degrees.
  @inlinable
  public var degrees: Double { radians * (180 / .pi) }

  /// The same direction, from -pi (included) to pi (excluded).
  public var wrappedToHalfTurn: Angle {
    let turns = (radians / (2 * .pi) + 0.5).rounded(.down)
    let wrapped = radians - turns * (2 * .pi)
    return Angle(radians: wrapped >= .pi ? -.pi : wrapped)
  }

  /// The same direction, from 0 (included) to 2 pi (excluded).
  public var wrappedToTurn: Angle {
    let wrapped = radians - (radians / (2 * .pi)).rounded(.down) * (2 * .pi)
    return Angle(radians: wrapped >= 2 * .pi || wrapped < 0 ? 0 : wrapped)
  }

  /// The angle zero.
  @inlinable
  public static var zero: Angle { Angle(radians: 0) }

  /// The sum.
  @inlinable
  public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
  /// The difference.
  @inlinable
  public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
  /// The opposite angle.
  @inlinable
  public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
  /// A multiple of the angle.
  @inlinable
  public static func * (a: Angle, factor: Double) -> Angle { Angle(radians: a.radians * factor) }
  /// The order by size, unwrapped.
  @inlinable
  public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
}
