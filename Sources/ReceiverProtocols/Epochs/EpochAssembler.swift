import Quantities

/// Joins the messages of one instant, in whatever order the receiver sends them.
///
/// Another time of day, or GPS time of week, closes an epoch; so does the message that `CycleEnd` has
/// learnt to be the last, so that a live position is not one epoch late. Messages without a time belong to
/// the open epoch, or after a foretold end to the next.
public struct EpochAssembler: Sendable {
  /// When the messages come in that a decoder hands over.
  var now = Timestamp(nanoseconds: 0)
  var draft = EpochDraft(timestamp: Timestamp(nanoseconds: 0))
  private var isOpen = false
  /// The epoch that a foretold end closed, until the next instant begins: more of it may come.
  private var told = EpochDraft(timestamp: Timestamp(nanoseconds: 0))
  private var hasTold = false
  /// Counts epochs.
  private(set) var number: Int64 = 0
  private var cycle = CycleEnd()
  private var dates: DateKeeper
  var sky = SkyCollector()
  var weekTime = WeekTime()
  /// What GSA said last; receivers send it less often than positions.
  var solution: ReceiverEpoch.Dimension?
  private var hadAltitude = false
  var gpsd = GPSDCycle()
  /// Time of week that the high-rate solution has reached.
  var newestHighRate: UInt32?
  /// Where the receiver was at the newest instant, and at the one before.
  private var (last, old): (Place?, Place?)
  private struct Place {
    let utc: UTCTime
    let position: GeodeticPosition
    let (altitude, height): (Double?, Double?)
  }

  /// Makes an assembler.
  /// - Parameter notBefore: a day before which the stream cannot be, for instance the program's own;
  ///   earlier dates are moved by 1024 weeks until they are not. Nil leaves dates as they are.
  public init(notBefore: CivilDate? = nil) { dates = DateKeeper(notBefore: notBefore) }

  /// Takes a message and calls `body` with what it completes.
  ///
  /// `timestamp` is when the message's first byte came in; an epoch bears that of its first message.
  public mutating func add(
    _ message: ReceiverMessage, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    switch message {
    case .sentence(let sentence, let talker): add(sentence, from: talker, at: timestamp, body)
    case .ubx(let message, let type): add(message, type: type, at: timestamp, body)
    case .rtcm3, .rejected: break
    }
  }

  /// Reports the open epoch: the line has fallen silent, so its instant is over. Should more of it come
  /// after all, it is reported again as a revision.
  public mutating func lineFellSilent(_ body: (ReceiverReport) -> Void) {
    guard isOpen, !hasTold else { return }
    cycle.cycleEnded(early: false)
    tell(body)
  }

  /// Closes the last epoch: the stream has ended.
  public mutating func finish(_ body: (ReceiverReport) -> Void) {
    report(body)
    (isOpen, hasTold) = (false, false)
  }

  // MARK: Beginning and end of an epoch

  /// How a message's instant lies to another's.
  enum Relation { case same, another, unknown }

  /// Makes the draft that of the message's instant: closes the one before where another begins.
  ///
  /// `relation` is that of the message's instant to a draft's; `repeats` is true where the message's kind says
  /// that a cycle begins anew, though it has no time.
  mutating func enter(
    _ timestamp: Timestamp, repeats: Bool, _ body: (ReceiverReport) -> Void,
    relation: (EpochDraft) -> Relation
  ) {
    let toTold = hasTold ? relation(told) : .unknown
    if hasTold, toTold != .unknown {
      hasTold = false
      if toTold == .same {
        // The instant that was reported goes on: the end was foretold wrongly.
        cycle.wasWrong()
        if isOpen { told.absorb(draft) }
        (draft, isOpen) = (told, true)
        draft.epoch.isRevision = draft.isReported
      } else {
        cycle.cycleEnded(early: true)
        // What came since without a time may be the old instant's tail: that it comes again means nothing.
        draft.untimed = MessageKeys()
      }
    } else if isOpen, relation(draft) == .another || (relation(draft) == .unknown && repeats) {
      report(body)
      cycle.cycleEnded(early: false)
      // What was told before this epoch cannot be revised behind it.
      (isOpen, hasTold) = (false, false)
    }
    if !isOpen {
      // A told epoch without a time cannot be told from the next one.
      if told.time == nil, told.timeOfWeek == nil { hasTold = false }
      draft = EpochDraft(timestamp: timestamp)
      isOpen = true
      number += 1
    }
  }

