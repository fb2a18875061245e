import Quantities
import RealModule

/// Writes a world's samples as the sensor CSV that a replay reads, and the truth as a second CSV.
///
/// Samples of one instant share a row; an empty cell means no sample. The vectors are along the
/// sensor's own axes.
public enum SensorCSV {
  /// The two files of one run, ASCII.
  public struct Files: Equatable, Sendable {
    /// t,gx,…,course: what the board measured.
    public var sensors: [UInt8]
    /// The truth at the instant of each sensor row.
    public var truth: [UInt8]
  }

  /// The sensor file's first line.
  public static var sensorHeader: StaticString {
    "t,gx,gy,gz,ax,ay,az,mx,my,mz,pressure,temperature,lat,lon,alt,hacc,vacc,speed,course\n"
  }

  /// The truth file's first line: the quaternion takes sensor axes into east-north-up with north
  /// magnetic, as the attitude CSV does; angles in degrees, velocity in m/s, `alt` above mean sea
  /// level.
  public static var truthHeader: StaticString {
    "t,w,x,y,z,magnetic_heading,true_heading,pitch,roll,declination,lat,lon,alt,vn,ve,vd\n"
  }

  /// Runs a world and writes its samples.
  /// - Parameters:
  ///   - world: The world; a copy is run.
  ///   - end: The last instant.
  /// - Returns: Both files, header line first.
  public static func files(of world: SimulatedWorld, until end: Timestamp) -> Files {
    var files = Files(sensors: [], truth: [])
    files.sensors.append(ascii: sensorHeader)
    files.truth.append(ascii: truthHeader)
    var world = world
    var row = Row()
    while let sample = world.next(), sample.timestamp <= end {
      if let timestamp = row.timestamp, timestamp != sample.timestamp {
        row.write(to: &files.sensors)
        append(world.truth(at: timestamp), mount: world.scenario.mount, to: &files.truth)
        row = Row()
      }
      row.add(sample)
    }
    if let timestamp = row.timestamp {
      row.write(to: &files.sensors)
      append(world.truth(at: timestamp), mount: world.scenario.mount, to: &files.truth)
    }
    return files
  }

  private static func append(_ truth: Truth, mount: AxisMount, to bytes: inout [UInt8]) {
    // North-east-down to east-north-up: half a turn about the line between north and east.
    let half = 0.5.squareRoot()
    let flip = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(half, half, 0) * .pi)
    let q = flip * truth.magneticAttitude * mount.rotation
    let angles = truth.angles
    let v = truth.velocity.metresPerSecond
    bytes.append(truth.timestamp.seconds, decimals: 9)
    for part in [q.w, q.v.x, q.v.y, q.v.z] { bytes.appendCell(part, decimals: 9) }
    let inDegrees = [
      truth.magneticHeading.angle, angles.heading, angles.pitch, angles.roll, truth.declination,
    ]
    for angle in inDegrees { bytes.appendCell(angle.degrees, decimals: 6) }
    bytes.appendCell(truth.position.latitude.degrees, decimals: 9)
    bytes.appendCell(truth.position.longitude.degrees, decimals: 9)
    for metres in [truth.altitudeMetres, v.x, v.y, v.z] { bytes.appendCell(metres, decimals: 4) }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The samples of one instant.
  private struct Row {
    var timestamp: Timestamp?
    var inertial: InertialSample<SensorFrame>?
    var field: FieldSample<SensorFrame>?
    var pressure: PressureSample?
    var fix: Fix?

    mutating func add(_ sample: SimulatedSample) {
      timestamp = sample.timestamp
      switch sample {
      case .inertial(let x): inertial = x
      case .field(let x): field = x
      case .pressure(let x): pressure = x
      case .fix(let x): fix = x
      // The file has no column for it.
      case .heading: break
      }
    }

    func write(to bytes: inout [UInt8]) {
      bytes.append(timestamp?.seconds, decimals: 9)
      bytes.appendCells(inertial?.angularRate?.radiansPerSecond, decimals: 7)
      bytes.appendCells(inertial?.specificForce?.metresPerSecondSquared, decimals: 6)
      bytes.appendCells(field?.field.microtesla, decimals: 5)
      bytes.appendCell(pressure?.hectopascal, decimals: 5)
      bytes.appendCell(pressure?.celsius, decimals: 2)
      bytes.appendCell(fix?.position?.latitude.degrees, decimals: 9)
      bytes.appendCell(fix?.position?.longitude.degrees, decimals: 9)
      bytes.appendCell(fix?.altitudeMetres, decimals: 3)
      bytes.appendCell(fix?.horizontalAccuracyMetres, decimals: 3)
      bytes.appendCell(fix?.verticalAccuracyMetres, decimals: 3)
      bytes.appendCell(fix?.speedMetresPerSecond, decimals: 4)
      bytes.appendCell(fix?.course?.degrees, decimals: 4)
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendCell(_ value: Double?, decimals: Int) {
    append(UInt8(ascii: ","))
    append(value, decimals: decimals)
  }

  fileprivate mutating func appendCells(_ value: SIMD3<Double>?, decimals: Int) {
    appendCell(value?.x, decimals: decimals)
    appendCell(value?.y, decimals: decimals)
    appendCell(value?.z, decimals: decimals)
  }
}
