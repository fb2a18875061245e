/// A message of ROS 2 with its interface definition.
package protocol ROSMessage {
  /// The type's name, such as `sensor_msgs/msg/Imu`.
  static var name: String { get }
  /// The fields in the language of ROS interfaces, without those of the types that it contains.
  static var fields: String { get }
  /// The types that the fields contain, with their fields.
  static var parts: [ROSPart] { get }
  /// Writes the fields in their order.
  func write(to cdr: inout CDRWriter)
  /// Reads the fields in their order.
  init(from cdr: inout CDRReader) throws(CDRFault)
}

/// A type that is contained in messages.
package struct ROSPart: Sendable {
  let name: String
  let fields: String

  static let time = ROSPart(name: "builtin_interfaces/Time", fields: "int32 sec\nuint32 nanosec\n")
  static let header = ROSPart(
    name: "std_msgs/Header", fields: "builtin_interfaces/Time stamp\nstring frame_id\n")
  static let vector = ROSPart(
    name: "geometry_msgs/Vector3", fields: "float64 x\nfloat64 y\nfloat64 z\n")
  static let quaternion = ROSPart(
    name: "geometry_msgs/Quaternion", fields: "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n")
}

extension ROSMessage {
  /// The definition with those of all contained types, as MCAP's schema `ros2msg` has it.
  /// - Source: MCAP registry, "ros2msg": parts are separated by a line of 80 equals signs and `MSG:
  ///   name`.
  package static var definition: String {
    parts.reduce(fields) { text, part in
      text + String(repeating: "=", count: 80) + "\nMSG: \(part.name)\n" + part.fields
    }
  }

  /// The message as bytes.
  package var bytes: [UInt8] {
    var cdr = CDRWriter()
    write(to: &cdr)
    return cdr.bytes
  }

  /// Reads a message.
  package init(_ bytes: ArraySlice<UInt8>) throws(CDRFault) {
    var cdr = try CDRReader(bytes)
    try self.init(from: &cdr)
  }
}

/// The time and the axes of a message.
package struct ROSHeader: Equatable, Sendable {
  /// Nanoseconds since 1970.
  package var nanoseconds: UInt64
  /// The name of the axes.
  package var frame: String

  /// Makes a header.
  package init(nanoseconds: UInt64, frame: String = "base_link") {
    (self.nanoseconds, self.frame) = (nanoseconds, frame)
  }

  func write(to cdr: inout CDRWriter) {
    cdr.add(Int32(truncatingIfNeeded: nanoseconds / 1_000_000_000))
    cdr.add(UInt32(nanoseconds % 1_000_000_000))
    cdr.add(frame)
  }

  init(from cdr: inout CDRReader) throws(CDRFault) {
    let seconds = try cdr.number(Int32.self)
    let fraction = try cdr.number(UInt32.self)
    nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(fraction)
    frame = try cdr.text()
  }
}
