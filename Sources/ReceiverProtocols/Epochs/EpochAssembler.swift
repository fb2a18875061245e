import Quantities

/// Joins the messages of one instant into an epoch, in any order.
///
/// Another time of day or GPS time of week closes an epoch. The message that `CycleEnd` has learnt
/// to be the last of a cycle closes it too, so that a live position is not one epoch late. Messages
/// without a time belong to the open epoch; after a predicted end they belong to the next one.
public struct EpochAssembler: Sendable {
  private var draft = EpochDraft(timestamp: Timestamp(nanoseconds: 0))
  private var isOpen = false
  /// The epoch that a predicted end closed, until the next instant begins: more messages may
  /// follow.
  private var closed = EpochDraft(timestamp: Timestamp(nanoseconds: 0))
  private var hasClosed = false
  /// Counts epochs.
  private var number: Int64 = 0
  private var cycle = CycleEnd()
  private var laggingGGA = LaggingGGA()
  private var dates: DateKeeper
  private var sky = SkyCollector()
  private var weekTime = WeekTime()
  /// The newest state of antenna and signals.
  private var signals = SignalState()
  /// The newest time since the receiver's start by a message that belongs to no instant, until it
  /// is reported.
  private var uptimeSeconds: Double?
  /// The dimension in the last GSA; receivers send GSA less often than positions.
  private var solution: ReceiverEpoch.Dimension?
  private var hadAltitude = false
  private var gpsd = GPSDCycle()
  private var attitudes = AttitudeJoin()
  /// The newest time of week of the high-rate solution.
  private var newestHighRate: UInt32?
  /// The positions of the newest instant and of the one before.
  private var (last, old): (Place?, Place?)
  /// Largest difference between a derived speed and the receiver's own, as a part of that one. It
  /// reaches 0.21 at 2.7 m/s where positions have four decimals of a minute and come every 2 s
  /// (humminbird-M37).
  private static let largestSpeedDifference = 0.25
  private struct Place {
    let utc: UTCTime
    let position: GeodeticPosition
    let (altitude, height): (Double?, Double?)
  }

  /// Makes an assembler.
  /// - Parameter dates: how dates are corrected after a rollover of the receiver's week count.
  public init(dates: DateCorrection = .none) { self.dates = DateKeeper(dates) }

  /// Reports the open epoch, because the receiver has stopped sending for a moment. If more
  /// messages of its instant follow, it is reported again as a revision.
  public mutating func lineFellSilent(_ body: (ReceiverReport) -> Void) {
    if let report = attitudes.flush() { reportHeading(report, body) }
    guard isOpen, !hasClosed else { return }
    cycle.cycleEnded(early: false)
    close(body)
  }

  /// Reports the last epoch at the end of the stream.
  public mutating func finish(_ body: (ReceiverReport) -> Void) {
    if let report = attitudes.flush() { reportHeading(report, body) }
    report(body)
    (isOpen, hasClosed) = (false, false)
  }

  // MARK: Beginning and end of an epoch

  /// Whether a message belongs to the instant of a draft.
  private enum Relation { case same, another, unknown }

  /// Selects the draft of the message's instant. Where another instant begins, reports the previous
  /// one.
  ///
  /// `relation` compares the message's instant with that of a draft. `repeats` is true where a
  /// message without a time occurs for the second time, so that a new cycle has begun.
  private mutating func beginMessage(
    _ timestamp: Timestamp, repeats: Bool, _ body: (ReceiverReport) -> Void,
    relation: (EpochDraft.Instant) -> Relation
  ) {
    let toClosed = hasClosed ? relation(closed.instant) : .unknown
    if hasClosed, toClosed != .unknown {
      hasClosed = false
      if toClosed == .same {
        // The reported instant continues: the predicted end was wrong.
        cycle.wasWrong()
        if isOpen { closed.absorb(draft) }
        (draft, isOpen) = (closed, true)
        draft.epoch.isRevision = draft.isReported
      } else {
        cycle.cycleEnded(early: true)
        // Messages without a time since then may still belong to the old instant: their repetition
        // does not begin a new cycle.
        draft.untimed = MessageKeys()
      }
    } else if isOpen, beginsAnother(relation(draft.instant), repeats) {
      report(body)
      cycle.cycleEnded(early: false)
      // An epoch that was reported before this one can no longer be revised.
      (isOpen, hasClosed) = (false, false)
    }
    if !isOpen {
      // A closed epoch without a time cannot be distinguished from the next one.
      if closed.time == nil, closed.timeOfWeek == nil, closed.runTime == nil { hasClosed = false }
      draft = EpochDraft(timestamp: timestamp)
      isOpen = true
      number += 1
    }
  }

