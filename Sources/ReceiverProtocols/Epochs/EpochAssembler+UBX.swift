import Quantities

extension EpochAssembler {
  /// Takes a UBX message and calls `body` with what it completes.
  mutating func add(
    _ message: UBXMessage, type: UInt16, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    learn(message)
    if case .esfAlg(let alignment) = message { body(.alignment(alignment)) }
    if case .timTP(let pulse) = message {
      body(.pulse(PulseAnnouncement(pulse, leapSeconds: weekTime.leapSeconds, arrival: timestamp)))
    }
    guard let week = message.epochTimeOfWeek else { return }
    enter(timestamp, repeats: false, body) { [weekTime] draft in
      if let open = draft.timeOfWeek { return open == week ? .same : .another }
      guard let time = draft.time else { return draft.isTimeless ? .another : .unknown }
      return weekTime.isSame(week, time) ? .same : .another
    }
    draft.timeOfWeek = week
    take(message, timestamp, body)
    if draft.isHighRate { newestHighRate = week }
    var isLast = false
    if case .navEOE = message { isLast = true }
    leave(MessageKey(ubx: type), isLast: isLast, body)
  }

  /// Leap seconds come first: whether a sentence is of the same instant depends on them.
  private mutating func learn(_ message: UBXMessage) {
    switch message {
    case .navTimeGPS(let m): weekTime.learn(leapSeconds: m.leapSeconds)
    case .navTimeLS(let m): weekTime.learn(leapSeconds: m.leapSeconds)
    case .navPVT(let m): weekTime.learn(m.timeOfWeekMilliseconds, m.time)
    case .navPVAT(let m): weekTime.learn(m.timeOfWeekMilliseconds, m.time)
    case .hnrPVT(let m): weekTime.learn(m.timeOfWeekMilliseconds, m.time)
    case .navTimeUTC(let m): weekTime.learn(m.timeOfWeekMilliseconds, m.time)
    default: break
    }
  }

  private mutating func take(
    _ message: UBXMessage, _ timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    switch message {
    case .navPVT(let m): draft.add(m)
    case .navPVAT(let m):
      draft.add(m)
      tell(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .hnrPVT(let m):
      draft.add(m)
      draft.isHighRate = true
    case .navPosLLH(let m): draft.add(m)
    case .navHPPosLLH(let m): draft.add(m)
    case .navPosECEF(let m):
      draft.hasContent = true
      draft.earthCentred = (m.position, m.accuracyMetres)
    case .navHPPosECEF(let m):
      draft.hasContent = true
      if let position = m.position { draft.earthCentred = (position, m.accuracyMetres) }
    case .navVelNED(let m): draft.add(m)
    case .navVelECEF(let m): draft.earthCentredVelocity = m.velocity
    case .navSol(let m): draft.add(m, leapSeconds: weekTime.assumedLeapSeconds)
    case .navStatus(let m): draft.add(m)
    case .navDOP(let m): draft.add(m)
    case .navCov(let m): draft.add(m)
    case .navTimeUTC(let m):
      draft.utc = draft.utc ?? m.time.utc
      draft.epoch.timeAccuracySeconds = m.timeAccuracySeconds ?? draft.epoch.timeAccuracySeconds
    case .navTimeGPS(let m): draft.utc = draft.utc ?? m.utc
    case .navRelPosNED(let m):
      draft.add(m)
      tell(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .navAtt(let m), .hnrAtt(let m):
      tell(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .navSat(let m): sky.replace(m.satellites) { SkyView.Satellite($0) }
    case .navSVInfo(let m): sky.replace(m.channels) { SkyView.Satellite($0) }
    default: break
    }
  }
}

extension UBXMessage {
  /// The navigation epoch that the message is of, as GPS time of week in milliseconds; nil for what is not
  /// about one.
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
    case .navAtt(let m), .hnrAtt(let m): m.timeOfWeekMilliseconds
    case .navSat(let m): m.timeOfWeekMilliseconds
    case .navSVInfo(let m): m.timeOfWeekMilliseconds
    case .navSig(let m): m.timeOfWeekMilliseconds
    case .navEOE(let m): m.timeOfWeekMilliseconds
    case .hnrIns(let m), .esfIns(let m): m.timeOfWeekMilliseconds
    case .ackNak, .ackAck, .cfgPrt, .cfgMsg, .cfgRate, .cfgNav5, .cfgValGet, .esfMeas, .esfRaw,
      .esfStatus, .esfAlg, .monVer, .monHW, .monRF, .timTP:
      nil
    }
  }
}

extension PulseAnnouncement {
  /// A pulse counted in GPS time needs the leap seconds that the receiver told.
  init(_ pulse: TimTP, leapSeconds: Int?, arrival: Timestamp) {
    self.init(
      week: Int(pulse.week), timeOfWeekMilliseconds: pulse.timeOfWeekMilliseconds,
      leapSeconds: pulse.isUTC ? 0 : leapSeconds,
      quantisationErrorPicoseconds: pulse.quantisationErrorPicoseconds, arrival: arrival)
  }
}
