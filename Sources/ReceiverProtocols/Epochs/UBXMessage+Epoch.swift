import Quantities

extension UBXMessage {
  /// The message's navigation epoch as GPS time of week, milliseconds; nil where it belongs to
  /// none.
  var epochTimeOfWeek: UInt32? {
    switch self {
    case .navPVT(let m): m.timeOfWeekMilliseconds
    case .navPVAT(let m): m.timeOfWeekMilliseconds
    case .hnrPVT(let m): m.timeOfWeekMilliseconds
    case .navPosLLH(let m): m.timeOfWeekMilliseconds
    case .navHPPosLLH(let m): m.timeOfWeekMilliseconds
    case .navPosECEF(let m): m.timeOfWeekMilliseconds
    case .navHPPosECEF(let m): m.timeOfWeekMilliseconds
    case .navVelNED(let m): m.timeOfWeekMilliseconds
    case .navVelECEF(let m): m.timeOfWeekMilliseconds
    case .navSol(let m): m.timeOfWeekMilliseconds
    case .navStatus(let m): m.timeOfWeekMilliseconds
    case .navDOP(let m): m.timeOfWeekMilliseconds
    case .navCov(let m): m.timeOfWeekMilliseconds
    case .navTimeUTC(let m): m.timeOfWeekMilliseconds
    case .navTimeGPS(let m): m.timeOfWeekMilliseconds
    case .navTimeLS(let m): m.timeOfWeekMilliseconds
    case .navClock(let m): m.timeOfWeekMilliseconds
    case .navRelPosNED(let m): m.timeOfWeekMilliseconds
    case .navDAHeading(let m): m.timeOfWeekMilliseconds
    case .navAtt(let m), .hnrAtt(let m): m.timeOfWeekMilliseconds
    case .navSat(let m): m.timeOfWeekMilliseconds
    case .navSVInfo(let m): m.timeOfWeekMilliseconds
    case .navSig(let m): m.timeOfWeekMilliseconds
    case .navEOE(let m): m.timeOfWeekMilliseconds
    case .navAOPStatus(let m): m.timeOfWeekMilliseconds
    case .hnrIns(let m), .esfIns(let m): m.timeOfWeekMilliseconds
    case .ackNak, .ackAck, .cfgPrt, .cfgMsg, .cfgRate, .cfgNav5, .cfgValGet, .esfMeas, .esfRaw,
      .esfStatus, .esfAlg, .monVer, .monHW, .monRF, .timTP, .secSig, .secUniqID,
      .mgaAck, .mgaDBD:
      nil
    }
  }
}

extension PulseAnnouncement {
  /// Makes an announcement from TIM-TP; a pulse in GPS time needs the reported leap seconds.
  init(_ pulse: TimTP, leapSeconds: Int?, arrival: Timestamp) {
    self.init(
      week: Int(pulse.week), timeOfWeekMilliseconds: pulse.timeOfWeekMilliseconds,
      leapSeconds: pulse.isUTC ? 0 : leapSeconds,
      quantisationErrorPicoseconds: pulse.quantisationErrorPicoseconds, arrival: arrival)
  }
}