  private func beginsAnother(_ relation: Relation, _ repeats: Bool) -> Bool {
    relation == .another || (relation == .unknown && repeats)
  }

  /// Records that the message of this key is complete. Reports the epoch where it is the cycle's
  /// last.
  private mutating func endMessage(
    _ key: MessageKey, isLast: Bool = false, _ body: (ReceiverReport) -> Void
  ) {
    let isPredictedEnd = cycle.add(key)
    if isPredictedEnd || isLast, !hasClosed { close(body) }
  }

  private mutating func close(_ body: (ReceiverReport) -> Void) {
    report(body)
    closed = draft
    (hasClosed, isOpen) = (true, false)
  }

  // MARK: The report

  private mutating func report(_ body: (ReceiverReport) -> Void) {
    guard isOpen, draft.hasContent, !isSuperseded else { return }
    var draft = self.draft
    // The sky's memory is reused once the report is released: no draft may refer to it.
    self.draft.epoch.sky = nil
    self.draft.isReported = true
    if draft.solution == nil {
      if draft.hasFix {
        if draft.epoch.fix.altitudeMetres != nil { hadAltitude = true }
      } else {
        (solution, hadAltitude) = (nil, false)
      }
    }
    draft.epoch.fix.utc = instant(of: draft)
    let dimension = dimension(of: draft)
    draft.complete(
      dimension: dimension, held: draft.solution == nil ? gpsd.dimension ?? dimension : dimension)
    draft.epoch.isSpeedLate = draft.solution == nil && !gpsd.hasSpeed
    draft.epoch.leapSeconds = weekTime.leapSeconds
    draft.epoch.signals = signals
    draft.epoch.uptimeSeconds = draft.epoch.uptimeSeconds ?? uptimeSeconds
    uptimeSeconds = nil
    if draft.epoch.isTimeResolved == nil {
      // A time of week alone is converted with the usual leap seconds until they are reported.
      let isAssumed = weekTime.leapSeconds == nil && draft.timeOfWeek != nil
      draft.epoch.isTimeResolved = weekTime.isConfirmed ? true : isAssumed ? false : nil
    }
    derive(&draft.epoch)
    draft.epoch.sky = sky.nextSky()
    body(.epoch(draft.epoch))
  }

  /// True for an ordinary solution of an instant that the high-rate solution has already reported.
  private var isSuperseded: Bool {
    guard let newest = newestHighRate, let week = draft.timeOfWeek, !draft.isHighRate else {
      return false
    }
    // A larger difference means another week, or that the high rate was switched off.
    let longestDelay: UInt32 = 10_000
    return week <= newest && newest - week < longestDelay
  }

  private mutating func instant(of draft: EpochDraft) -> UTCTime? {
    if let utc = draft.utc { return dates.instant(utc) }
    guard let time = draft.time ?? draft.timeOfWeek.flatMap({ weekTime.timeOfDay($0) }) else {
      return nil
    }
    return dates.instant(time, date: draft.date, doubtful: draft.doubtfulDate)
  }

  /// The dimension of a valid solution: that of a UBX solution, or that which a sentence states with
  /// its position (PUBX,00, PGRMF); else three where GSA reports three,
  /// or with an altitude from four satellites or more; else two where GSA reports two; else three
  /// once an altitude was received. Receivers for several systems report two for each system
  /// although the joint solution has three (Telit PLS83), GSA may come late (SiRF), and neither
  /// altitude nor GSA is in every cycle.
  private func dimension(of draft: EpochDraft) -> ReceiverEpoch.Dimension {
    if let solution = draft.solution ?? draft.statedDimension { return solution }
    if solution == .three { return .three }
    let (fix, fewest) = (draft.epoch.fix, 4)
    if fix.altitudeMetres != nil, let used = fix.satellitesUsed, used >= fewest { return .three }
    if solution == .two { return .two }
    return hadAltitude ? .three : .two
  }

