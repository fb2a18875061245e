/// A right-handed set of axes, used only as a type: a vector of one frame does not add to
/// another's.
public protocol Frame: Sendable {}

/// The axes printed on a sensor's package.
public enum SensorFrame: Frame {}

/// The vehicle or device: x forward, y right, z down.
public enum BodyFrame: Frame {}

/// The earth with the compass's north: x magnetic north, y magnetic east, z down.
public enum MagneticEarthFrame: Frame {}

/// The earth with the map's north: x true north, y east, z down.
public enum EarthFrame: Frame {}
