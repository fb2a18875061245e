/// sensor_msgs/msg/Imu: SI units, axes of the header's frame, covariances by rows.
/// - Source: ROS 2 common_interfaces, sensor_msgs/msg/Imu.
package struct ROSImu: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// From the header's frame to the earth's, x y z w.
  package var orientation = SIMD4<Double>(0, 0, 0, 1)
  /// Its first element is -1 where there is no orientation.
  package var orientationCovariance = [-1.0, 0, 0, 0, 0, 0, 0, 0, 0]
  /// rad/s
  package var angularVelocity = SIMD3<Double>.zero
  /// Its first element is -1 where there is no angular velocity.
  package var angularVelocityCovariance = [Double](repeating: 0, count: 9)
  /// Specific force, m/s².
  package var linearAcceleration = SIMD3<Double>.zero
  /// Its first element is -1 where there is no acceleration.
  package var linearAccelerationCovariance = [Double](repeating: 0, count: 9)

  package static let name = "sensor_msgs/msg/Imu"
  package static let fields = """
    std_msgs/Header header
    geometry_msgs/Quaternion orientation
    float64[9] orientation_covariance
    geometry_msgs/Vector3 angular_velocity
    float64[9] angular_velocity_covariance
    geometry_msgs/Vector3 linear_acceleration
    float64[9] linear_acceleration_covariance

    """
  package static let parts: [ROSPart] = [.header, .time, .quaternion, .vector]

  package init(header: ROSHeader) { self.header = header }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    let (x, y, z, w) = (
      try cdr.double(), try cdr.double(), try cdr.double(), try cdr.double()
    )
    orientation = SIMD4(x, y, z, w)
    orientationCovariance = try cdr.array(9)
    angularVelocity = try cdr.vector()
    angularVelocityCovariance = try cdr.array(9)
    linearAcceleration = try cdr.vector()
    linearAccelerationCovariance = try cdr.array(9)
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    for index in 0..<4 { cdr.add(orientation[index]) }
    cdr.add(array: orientationCovariance)
    cdr.add(angularVelocity)
    cdr.add(array: angularVelocityCovariance)
    cdr.add(linearAcceleration)
    cdr.add(array: linearAccelerationCovariance)
  }
}

/// sensor_msgs/msg/MagneticField: tesla.
/// - Source: ROS 2 common_interfaces, sensor_msgs/msg/MagneticField.
package struct ROSMagneticField: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// Tesla.
  package var field: SIMD3<Double>
  /// Zero: unknown.
  package var covariance = [Double](repeating: 0, count: 9)

  package static let name = "sensor_msgs/msg/MagneticField"
  package static let fields = """
    std_msgs/Header header
    geometry_msgs/Vector3 magnetic_field
    float64[9] magnetic_field_covariance

    """
  package static let parts: [ROSPart] = [.header, .time, .vector]

  package init(header: ROSHeader, field: SIMD3<Double>) {
    (self.header, self.field) = (header, field)
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    field = try cdr.vector()
    covariance = try cdr.array(9)
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(field)
    cdr.add(array: covariance)
  }
}

/// sensor_msgs/msg/FluidPressure and Temperature: a number with its variance; pascal, degrees
/// Celsius.
/// - Source: ROS 2 common_interfaces, sensor_msgs/msg/FluidPressure and Temperature.
package struct ROSFluidPressure: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// Pascal.
  package var pascal: Double
  /// Zero: unknown.
  package var variance = 0.0

  package static let name = "sensor_msgs/msg/FluidPressure"
  package static let fields =
    "std_msgs/Header header\nfloat64 fluid_pressure\nfloat64 variance\n"
  package static let parts: [ROSPart] = [.header, .time]

  package init(header: ROSHeader, pascal: Double) {
    (self.header, self.pascal) = (header, pascal)
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    pascal = try cdr.double()
    variance = try cdr.double()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(pascal)
    cdr.add(variance)
  }
}

/// sensor_msgs/msg/Temperature: degrees Celsius.
/// - Source: ROS 2 common_interfaces, sensor_msgs/msg/Temperature.
package struct ROSTemperature: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// Degrees Celsius.
  package var celsius: Double
  /// Zero: unknown.
  package var variance = 0.0

  package static let name = "sensor_msgs/msg/Temperature"
  package static let fields = "std_msgs/Header header\nfloat64 temperature\nfloat64 variance\n"
  package static let parts: [ROSPart] = [.header, .time]

  package init(header: ROSHeader, celsius: Double) {
    (self.header, self.celsius) = (header, celsius)
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    celsius = try cdr.double()
    variance = try cdr.double()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(celsius)
    cdr.add(variance)
  }
}

/// sensor_msgs/msg/NavSatFix: degrees, metres above the WGS-84 ellipsoid.
/// - Source: ROS 2 common_interfaces, sensor_msgs/msg/NavSatFix and NavSatStatus.
package struct ROSNavSatFix: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// -1 no fix, 0 a fix, 1 with corrections of satellites, 2 of stations on the ground.
  package var status: Int8 = -1
  /// The systems as bits; 1 GPS.
  package var service: UInt16 = 1
  /// Degrees, north positive.
  package var latitude = Double.nan
  /// Degrees, east positive.
  package var longitude = Double.nan
  /// Metres above the ellipsoid; NaN if unknown.
  package var altitude = Double.nan
  /// East, north, up by rows, m².
  package var covariance = [Double](repeating: 0, count: 9)
  /// 0 unknown, 1 approximated, 2 diagonal known, 3 known.
  package var covarianceType: UInt8 = 0

  package static let name = "sensor_msgs/msg/NavSatFix"
  package static let fields = """
    std_msgs/Header header
    sensor_msgs/NavSatStatus status
    float64 latitude
    float64 longitude
    float64 altitude
    float64[9] position_covariance
    uint8 position_covariance_type

    """
  package static let parts: [ROSPart] = [
    .header, .time,
    ROSPart(name: "sensor_msgs/NavSatStatus", fields: "int8 status\nuint16 service\n"),
  ]

  package init(header: ROSHeader) { self.header = header }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    status = try cdr.number()
    service = try cdr.number()
    latitude = try cdr.double()
    longitude = try cdr.double()
    altitude = try cdr.double()
    covariance = try cdr.array(9)
    covarianceType = try cdr.number()
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(status)
    cdr.add(service)
    cdr.add(latitude)
    cdr.add(longitude)
    cdr.add(altitude)
    cdr.add(array: covariance)
    cdr.add(covarianceType)
  }
}
