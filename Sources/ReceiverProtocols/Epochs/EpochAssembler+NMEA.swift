import Quantities

extension EpochAssembler {
  /// Takes a sentence and calls `body` with what it completes.
  public mutating func add(
    _ sentence: NMEASentence, from talker: Talker, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    let key = MessageKey(sentence, talker)
    let role = sentence.role
    let time = sentence.time
    enter(timestamp, repeats: repeats(key, role, time), body) { [weekTime] draft in
      guard let time else { return .unknown }
      if let open = draft.time {
        // With an error estimate that comes late nothing begins.
        if role == .estimate { return time.isLater(than: open) ? .another : .same }
        return time == open ? .same : .another
      }
      if let week = draft.timeOfWeek { return weekTime.isSame(week, time) ? .same : .another }
      // The receiver did not know the time, and now it does.
      return draft.isTimeless ? .another : .unknown
    }
    gpsd.note(sentence, from: talker)
    if let time {
      // An estimate of an earlier instant says nothing of this one.
      if let open = draft.time, open != time, role == .estimate { return }
      draft.time = time
    } else {
      if role != .none { draft.untimed.insert(key) }
      if role == .fix { draft.isTimeless = true }
    }
    if role != .none { draft.hasContent = true }
    take(sentence, talker, timestamp, body)
    leave(key, body)
  }

  /// Without a time, a sentence that comes again is the next cycle's; instruments repeat themselves within
  /// a receiver's cycle.
  private func repeats(_ key: MessageKey, _ role: SentenceRole, _ time: TimeOfDay?) -> Bool {
    guard hasOpenEpoch, time == nil, draft.untimed.contains(key) else { return false }
    return role != .none && (role != .environment || draft.isOnlyEnvironment)
  }

  private mutating func take(
    _ sentence: NMEASentence, _ talker: Talker, _ timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    switch sentence {
    case .gga(let s): draft.add(s)
    case .gns(let s): draft.add(s)
    case .gll(let s): draft.add(s)
    case .rmc(let s): draft.add(s)
    case .vtg(let s): draft.add(s)
    case .zda(let s): draft.date = s.date ?? draft.date
    case .gst(let s): draft.add(s)
    case .gbs(let s): draft.add(s)
    case .gsa(let s):
      draft.add(s)
      if let dimension = s.dimension { solution = ReceiverEpoch.Dimension(rawValue: dimension) }
      sky.add(s, from: talker, epoch: number)
    case .gsv(let s): sky.add(s, from: talker)
    case .pubx00(let s): draft.add(s)
    case .pubx04(let s):
      draft.date = s.date ?? draft.date
      if s.leapSecondsAreDefault != true { weekTime.learn(leapSeconds: s.leapSeconds) }
    case .pgrme(let s): draft.add(s)
    case .pgrmz(let s): draft.add(s)
    case .pgrmf(let s):
      draft.add(s)
      weekTime.learn(leapSeconds: s.leapSeconds)
    case .pgrmv(let s): draft.add(s)
    case .psrfepe(let s): draft.add(s)
    case .pashrpos(let s): draft.add(s)
    case .pashrsat(let s):
      sky.replace(s.satellites) { SatelliteID(nmea: $0, talker: talker, systemID: nil) }
    case .pubx03(let s):
      sky.replace(s.satellites) { SatelliteID(ubxSingleNumber: UInt8(truncatingIfNeeded: $0)) }
    case .pgrmm, .htc, .psxn20, .phinf: break
    case .mwv, .mwd, .vwr, .vwt, .mda, .mtw, .mta, .mmb, .mhu, .dbt, .dbk, .dbs, .dpt, .vlw, .vbw,
      .vdr:
      draft.epoch.environment.add(sentence)
    case .hdg(let s):
      draft.epoch.magneticVariation = s.variation ?? draft.epoch.magneticVariation
      heading(s.trueHeading, s.magneticHeading, timestamp, body)
    case .hdt(let s): heading(s.heading, nil, timestamp, body)
    case .ths(let s):
      let isReal = s.mode != .notValid && s.mode != .simulated && s.mode != .manual
      heading(isReal ? s.heading : nil, nil, timestamp, body)
    case .hdm(let s): heading(nil, s.heading, timestamp, body)
    case .htd(let s): heading(s.trueHeading, s.magneticHeading, timestamp, body)
    case .vhw(let s):
      draft.epoch.environment.add(sentence)
      heading(s.trueHeading, s.magneticHeading, timestamp, body)
    case .rot(let s):
      guard let rate = s.rateOfTurn else { break }
      // A rate alone is of little use: the heading of the same cycle goes along.
      body(
        .heading(
          HeadingReport(
            timestamp: timestamp, trueHeading: draft.epoch.trueHeading,
            magneticHeading: draft.epoch.magneticHeading, rateOfTurn: rate)))
    case .xdr(let s):
      draft.epoch.environment.add(sentence)
      tell(HeadingReport(s, timestamp), body)
    case .pashr(let s): tell(HeadingReport(s, timestamp), body)
    case .ptnthpr(let s): tell(HeadingReport(s, timestamp), body)
    case .ptnthtm(let s): tell(HeadingReport(s, timestamp), body)
    case .psxn23(let s):
      attitude(s.heading, s.pitch, s.roll, heave: s.heaveMetres, timestamp, body)
    case .psathpr(let s): attitude(s.heading, s.pitch, s.roll, timestamp, body)
    case .pfecgpatt(let s): attitude(s.heading, s.pitch, s.roll, timestamp, body)
    case .pfecgphve(let s): attitude(nil, nil, nil, heave: s.heaveMetres, timestamp, body)
    case .phtro(let s): attitude(nil, s.pitch, s.roll, timestamp, body)
    // From which north its heading counts it does not say.
    case .prdid(let s): attitude(nil, s.pitch, s.roll, timestamp, body)
    }
  }

