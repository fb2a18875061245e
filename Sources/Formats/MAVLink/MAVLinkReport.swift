import Quantities
import RealModule

/// Estimates, fixes and pressures as messages of MAVLink 2, for ArduPilot, PX4 and ground stations.
///
/// A simulated source has the flag of a simulation in the heartbeat, and no position. The fused
/// position is not sent: GLOBAL_POSITION_INT has no absent height above the start, and ground
/// stations take it from any component of the vehicle for the vehicle's.
/// - Source: mavlink.io, "common.xml": fields, units and absent values of each message.
package struct MAVLinkReport: Sendable {
  private static let onboardController: UInt8 = 18
  private static let noAutopilot: UInt8 = 8
  private static let simulationFlag: UInt8 = 32
  private static let isActive: UInt8 = 4
  private static let protocolVersion: UInt8 = 3

  /// The vehicle's and this component's number.
  package let system: UInt8
  /// - Source: MAV_COMP_ID_ONBOARD_COMPUTER.
  package static let component: UInt8 = 191
  private var sequence: UInt8 = 0

  /// Makes a report.
  package init(system: UInt8) { self.system = system }

  private mutating func closed(_ frame: MAVLinkFrame) -> [UInt8] {
    defer { sequence &+= 1 }
    return frame.closed(sequence: sequence, system: system, component: Self.component)
  }

  /// HEARTBEAT, once a second.
  package mutating func heartbeat(_ estimate: Estimate) -> [UInt8] {
    var frame = MAVLinkFrame(0, extra: 50)
    frame.add(UInt32(0))
    for byte in [
      Self.onboardController, Self.noAutopilot, estimate.isSimulated ? Self.simulationFlag : 0,
      Self.isActive, Self.protocolVersion,
    ] { frame.add(byte) }
    return closed(frame)
  }

  /// ATTITUDE_QUATERNION above true north; nil without level and true heading. Only the turning
  /// about the vertical is known of the rates.
  package mutating func attitude(_ estimate: Estimate) -> [UInt8]? {
    guard estimate.isLevelKnown, let heading = estimate.trueHeading,
      let angles = estimate.attitude?.attitudeAngles
    else { return nil }
    let attitude = Rotation<BodyFrame, EarthFrame>(
      AttitudeAngles(heading: heading.angle, pitch: angles.pitch, roll: angles.roll))
    var frame = MAVLinkFrame(31, extra: 246)
    frame.add(Self.milliseconds(estimate.timestamp))
    for part in [attitude.w, attitude.v.x, attitude.v.y, attitude.v.z] { frame.add(part) }
    for rate in [.nan, .nan, estimate.rateOfTurn?.radiansPerSecond ?? .nan] { frame.add(rate) }
    return closed(frame)
  }

  /// GPS_INPUT of the receiver's own fix: another filter must not take the fused estimate for a
  /// measurement. Without a position the fix type is GPS_FIX_TYPE_NO_FIX.
  /// - Parameters:
  ///   - fix: The fix.
  ///   - heading: The heading of two antennas; nil without them.
  /// - Returns: The frame.
  package mutating func receiver(_ fix: Fix, heading: Angle?) -> [UInt8] {
    var ignored: UInt16 = 0
    func known(_ value: Double?, _ flag: UInt16) -> Double {
      if value == nil { ignored |= flag }
      return value ?? 0
    }
    let place = fix.kind.isOfSatellites ? fix.position : nil
    let gps = fix.utc.map(Self.weekTime)
    let altitude = known(fix.altitudeMetres, 1)
    let (hdop, vdop) = (known(fix.horizontalDilution, 2), known(fix.verticalDilution, 4))
    var (north, east) = (0.0, 0.0)
    if let velocity = fix.velocity?.components {
      (north, east) = (velocity.x, velocity.y)
    } else if let speed = fix.speedMetresPerSecond, let course = fix.course {
      (north, east) = (
        speed * Double.cos(course.radians), speed * Double.sin(course.radians)
      )
    } else {
      ignored |= 8
    }
    let down = known(fix.velocity?.components.z ?? fix.verticalSpeedMetresPerSecond.map { -$0 }, 16)
    let speedAccuracy = known(fix.speedAccuracyMetresPerSecond, 32)
    let horizontal = known(fix.horizontalAccuracyMetres, 64)
    let vertical = known(fix.verticalAccuracyMetres, 128)
    var frame = MAVLinkFrame(232, extra: 151)
    frame.add(fix.timestamp.nanoseconds / 1000)
    frame.add(gps?.milliseconds ?? 0)
    frame.add(place?.latitude.degrees ?? 0, unit: 1e-7, as: Int32.self)
    frame.add(place?.longitude.degrees ?? 0, unit: 1e-7, as: Int32.self)
    for value in [
      altitude, hdop, vdop, north, east, down, speedAccuracy, horizontal, vertical,
    ] { frame.add(value) }
    frame.add(ignored)
    frame.add(gps?.week ?? 0)
    frame.add(UInt8(0))
    // In a three-dimensional fix ArduPilot reads an ignored altitude as 0.
    let type = place == nil ? 1 : Self.type(fix.kind)
    frame.add(fix.altitudeMetres == nil ? min(type, 2) : type)
    frame.add(UInt8(clamping: fix.satellitesUsed ?? 0))
    // 0 is absent, and north is 36000.
    let yaw = heading.map { $0.degreesBelowTurn(decimals: 2) }
    frame.add(yaw.map { $0 == 0 ? 360 : $0 } ?? 0, unit: 0.01, as: UInt16.self)
    return closed(frame)
  }

  /// SCALED_PRESSURE with the sensor's own temperature, or the greatest number without one.
  package mutating func pressure(_ sample: PressureSample) -> [UInt8] {
    var frame = MAVLinkFrame(29, extra: 115)
    frame.add(Self.milliseconds(sample.timestamp))
    frame.add(sample.hectopascal)
    frame.add(0.0)
    frame.add(sample.celsius ?? 1000, unit: 0.01, as: Int16.self)
    return closed(frame)
  }

  // MARK: Values

  private static func milliseconds(_ timestamp: Timestamp) -> UInt32 {
    UInt32(truncatingIfNeeded: timestamp.nanoseconds / 1_000_000)
  }

  /// - Source: GPS_FIX_TYPE.
  private static func type(_ kind: FixKind) -> UInt8 {
    switch kind {
    case .none, .simulated, .deadReckoning, .network: 1
    case .twoDimensional: 2
    case .threeDimensional: 3
    case .differential: 4
    case .rtkFloat: 5
    case .rtkFixed: 6
    }
  }

  /// GPS week and milliseconds in it.
  /// - Source: the epoch 1980-01-06; IERS Bulletin C: 18 leap seconds since 2017-01-01.
  private static func weekTime(_ utc: UTCTime) -> (week: UInt16, milliseconds: UInt32) {
    let (epoch, leap, week): (Int64, Int64, Int64) = (315_964_800_000, 18_000, 604_800_000)
    let since = max(0, utc.nanosecondsSince1970 / 1_000_000 - epoch + leap)
    return (UInt16(truncatingIfNeeded: since / week), UInt32(since % week))
  }
}
