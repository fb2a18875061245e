/// Why a sound frame gave no message.
public enum UBXRejection: Error, Equatable, Sendable {
  /// Its type, or the version that its payload names, is not in the message table.
  case unregistered
  /// The payload is shorter than its layout, or its parts contradict one another.
  case malformed
}

/// A payload that one type of message carries.
protocol UBXPayload {
  /// The fewest bytes with which a receiver sends it, of any generation.
  static var shortestPayload: Int { get }
  /// Reads a payload that has at least as many.
  init(_ fields: UBXFields) throws(UBXRejection)
}

/// A UBX message of a type that is known here, named after u-blox's class and name.
///
/// Those with repeated blocks or text are views of the payload: like the frame, they may be used only
/// while the closure runs that got the bytes. All others are values that may be kept.
public enum UBXMessage {
  /// Not executed: the command is refused or unknown.
  case ackNak(AckTarget)
  /// Executed.
  case ackAck(AckTarget)
  /// A port's settings.
  case cfgPrt(CfgPrt)
  /// How often a message is sent.
  case cfgMsg(CfgMsg)
  /// How often positions are computed.
  case cfgRate(CfgRate)
  /// How the navigation engine is set.
  case cfgNav5(CfgNav5)
  /// Values of configuration keys.
  case cfgValGet(CfgValGet)
  /// Measurements of motion sensors.
  case esfMeas(EsfMeas)
  /// Measurements of the receiver's own motion sensors, unprocessed.
  case esfRaw(EsfRaw)
  /// State of the fusion with motion sensors.
  case esfStatus(EsfStatus)
  /// How the motion sensors lie in the vehicle.
  case esfAlg(EsfAlg)
  /// The vehicle's turning and acceleration without gravity.
  case esfIns(VehicleDynamics)
  /// The vehicle's place, motion and time at the high rate.
  case hnrPVT(HnrPVT)
  /// The vehicle's attitude at the high rate.
  case hnrAtt(VehicleAttitude)
  /// The vehicle's turning and acceleration with gravity at the high rate.
  case hnrIns(VehicleDynamics)
  /// Versions of firmware and hardware.
  case monVer(MonVer)
  /// Radio and antenna of receivers with one radio path.
  case monHW(MonHW)
  /// Radio and antenna, path by path.
  case monRF(MonRF)
  /// The place, earth-centred.
  case navPosECEF(NavPosECEF)
  /// The place.
  case navPosLLH(NavPosLLH)
  /// What the solution rests on.
  case navStatus(NavStatus)
  /// Dilution of precision.
  case navDOP(NavDOP)
  /// The vehicle's attitude.
  case navAtt(VehicleAttitude)
  /// The solution of receivers before u-blox 7, earth-centred.
  case navSol(NavSol)
  /// Place, motion and time.
  case navPVT(NavPVT)
  /// The velocity, earth-centred.
  case navVelECEF(NavVelECEF)
  /// The velocity.
  case navVelNED(NavVelNED)
  /// The place, earth-centred, to tenths of millimetres.
  case navHPPosECEF(NavHPPosECEF)
  /// The place, to tenths of millimetres.
  case navHPPosLLH(NavHPPosLLH)
  /// Place, motion, attitude and time.
  case navPVAT(NavPVAT)
  /// GPS time.
  case navTimeGPS(NavTimeGPS)
  /// Civil time.
  case navTimeUTC(NavTimeUTC)
  /// The receiver's clock.
  case navClock(NavClock)
  /// Leap seconds.
  case navTimeLS(NavTimeLS)
  /// The sky as receivers before M8 tell it.
  case navSVInfo(NavSVInfo)
  /// The sky.
  case navSat(NavSat)
  /// Covariances of place and velocity.
  case navCov(NavCov)
  /// From another antenna to this one.
  case navRelPosNED(NavRelPosNED)
  /// The sky, signal by signal.
  case navSig(NavSig)
  /// Nothing follows of this navigation epoch.
  case navEOE(NavEOE)
  /// The time of the next pulse.
  case timTP(TimTP)

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
    case 0x0143: self = .navSig(try Self.read(payload))
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
