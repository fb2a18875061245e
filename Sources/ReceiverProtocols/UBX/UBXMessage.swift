/// The cause of the rejection of a frame with a valid checksum.
public enum UBXRejection: Error, Equatable, Sendable {
  /// Its type, or the version in its payload, is not in the message table.
  case unregistered
  /// The payload is shorter than its layout, or its parts contradict each other.
  case malformed
}

/// The payload of one type of message.
protocol UBXPayload {
  /// Shortest payload of all receiver generations, bytes.
  static var shortestPayload: Int { get }
  /// Reads a payload of at least `shortestPayload` bytes.
  init(_ fields: UBXFields) throws(UBXRejection)
}

/// A UBX message of a registered type; the cases have u-blox's class and name.
///
/// Messages with repeated blocks or text are views of the payload: like the frame, they are valid
/// only inside the closure that receives the bytes. All others are independent values.
public enum UBXMessage {
  /// The command was refused or is unknown.
  case ackNak(AckTarget)
  /// The command was executed.
  case ackAck(AckTarget)
  /// A port's settings.
  case cfgPrt(CfgPrt)
  /// Output rate of a message.
  case cfgMsg(CfgMsg)
  /// Rate of solutions.
  case cfgRate(CfgRate)
  /// Settings of the navigation engine.
  case cfgNav5(CfgNav5)
  /// Values of configuration keys.
  case cfgValGet(CfgValGet)
  /// Measurements of motion sensors.
  case esfMeas(EsfMeas)
  /// Measurements of the receiver's own motion sensors, unprocessed.
  case esfRaw(EsfRaw)
  /// State of the fusion with motion sensors.
  case esfStatus(EsfStatus)
  /// Mounting angles of the motion sensors.
  case esfAlg(EsfAlg)
  /// The vehicle's angular rate and acceleration without gravity.
  case esfIns(VehicleDynamics)
  /// The vehicle's position, motion and time at the high rate.
  case hnrPVT(HnrPVT)
  /// The vehicle's attitude at the high rate.
  case hnrAtt(VehicleAttitude)
  /// The vehicle's angular rate and acceleration with gravity at the high rate.
  case hnrIns(VehicleDynamics)
  /// Versions of firmware and hardware.
  case monVer(MonVer)
  /// Radio and antenna of receivers with one radio path.
  case monHW(MonHW)
  /// Radio and antenna of each path.
  case monRF(MonRF)
  /// The position, earth-centred.
  case navPosECEF(NavPosECEF)
  /// The position.
  case navPosLLH(NavPosLLH)
  /// Status of the solution.
  case navStatus(NavStatus)
  /// Dilution of precision.
  case navDOP(NavDOP)
  /// The vehicle's attitude.
  case navAtt(VehicleAttitude)
  /// The solution of receivers before u-blox 7, earth-centred.
  case navSol(NavSol)
  /// Position, motion and time.
  case navPVT(NavPVT)
  /// The velocity, earth-centred.
  case navVelECEF(NavVelECEF)
  /// The velocity.
  case navVelNED(NavVelNED)
  /// The position, earth-centred, to tenths of millimetres.
  case navHPPosECEF(NavHPPosECEF)
  /// The position, to tenths of millimetres.
  case navHPPosLLH(NavHPPosLLH)
  /// Position, motion, attitude and time.
  case navPVAT(NavPVAT)
  /// GPS time.
  case navTimeGPS(NavTimeGPS)
  /// UTC.
  case navTimeUTC(NavTimeUTC)
  /// The receiver's clock.
  case navClock(NavClock)
  /// Leap seconds.
  case navTimeLS(NavTimeLS)
  /// Satellites in view from receivers before M8.
  case navSVInfo(NavSVInfo)
  /// Satellites in view.
  case navSat(NavSat)
  /// Covariances of position and velocity.
  case navCov(NavCov)
  /// Vector from another antenna to this one.
  case navRelPosNED(NavRelPosNED)
  /// Vector from the primary to the secondary antenna.
  case navDAHeading(NavDAHeading)
  /// Signals in view.
  case navSig(NavSig)
  /// End of the navigation epoch.
  case navEOE(NavEOE)
  /// The time of the next pulse.
  case timTP(TimTP)
  /// Interference and spoofing.
  case secSig(SecSig)
  /// The number of the chip.
  case secUniqID(SecUniqID)
  /// The state of the prediction of orbits.
  case navAOPStatus(NavAOPStatus)
  /// Whether an assistance message is used.
  case mgaAck(MgaAck)
  /// An entry of the navigation database.
  case mgaDBD(MgaDBD)

