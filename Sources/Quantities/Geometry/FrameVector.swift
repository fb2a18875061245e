/// Three components of one physical quantity along the axes of one frame.
///
/// Unit and frame are empty types, so this costs the same as a bare `SIMD3`. Read and write it
/// through the property with the unit (`.microtesla`, …).
public struct FrameVector<Unit: PhysicalUnit, Axes: Frame>: Equatable, Sendable {
  /// The components in SI units (field: microtesla).
  public var components: SIMD3<Double>

  /// Makes a vector of components that are already in the unit that `Unit` stands for.
  @inlinable
  public init(components: SIMD3<Double>) { self.components = components }

  /// The Euclidean length, in the vector's unit.
  @inlinable
  public var magnitude: Double { components.length }

  /// True if all components are finite.
  @inlinable
  public var isFinite: Bool { components.isFinite }

  /// The vector with every component zero.
  @inlinable
  public static var zero: Self { Self(components: .zero) }

  /// The sum, component by component.
  @inlinable
  public static func + (a: Self, b: Self) -> Self { Self(components: a.components + b.components) }

  /// The difference, component by component.
  @inlinable
  public static func - (a: Self, b: Self) -> Self { Self(components: a.components - b.components) }
}

/// A unit that a `FrameVector` is measured in, used only as a type.
public protocol PhysicalUnit: Sendable {}

/// The unit of magnetic flux density, microtesla.
public enum Microtesla: PhysicalUnit {}
/// The unit of angular rate, radians per second.
public enum RadianPerSecond: PhysicalUnit {}
/// The unit of specific force and acceleration, metres per second squared.
public enum MetrePerSecondSquared: PhysicalUnit {}
/// The unit of velocity, metres per second.
public enum MetrePerSecond: PhysicalUnit {}

/// Magnetic flux density along the axes of a frame, in microtesla.
public typealias MagneticField<Axes: Frame> = FrameVector<Microtesla, Axes>
/// Angular rate about the axes of a frame, in radians per second, right-hand rule.
public typealias AngularRate<Axes: Frame> = FrameVector<RadianPerSecond, Axes>
/// What an accelerometer measures: acceleration less gravity, in m/s². At rest +9.81 points up.
public typealias SpecificForce<Axes: Frame> = FrameVector<MetrePerSecondSquared, Axes>
/// Velocity along the axes of a frame, in metres per second.
public typealias Velocity<Axes: Frame> = FrameVector<MetrePerSecond, Axes>

extension FrameVector where Unit == Microtesla {
  /// Makes a field vector from microtesla.
  @inlinable
  public init(microtesla: SIMD3<Double>) { self.init(components: microtesla) }
  /// The components in microtesla.
  @inlinable
  public var microtesla: SIMD3<Double> { components }
}

extension FrameVector where Unit == RadianPerSecond {
  /// Makes an angular rate from radians per second.
  @inlinable
  public init(radiansPerSecond: SIMD3<Double>) { self.init(components: radiansPerSecond) }
  /// The components in radians per second.
  @inlinable
  public var radiansPerSecond: SIMD3<Double> { components }
}

extension FrameVector where Unit == MetrePerSecondSquared {
  /// Makes a specific force from metres per second squared.
  @inlinable
  public init(metresPerSecondSquared: SIMD3<Double>) {
    self.init(components: metresPerSecondSquared)
  }
  /// The components in metres per second squared.
  @inlinable
  public var metresPerSecondSquared: SIMD3<Double> { components }
}

extension FrameVector where Unit == MetrePerSecond {
  /// Makes a velocity from metres per second.
  @inlinable
  public init(metresPerSecond: SIMD3<Double>) { self.init(components: metresPerSecond) }
  /// The components in metres per second.
  @inlinable
  public var metresPerSecond: SIMD3<Double> { components }
}