  private mutating func derive(_ epoch: inout ReceiverEpoch) {
    guard let utc = epoch.fix.utc, let position = epoch.fix.position else { return }
    let (altitude, height) = (epoch.printedAltitudeMetres, epoch.printedHeightMetres)
    // A revision belongs to the newest instant and does not shift the positions.
    if last?.utc != utc {
      old = last
      last = Place(utc: utc, position: position, altitude: altitude, height: height)
    }
    guard let previous = old else { return }
    let elapsed = utc.seconds(since: previous.utc)
    guard elapsed > 0 else { return }
    let derived = WGS84.metres(from: previous.position, to: position) / elapsed
    if let own = epoch.fix.speedMetresPerSecond {
      // A jump of the position is not a speed: the receiver may have held the place before.
      let isConfirmed = abs(derived - own) <= Self.largestSpeedDifference * own
      if epoch.isSpeedLate, isConfirmed { epoch.derivedSpeedMetresPerSecond = derived }
    } else {
      epoch.derivedSpeedMetresPerSecond = derived
    }
    guard epoch.fix.verticalSpeedMetresPerSecond == nil else { return }
    // Both values need the same reference: a receiver may report its geoid separation in some
    // cycles only.
    if let altitude, let before = previous.altitude {
      epoch.derivedClimbMetresPerSecond = (altitude - before) / elapsed
    } else if let height, let before = previous.height {
      epoch.derivedClimbMetresPerSecond = (height - before) / elapsed
    }
  }

  // MARK: Sentences

  /// Adds a sentence and calls `body` with each report that it completes.
  public mutating func add(
    _ sentence: NMEASentence, from talker: Talker, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    add(sentence, SentenceOutline(sentence, sentence.type), from: talker, at: timestamp, body)
  }

  mutating func add(
    _ sentence: NMEASentence, _ outline: SentenceOutline, from talker: Talker,
    at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    // A text comes at any time: it has no place in a cycle.
    if outline.type == .txt, case .txt(let text) = sentence { return signals.add(text) }
    let key = MessageKey(outline, talker)
    let role = outline.role
    let wasLagging = laggingGGA.isDetected
    let time = laggingGGA.time(of: outline)
    // A corrected GGA has another place in the cycle.
    if laggingGGA.isDetected != wasLagging { cycle = CycleEnd() }
    beginMessage(timestamp, repeats: repeats(key, role, time), body) { [weekTime] draft in
      guard let time else { return .unknown }
      if let open = draft.time {
        // A late error estimate does not begin an epoch.
        if role == .estimate { return time.isLater(than: open) ? .another : .same }
        return time == open ? .same : .another
      }
      if let week = draft.timeOfWeek { return weekTime.isSame(week, time) ? .same : .another }
      // The receiver knows the time now, which it did not in the draft.
      return draft.isTimeless ? .another : .unknown
    }
    gpsd.add(sentence, outline.type, from: talker, at: time)
    if let time {
      // An estimate of an earlier instant does not apply to this one.
      if let open = draft.time, open != time, role == .estimate { return }
      draft.time = time
    } else {
      if role != .none { draft.untimed.insert(key) }
      if role == .fix { draft.isTimeless = true }
    }
    if role != .none { draft.hasContent = true }
    apply(sentence, talker, timestamp, body)
    endMessage(key, body)
  }

  /// True for the repetition of a sentence without a time, which begins the next cycle. Instruments
  /// may repeat their sentences within a receiver's cycle.
  @inline(__always)
  private func repeats(_ key: MessageKey, _ role: SentenceRole, _ time: TimeOfDay?) -> Bool {
    guard isOpen, time == nil, draft.untimed.contains(key) else { return false }
    return role != .none && (role != .environment || draft.isOnlyEnvironment)
  }