  /// Reads a frame.
  public init(_ frame: UBXFrame) throws(UBXRejection) {
    let payload = frame.payload
    switch frame.type {
    case 0x0101: self = .navPosECEF(try Self.read(payload))
    case 0x0102: self = .navPosLLH(try Self.read(payload))
    case 0x0103: self = .navStatus(try Self.read(payload))
    case 0x0104: self = .navDOP(try Self.read(payload))
    case 0x0105: self = .navAtt(try Self.read(payload))
    case 0x0106: self = .navSol(try Self.read(payload))
    case 0x0107: self = .navPVT(try Self.read(payload))
    case 0x0111: self = .navVelECEF(try Self.read(payload))
    case 0x0112: self = .navVelNED(try Self.read(payload))
    case 0x0113: self = .navHPPosECEF(try Self.read(payload))
    case 0x0114: self = .navHPPosLLH(try Self.read(payload))
    case 0x0117: self = .navPVAT(try Self.read(payload))
    case 0x0120: self = .navTimeGPS(try Self.read(payload))
    case 0x0121: self = .navTimeUTC(try Self.read(payload))
    case 0x0122: self = .navClock(try Self.read(payload))
    case 0x0126: self = .navTimeLS(try Self.read(payload))
    case 0x0130: self = .navSVInfo(try Self.read(payload))
    case 0x0135: self = .navSat(try Self.read(payload))
    case 0x0136: self = .navCov(try Self.read(payload))
    case 0x013C: self = .navRelPosNED(try Self.read(payload))
    case 0x0145: self = .navDAHeading(try Self.read(payload))
    case 0x0143: self = .navSig(try Self.read(payload))
    case 0x0160: self = .navAOPStatus(try Self.read(payload))
    case 0x0161: self = .navEOE(try Self.read(payload))
    case 0x0500: self = .ackNak(try Self.read(payload))
    case 0x0501: self = .ackAck(try Self.read(payload))
    case 0x0600: self = .cfgPrt(try Self.read(payload))
    case 0x0601: self = .cfgMsg(try Self.read(payload))
    case 0x0608: self = .cfgRate(try Self.read(payload))
    case 0x0624: self = .cfgNav5(try Self.read(payload))
    case 0x068B: self = .cfgValGet(try Self.read(payload))
    case 0x0A04: self = .monVer(try Self.read(payload))
    case 0x0A09: self = .monHW(try Self.read(payload))
    case 0x0A38: self = .monRF(try Self.read(payload))
    case 0x0D01: self = .timTP(try Self.read(payload))
    case 0x1002: self = .esfMeas(try Self.read(payload))
    case 0x1003: self = .esfRaw(try Self.read(payload))
    case 0x1010: self = .esfStatus(try Self.read(payload))
    case 0x1014: self = .esfAlg(try Self.read(payload))
    case 0x1015: self = .esfIns(try Self.read(payload))
    case 0x1360: self = .mgaAck(try Self.read(payload))
    case 0x1380: self = .mgaDBD(try Self.read(payload))
    case 0x2703: self = .secUniqID(try Self.read(payload))
    case 0x2709: self = .secSig(try Self.read(payload))
    case 0x2800: self = .hnrPVT(try Self.read(payload))
    case 0x2801: self = .hnrAtt(try Self.read(payload))
    case 0x2802: self = .hnrIns(try Self.read(payload))
    default: throw .unregistered
    }
  }

  @inline(__always)
  private static func read<Payload: UBXPayload>(
    _ payload: UnsafeBufferPointer<UInt8>
  ) throws(UBXRejection) -> Payload {
    guard payload.count >= Payload.shortestPayload else { throw .malformed }
    return try Payload(UBXFields(payload))
  }
}