  /// Takes note that the message of this key is in; reports where it is the cycle's last.
  mutating func leave(_ key: MessageKey, isLast: Bool = false, _ body: (ReceiverReport) -> Void) {
    let foretold = cycle.note(key)
    if foretold || isLast, !hasTold { tell(body) }
  }

  private mutating func tell(_ body: (ReceiverReport) -> Void) {
    report(body)
    (told, hasTold, isOpen) = (draft, true, false)
  }

  /// True while an epoch is open; what is not about an instant does not open one.
  var hasOpenEpoch: Bool { isOpen }

  // MARK: The report

  private mutating func report(_ body: (ReceiverReport) -> Void) {
    guard isOpen, draft.hasContent, !isOvertaken else { return }
    var draft = self.draft
    // The sky's memory is used again once the report is let go: no draft may keep it.
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
    draft.settle(
      dimension: dimension, held: draft.solution == nil ? gpsd.dimension ?? dimension : dimension)
    draft.epoch.isSpeedLate = draft.solution == nil && !gpsd.hasSpeed
    draft.epoch.leapSeconds = weekTime.leapSeconds
    derive(&draft.epoch)
    draft.epoch.sky = sky.take()
    body(.epoch(draft.epoch))
  }

  /// True of an ordinary solution that comes after the high-rate one has told its instant.
  private var isOvertaken: Bool {
    guard let newest = newestHighRate, let week = draft.timeOfWeek, !draft.isHighRate else {
      return false
    }
    // Farther back it is another week, or the high rate has been switched off.
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

  /// Of a valid place: a UBX solution's word; GSA's where it says three; three as well with an altitude
  /// out of four satellites or more, for receivers with several systems say two of each while the whole
  /// is three (Telit PLS83), and GSA comes late (SiRF). Neither an altitude nor GSA is in every cycle.
  private func dimension(of draft: EpochDraft) -> ReceiverEpoch.Dimension {
    if let solution = draft.solution { return solution }
    if solution == .three { return .three }
    let (fix, fewest) = (draft.epoch.fix, 4)
    if fix.altitudeMetres != nil, let used = fix.satellitesUsed, used >= fewest { return .three }
    if solution == .two { return .two }
    return hadAltitude ? .three : .two
  }

  private mutating func derive(_ epoch: inout ReceiverEpoch) {
    guard let utc = epoch.fix.utc, let position = epoch.fix.position else { return }
    let (altitude, height) = (epoch.printedAltitudeMetres, epoch.printedHeightMetres)
    // A revision is of the instant that is there already.
    if last?.utc != utc {
      old = last
      last = Place(utc: utc, position: position, altitude: altitude, height: height)
    }
    guard let previous = old else { return }
    let elapsed = utc.seconds(since: previous.utc)
    guard elapsed > 0 else { return }
    if epoch.fix.speedMetresPerSecond == nil || epoch.isSpeedLate {
      epoch.derivedSpeedMetresPerSecond =
        WGS84.metres(from: previous.position, to: position) / elapsed
    }
    guard epoch.fix.verticalSpeedMetresPerSecond == nil else { return }
    // Like from like: a receiver tells its geoid separation in some cycles only.
    if let altitude, let before = previous.altitude {
      epoch.derivedClimbMetresPerSecond = (altitude - before) / elapsed
    } else if let height, let before = previous.height {
      epoch.derivedClimbMetresPerSecond = (height - before) / elapsed
    }
  }
}