  private mutating func apply(
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
      if s.leapSecondsAreDefault == true {
        draft.epoch.isTimeResolved = false
      } else {
        weekTime.learn(leapSeconds: s.leapSeconds)
      }
    case .pgrme(let s): draft.add(s)
    case .pgrmz(let s): draft.add(s)
    case .pgrmf(let s):
      draft.add(s)
      weekTime.learn(leapSeconds: s.leapSeconds, isConfirmed: false)
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
      // The report also carries the heading of the same cycle: a rate alone is of little use.
      body(
        .heading(
          HeadingReport(
            timestamp: timestamp, trueHeading: draft.epoch.trueHeading,
            magneticHeading: draft.epoch.magneticHeading, rateOfTurn: rate)))
    case .xdr(let s):
      draft.epoch.environment.add(sentence)
      reportHeading(HeadingReport(s, timestamp), body)
    case .pashr(let s): reportHeading(HeadingReport(s, timestamp), body)
    case .ptnthpr(let s): reportHeading(HeadingReport(s, timestamp), body)
    case .ptnthtm(let s): reportHeading(HeadingReport(s, timestamp), body)
    case .psxn23(let s):
      attitude(s.heading, s.pitch, s.roll, heave: s.heaveMetres, timestamp, body)
    case .psathpr(let s): attitude(s.heading, s.pitch, s.roll, timestamp, body)
    case .pfecgpatt(let s): attitude(s.heading, s.pitch, s.roll, timestamp, body)
    case .pfecgphve(let s): attitude(nil, nil, nil, heave: s.heaveMetres, timestamp, body)
    case .phtro(let s): attitude(nil, s.pitch, s.roll, timestamp, body)
    // The sentence does not specify whether its heading is true or magnetic.
    case .prdid(let s): attitude(nil, s.pitch, s.roll, timestamp, body)
    case .hpr(let s), .tra(let s), .psti036(let s), .pqtmtar(let s), .ptnlavr(let s),
      .pssnhrp(let s), .pashrhpr(let s), .ksxt(let s):
      reportHeading(HeadingReport(s, timestamp), body)
    case .pqtmepe(let s): draft.add(s)
    case .pqtmvel(let s): draft.add(s)
    case .pqtmpvt(let s):
      draft.add(s)
      weekTime.learn(leapSeconds: s.leapSeconds.map { Int($0) }, isConfirmed: false)
    case .pqtmjammingstatus(let s): signals.add(s)
    case .pqtmantennastatus(let s): signals.add(s)
    case .cgpsinfo(let s): draft.add(s)
    case .txt: break
    case .pairspf(let s): signals.add(s, isL5: false)
    case .pairspf5(let s): signals.add(s, isL5: true)
    case .pqtmdop(let s): draft.add(s)
    case .pqtmdrpva(let s):
      draft.add(s)
      attitude(s.heading, s.pitch, s.roll, timestamp, body)
    case .pqtmvehatt(let s): reportHeading(HeadingReport(s, timestamp), body)
    }
  }

  private mutating func heading(
    _ trueHeading: TrueHeading?, _ magneticHeading: MagneticHeading?, _ timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    guard trueHeading != nil || magneticHeading != nil else { return }
    reportHeading(
      HeadingReport(
        timestamp: timestamp, trueHeading: trueHeading, magneticHeading: magneticHeading), body)
  }

  private mutating func attitude(
    _ heading: TrueHeading?, _ pitch: Angle?, _ roll: Angle?, heave: Double? = nil,
    _ timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var report = HeadingReport(timestamp: timestamp, trueHeading: heading)
    (report.pitch, report.roll, report.heaveMetres) = (pitch, roll, heave)
    reportHeading(report, body)
  }

  /// Reports a heading or attitude at once and stores the heading for the epoch.
  private mutating func reportHeading(
    _ report: HeadingReport, _ body: (ReceiverReport) -> Void
  ) {
    guard !report.isEmpty else { return }
    draft.epoch.trueHeading = report.trueHeading ?? draft.epoch.trueHeading
    draft.epoch.magneticHeading = report.magneticHeading ?? draft.epoch.magneticHeading
    body(.heading(report))
  }

  // MARK: UBX messages

  /// Adds a UBX message and calls `body` with each report that it completes.
  mutating func add(
    _ message: UBXMessage, type: UInt16, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    learn(message)
    _ = signals.add(message)
    if case .esfAlg(let alignment) = message { body(.alignment(alignment)) }
    if case .timTP(let pulse) = message {
      body(.pulse(PulseAnnouncement(pulse, leapSeconds: weekTime.leapSeconds, arrival: timestamp)))
    }
    guard let week = message.epochTimeOfWeek else { return }
    beginMessage(timestamp, repeats: false, body) { [weekTime] draft in
      if let open = draft.timeOfWeek { return open == week ? .same : .another }
      guard let time = draft.time else { return draft.isTimeless ? .another : .unknown }
      return weekTime.isSame(week, time) ? .same : .another
    }
    draft.timeOfWeek = week
    apply(message, timestamp, body)
    if draft.isHighRate { newestHighRate = week }
    var isLast = false
    if case .navEOE = message { isLast = true }
    endMessage(MessageKey(ubx: type), isLast: isLast, body)
  }

  /// Reads leap seconds before all else: the comparison with a sentence's instant depends on them.
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

  private mutating func apply(
    _ message: UBXMessage, _ timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    switch message {
    case .navPVT(let m): draft.add(m)
    case .navPVAT(let m):
      draft.add(m)
      reportHeading(HeadingReport(m, timestamp, utc: draft.utc), body)
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
      draft.epoch.isTimeResolved = m.time.isFullyResolved
      draft.epoch.timeAccuracySeconds = m.timeAccuracySeconds ?? draft.epoch.timeAccuracySeconds
    case .navTimeGPS(let m): draft.utc = draft.utc ?? m.utc
    case .navRelPosNED(let m):
      draft.add(m)
      reportHeading(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .navDAHeading(let m):
      draft.add(baseline: m.offset)
      reportHeading(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .navAtt(let m), .hnrAtt(let m):
      reportHeading(HeadingReport(m, timestamp, utc: draft.utc), body)
    case .navSat(let m): sky.replace(m.satellites) { SkyView.Satellite($0) }
    case .navSVInfo(let m): sky.replace(m.channels) { SkyView.Satellite($0) }
    default: break
    }
  }

  // MARK: Other protocols

  /// Adds a record and calls `body` with each report that it completes.
  ///
  /// An attitude alone is reported at once and begins no instant: its time may differ from that of
  /// sentences.
  public mutating func add(
    _ record: SolutionRecord, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    // SBF and Allystar mark leap seconds that they do not know; other headers may have a default.
    let isMarked = record.kind.format == .sbf || record.kind.format == .allystar
    weekTime.learn(leapSeconds: record.leapSeconds, isConfirmed: isMarked)
    if let trouble = record.trouble {
      signals.add(trouble)
      uptimeSeconds = trouble.uptimeSeconds ?? uptimeSeconds
    }
    let key = MessageKey(record.kind)
    if record.hasSolution { begin(record, key, timestamp, body) }
    if let satellites = record.satellites { sky.replace(satellites) { $0 } }
    if let signals = record.satelliteSignals { sky.add(signals: signals) }
    var (earlier, report): (HeadingReport?, HeadingReport?)
    if let attitude = record.attitude {
      (earlier, report) = attitudes.add(
        attitude, timeOfWeek: record.timeOfWeekMilliseconds,
        HeadingReport(attitude, timestamp, utc: utc(of: record)))
    } else if !record.isAside {
      earlier = attitudes.flush()
    }
    if let earlier { reportHeading(earlier, body) }
    if let report { reportHeading(report, body) }
    if record.hasSolution {
      endMessage(key, body)
    } else if record.endsEpoch, isOpen, let week = record.timeOfWeekMilliseconds,
      draft.timeOfWeek == week
    {
      endMessage(key, isLast: true, body)
    }
  }

  @inline(never)
  private mutating func begin(
    _ record: SolutionRecord, _ key: MessageKey, _ timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    let (week, runTime) = (record.timeOfWeekMilliseconds, record.runTimeMilliseconds)
    let isUntimed = week == nil && runTime == nil
    let repeats = isUntimed && isOpen && draft.untimed.contains(key)
    beginMessage(timestamp, repeats: repeats, body) { [weekTime] draft in
      if let runTime, let open = draft.runTime { return open == runTime ? .same : .another }
      guard let week else {
        guard let utc = record.utc else { return .unknown }
        return Self.relation(of: utc, to: draft, weekTime, repeats: draft.untimed.contains(key))
      }
      if let open = draft.timeOfWeek { return open == week ? .same : .another }
      guard let time = draft.time else { return draft.isTimeless ? .another : .unknown }
      return weekTime.isSame(week, time) ? .same : .another
    }
    draft.timeOfWeek = week ?? draft.timeOfWeek
    draft.runTime = runTime ?? draft.runTime
    if isUntimed { draft.untimed.insert(key) }
    draft.add(record, leapSeconds: weekTime.assumedLeapSeconds)
  }

  /// Compares UTC in whole seconds, of a message without a time of week, with a draft's instant.
  private static func relation(
    of utc: UTCTime, to draft: EpochDraft.Instant, _ weekTime: WeekTime, repeats: Bool
  ) -> Relation {
    let own =
      draft.utc?.nanosecondsOfDay ?? draft.time?.nanoseconds
      ?? draft.timeOfWeek.flatMap { weekTime.timeOfDay($0)?.nanoseconds }
    guard let own else { return .unknown }
    let (second, day, rounding): (Int64, Int64, Int64) = (1_000_000_000, 86_400, 10_000_000)
    let after = (own - utc.nanosecondsOfDay + rounding + day * second) % (day * second)
    return after < second && !repeats ? .same : .another
  }

  private func utc(of record: SolutionRecord) -> UTCTime? {
    guard let week = record.week, let milliseconds = record.timeOfWeekMilliseconds else {
      return nil
    }
    return UTCTime(
      gpsWeek: week, milliseconds: milliseconds, nanoseconds: 0,
      leapSeconds: weekTime.assumedLeapSeconds)
  }
}