  private mutating func heading(
    _ trueHeading: TrueHeading?, _ magneticHeading: MagneticHeading?, _ timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    guard trueHeading != nil || magneticHeading != nil else { return }
    tell(
      HeadingReport(
        timestamp: timestamp, trueHeading: trueHeading, magneticHeading: magneticHeading), body)
  }

  private mutating func attitude(
    _ heading: TrueHeading?, _ pitch: Angle?, _ roll: Angle?, heave: Double? = nil,
    _ timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var report = HeadingReport(timestamp: timestamp, trueHeading: heading)
    (report.pitch, report.roll, report.heaveMetres) = (pitch, roll, heave)
    tell(report, body)
  }

  /// Reports an attitude at once, and keeps its heading for the epoch.
  mutating func tell(_ report: HeadingReport, _ body: (ReceiverReport) -> Void) {
    guard !report.isEmpty else { return }
    draft.epoch.trueHeading = report.trueHeading ?? draft.epoch.trueHeading
    draft.epoch.magneticHeading = report.magneticHeading ?? draft.epoch.magneticHeading
    body(.heading(report))
  }
}

/// What a sentence is to an epoch.
enum SentenceRole {
  /// A place, with the time where the receiver knows it.
  case fix
  /// Motion or time.
  case motion
  /// An estimate of errors, with the time of the fix that it belongs to.
  case estimate
  /// Wind, water or weather.
  case environment
  /// Nothing: an epoch is not made of it.
  case none
}

extension NMEASentence {
  var role: SentenceRole {
    switch self {
    case .gga, .gns, .gll, .rmc, .pashrpos: .fix
    case .vtg, .zda, .pubx00, .pubx04, .pgrmf, .pgrmv: .motion
    case .gst, .gbs, .psrfepe: .estimate
    case .mwv, .mwd, .vwr, .vwt, .mda, .mtw, .mta, .mmb, .mhu, .dbt, .dbk, .dbs, .dpt: .environment
    case .gsa, .gsv, .hdg, .hdt, .hdm, .rot, .ths, .htc, .htd, .xdr, .vhw, .vlw, .vbw, .vdr, .pashr,
      .ptnthpr, .ptnthtm, .pgrme, .pgrmz, .pgrmm, .pashrsat, .pubx03, .psxn20, .psxn23, .phtro,
      .phinf,
      .pfecgpatt, .pfecgphve, .prdid, .psathpr:
      .none
    }
  }
}
