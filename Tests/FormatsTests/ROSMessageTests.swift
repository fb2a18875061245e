import Formats
import Quantities
import Testing

@Suite("Messages of ROS 2", .timeLimit(.minutes(30)))
struct ROSMessageTests {
  @Test("a level body that points north has a yaw of 90 degrees in east, north, up")
  func north() {
    // REP 103: yaw is zero towards east and grows to the left.
    let north = ROSAxes.orientation(Rotation<BodyFrame, EarthFrame>.identity)
    let half = 0.5.squareRoot()
    #expect(abs(north.z - half) < 1e-12 && abs(north.w - half) < 1e-12)
    #expect(abs(north.x) < 1e-12 && abs(north.y) < 1e-12)
    let east = ROSAxes.orientation(
      Rotation<BodyFrame, EarthFrame>(
        AttitudeAngles(heading: Angle(degrees: 90), pitch: .zero, roll: .zero)))
    #expect(abs(east.w - 1) < 1e-12)
    // The bow up is a negative pitch about the axis to the left.
    let up = ROSAxes.orientation(
      Rotation<BodyFrame, EarthFrame>(
        AttitudeAngles(heading: Angle(degrees: 90), pitch: Angle(degrees: 20), roll: .zero)))
    #expect(up.y < -0.1 && abs(up.x) < 1e-12 && abs(up.z) < 1e-12)
  }

  @Test("vectors and covariances change their axes, and back")
  func axes() {
    #expect(ROSAxes.body(SIMD3(1, 2, 3)) == SIMD3(1, -2, -3))
    #expect(ROSAxes.earth(SIMD3(1, 2, 3)) == SIMD3(2, 1, -3))
    let matrix = Matrix3(rows: SIMD3(4, 1, 2), SIMD3(1, 5, 3), SIMD3(2, 3, 6))
    let rows = ROSAxes.earth(matrix)
    // East, north, up: the variance of the east first.
    #expect(rows == [5, 1, -3, 1, 4, -2, -3, -2, 6])
    #expect(ROSAxes.covariance(fromEarth: rows) == matrix)
  }

  @Test("numbers are aligned to their size from the header on, and texts end in a zero")
  func alignment() throws {
    var cdr = CDRWriter()
    cdr.add(UInt8(7))
    cdr.add(UInt32(1))
    cdr.add("ab")
    cdr.add(2.0)
    #expect(
      cdr.bytes == [
        0, 1, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0x61, 0x62, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40,
      ])
    var reader = try CDRReader(cdr.bytes[...])
    #expect(try reader.number(UInt8.self) == 7 && reader.number(UInt32.self) == 1)
    #expect(try reader.text() == "ab" && reader.double() == 2)
    #expect(throws: CDRFault.self) { try reader.double() }
  }

  private static var row: SensorSamples {
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: 123_456_789_012_345))
    row.inertial = InertialSample(
      timestamp: Timestamp(nanoseconds: 5),
      angularRate: AngularRate(components: SIMD3(0.1, -0.2, 1e-300)),
      specificForce: nil)
    row.field = FieldSample(
      timestamp: Timestamp(nanoseconds: 6), field: MagneticField(microtesla: SIMD3(1 / 3, -48.1, 0))
    )
    row.pressure = PressureSample(
      timestamp: Timestamp(nanoseconds: 7), hectopascal: 1013.25, celsius: 21.5)
    row.heading = HeadingSample(
      timestamp: Timestamp(nanoseconds: 8), magnetic: MagneticHeading(Angle(radians: 1.1)),
      true: nil,
      accuracy: Angle(radians: 0.1))
    row.heading?.antennas = AntennaVector(lengthMetres: 1.5, elevation: Angle(radians: -0.02))
    row.load = -0.0
    var fix = Fix(timestamp: Timestamp(nanoseconds: 9), kind: .rtkFixed)
    fix.utc = UTCTime(nanosecondsSince1970: 1_795_615_385_123_456_789)
    fix.position = GeodeticPosition(latitudeDegrees: 54.123456789, longitudeDegrees: -10.1)
    fix.horizontalAccuracyMetres = 0.012
    fix.course = Angle(radians: 6.1)
    fix.velocity = Velocity(metresPerSecond: SIMD3(1, 2, 3))
    fix.positionCovarianceSquareMetres = Matrix3(
      rows: SIMD3(1, 2, 3), SIMD3(4, 5, 6), SIMD3(7, 8, 9))
    fix.satellitesUsed = 17
    row.fix = fix
    return row
  }

  @Test("rows of samples are read again to its last bit")
  func input() throws {
    let empty = SensorSamples(timestamp: Timestamp(nanoseconds: 1))
    let rows = [Self.row, empty, Self.row]
    let read = try InputMessage(InputMessage(rows).bytes[...]).rows
    #expect(read == rows)
    #expect(read[2].load?.sign == .minus)
    #expect(try InputMessage(InputMessage([]).bytes[...]).rows == [])
  }

  @Test("a message that ends too early is a fault, at any length")
  func short() {
    let bytes = InputMessage([Self.row]).bytes
    for length in 0..<bytes.count - 4 {
      #expect(throws: CDRFault.self) { try InputMessage(bytes[..<length]) }
    }
  }

  @Test("an estimate without its place has none in its message")
  func withoutPlace() throws {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1))
    estimate.position = GeodeticPosition(latitudeDegrees: 54, longitudeDegrees: 10)
    estimate.altitudeMetres = 3
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 12))
    let full = EstimateMessage(estimate, nanoseconds: 7)
    estimate.removePlace()
    let bare = EstimateMessage(estimate, nanoseconds: 7)
    #expect(full["latitude"] != nil && full["altitude"] == 3)
    #expect(bare["latitude"] == nil && bare["altitude"] == nil && bare["magnetic_heading"] != nil)
    #expect(try EstimateMessage(full.bytes[...]).differences(from: full).isEmpty)
    #expect(full.differences(from: bare) == ["latitude", "longitude", "altitude"])
  }
}
