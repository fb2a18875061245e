import Quantities

/// A frame of WitMotion's serial protocol: 0x55, a type, eight bytes and their sum.
///
/// - Source: WitMotion "WT901 datasheet" v20-0702, sections 5.1.1 to 5.1.10 and 5.2, and "WIT
///   Standard Communication Protocol".
package struct WitMotionFrame: Equatable {
  /// The types in use. Those of time (0x50), ports (0x55), pressure (0x56), position (0x57) and
  /// others are skipped.
  enum Kind {
    static var acceleration: UInt8 { 0x51 }
    static var angularRate: UInt8 { 0x52 }
    static var angles: UInt8 { 0x53 }
    static var field: UInt8 { 0x54 }
    static var quaternion: UInt8 { 0x59 }
    /// All types that the protocol has.
    static var all: ClosedRange<UInt8> { 0x50...0x5F }
  }

  /// A count: 16 bits span ±16 g and ±2000 degrees a second from end to end.
  static var metresPerSecondSquaredPerCount: Double { 16 * Unit.gravity / 32_768 }
  static var radiansPerSecondPerCount: Double { 2000 * Unit.degree / 32_768 }
  /// A count is a milligauss. Modules with another magnetometer have other counts: the calibration
  /// then shows a field of another strength.
  private static var microteslaPerCount: Double { 0.1 }

  /// Its type.
  package let kind: UInt8
  /// Its eight bytes.
  let content: RegisterBytes

  /// The specific force.
  package var force: Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: content, at: 0).specificForce(
      perCount: SIMD3(repeating: Self.metresPerSecondSquaredPerCount), rails: .bits16)
  }

  /// The angular rate.
  package var rate: Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: content, at: 0).angularRate(
      perCount: SIMD3(repeating: Self.radiansPerSecondPerCount), rails: .bits16)
  }

  /// The field.
  package var field: Reading<MagneticField<SensorFrame>> {
    .value(MagneticField(microtesla: content.littleEndianAxes(at: 0) * Self.microteslaPerCount))
  }

  /// The attitude of angles (roll, pitch, yaw in turns about z, then y, then x) or of a quaternion,
  /// from the module's axes to east, north and up; nil for a quaternion that is none.
  package var attitude: ModuleAttitude? {
    if kind == Kind.quaternion {
      let w = Double(content.littleEndian(at: 0)) / 32_768
      let v = content.littleEndianAxes(at: 2) / 32_768
      guard abs(w * w + v.x * v.x + v.y * v.y + v.z * v.z - 1) < 0.01 else { return nil }
      return ModuleAttitude(eastNorthUp: w, v)
    }
    let angles = content.littleEndianAxes(at: 0) * (.pi / 32_768)
    func turn(_ vector: SIMD3<Double>) -> Rotation<SensorFrame, SensorFrame> {
      Rotation(rotationVector: vector)
    }
    let toENU =
      turn(SIMD3(0, 0, angles.z)) * turn(SIMD3(0, angles.y, 0)) * turn(SIMD3(angles.x, 0, 0))
    guard let toNED = Rotation<SensorFrame, MagneticEarthFrame>(w: 0, x: 1, y: 1, z: 0) else {
      return nil
    }
    return ModuleAttitude(rotation: toNED * toENU)
  }
}

/// Counts the frames of WitMotion's protocol in what a serial port receives, to find such a module.
public struct WitMotionDetector {
  /// The frames with a valid sum.
  public private(set) var frames = 0
  private var framer = WitMotionFramer()

  /// Makes a detector.
  public init() {}

  /// Decodes received bytes.
  public mutating func push(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes where framer.push(byte) != nil { frames += 1 }
  }
}

/// Finds frames in a stream of bytes. After a damaged frame it searches within its bytes for the
/// next.
package struct WitMotionFramer {
  private static var start: UInt8 { 0x55 }
  private static var length: Int { 11 }

  private var bytes = RegisterBytes(count: 11)
  private var count = 0
  /// Bytes that belong to no frame.
  package private(set) var strayBytes = 0

  /// Makes a framer at the beginning of a stream.
  package init() {}

  /// Decodes a byte.
  /// - Returns: The frame that it completes; nil for none.
  package mutating func push(_ byte: UInt8) -> WitMotionFrame? {
    bytes[count] = byte
    count += 1
    while count > 0, !isBeginning { shift() }
    guard count == Self.length else { return nil }
    let frame = WitMotionFrame(kind: bytes[1], content: content)
    count = 0
    return frame
  }

  /// Whether the bytes may be those of a frame, and are where they are complete.
  private var isBeginning: Bool {
    guard bytes[0] == Self.start else { return false }
    guard count == 1 || WitMotionFrame.Kind.all.contains(bytes[1]) else { return false }
    guard count == Self.length else { return true }
    var sum: UInt8 = 0
    for index in 0..<Self.length - 1 { sum &+= bytes[index] }
    return sum == bytes[Self.length - 1]
  }

  private mutating func shift() {
    strayBytes += 1
    count -= 1
    for index in 0..<count { bytes[index] = bytes[index + 1] }
  }

  private var content: RegisterBytes {
    var content = RegisterBytes(count: 8)
    for index in 0..<8 { content[index] = bytes[index + 2] }
    return content
  }
}
