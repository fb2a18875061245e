import Quantities
import RealModule

/// Joins the sentences of one instant, in whatever order the receiver sends them.
///
/// Another time of day closes an epoch; so does the sentence that `CycleEnd` has learnt to be the last,
/// so that a live position is not one epoch late. Sentences without a time belong to the open epoch, or
/// after a foretold end to the next.
public struct EpochAssembler: Sendable {
  private var draft: EpochDraft?
  /// The epoch that a foretold end closed, until the next instant begins: more of it may come.
  private var reported: EpochDraft?
  private var number: Int64 = 0
  private var cycle = CycleEnd()
  private var dates: DateKeeper
  private var sky = SkyCollector()
  /// What GSA said last; receivers send it less often than positions.
  private var solution: ReceiverEpoch.Dimension?
  private var hadAltitude = false
  private var previous: (utc: UTCTime, position: GeodeticPosition, altitude: Double?)?

  /// Makes an assembler.
  /// - Parameter notBefore: a day before which the stream cannot be, for instance the program's own;
  ///   earlier dates are moved by 1024 weeks until they are not. Nil leaves dates as they are.
  public init(notBefore: CivilDate? = nil) { dates = DateKeeper(notBefore: notBefore) }

  /// Takes a sentence and calls `body` with what it completes.
  ///
  /// `timestamp` is when the sentence's first byte came in; an epoch bears that of its first sentence.
  public mutating func add(
    _ sentence: NMEASentence, from talker: Talker, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    let key = SentenceKey(sentence, talker)
    if let time = sentence.time, let told = reported {
      if time == told.time {
        // The instant that was reported goes on: the end was foretold wrongly.
        cycle.wasWrong()
        draft = told
        draft?.epoch.isRevision = true
      } else {
        cycle.cycleEnded(early: true)
      }
      reported = nil
    } else if beginsCycle(sentence, key) {
      report(body)
      cycle.cycleEnded(early: false)
      // What was told before this epoch cannot be revised behind it.
      (draft, reported) = (nil, nil)
    }
    if draft == nil {
      draft = EpochDraft(timestamp: timestamp)
      number += 1
    }
    take(sentence, key, timestamp, body)
    if cycle.note(key), reported == nil {
      report(body)
      reported = draft
      draft = nil
    }
  }

  /// Reports the open epoch: the line has fallen silent, so its instant is over. Should more of it come
  /// after all, it is reported again as a revision.
  public mutating func lineFellSilent(_ body: (ReceiverReport) -> Void) {
    guard draft != nil, reported == nil else { return }
    report(body)
    cycle.cycleEnded(early: false)
    reported = draft
    draft = nil
  }

  /// Closes the last epoch: the stream has ended.
  public mutating func finish(_ body: (ReceiverReport) -> Void) {
    report(body)
    (draft, reported) = (nil, nil)
  }

  private func beginsCycle(_ sentence: NMEASentence, _ key: SentenceKey) -> Bool {
    guard let draft else { return false }
    if let time = sentence.time, let open = draft.time { return time != open }
    // Without a time, a position sentence that comes again is the next cycle's.
    return sentence.isOfPosition && sentence.time == nil && draft.untimed.contains(key)
  }

  private mutating func take(
    _ sentence: NMEASentence, _ key: SentenceKey, _ timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    guard var draft else { return }
    self.draft = nil
    defer { self.draft = draft }
    if let time = sentence.time { draft.time = time }
    if sentence.isOfPosition {
      draft.hasContent = true
      if sentence.time == nil { draft.untimed.append(key) }
    }
    switch sentence {
    case .gga(let s): draft.add(s)
    case .gns(let s): draft.add(s)
    case .gll(let s): draft.add(s)
    case .rmc(let s): draft.add(s)
    case .vtg(let s): draft.add(s)
    case .zda(let s): draft.date = s.date ?? draft.date
    case .gst(let s): draft.add(s)
    case .gsa(let s):
      draft.add(s)
      if let dimension = s.dimension { solution = ReceiverEpoch.Dimension(rawValue: dimension) }
      sky.add(s, from: key.talker, epoch: number)
    case .gsv(let s): sky.add(s, from: key.talker)
    case .hdg(let s):
      draft.epoch.magneticVariation = s.variation ?? draft.epoch.magneticVariation
      heading(s.trueHeading, s.magneticHeading)
    case .hdt(let s): heading(s.heading, nil)
    case .hdm(let s): heading(nil, s.heading)
    case .rot(let s):
      guard let rate = s.rateOfTurn else { break }
      // A rate alone is of little use: the heading of the same cycle goes along.
      body(
        .heading(
          HeadingReport(
            timestamp: timestamp, trueHeading: draft.epoch.trueHeading,
            magneticHeading: draft.epoch.magneticHeading, rateOfTurn: rate)))
    }

    func heading(_ trueHeading: TrueHeading?, _ magneticHeading: MagneticHeading?) {
      guard trueHeading != nil || magneticHeading != nil else { return }
      draft.epoch.trueHeading = trueHeading ?? draft.epoch.trueHeading
      draft.epoch.magneticHeading = magneticHeading ?? draft.epoch.magneticHeading
      body(
        .heading(
          HeadingReport(
            timestamp: timestamp, trueHeading: trueHeading, magneticHeading: magneticHeading)))
    }
  }

  private mutating func report(_ body: (ReceiverReport) -> Void) {
    guard var draft, draft.hasContent else { return }
    if draft.hasFix {
      if draft.epoch.fix.altitudeMetres != nil { hadAltitude = true }
    } else {
      (solution, hadAltitude) = (nil, false)
    }
    draft.epoch.fix.utc = draft.time.flatMap { dates.instant($0, date: draft.date) }
    draft.settle(dimension: dimension(of: draft.epoch.fix))
    derive(&draft.epoch)
    draft.epoch.sky = sky.take()
    body(.epoch(draft.epoch))
  }

  /// Of a valid place: GSA's word where it says three; three as well with an altitude out of four
  /// satellites or more, for receivers with several systems say two of each while the whole is three
  /// (Telit PLS83), and GSA comes late (SiRF). Neither an altitude nor GSA is in every cycle.
  private func dimension(of fix: Fix) -> ReceiverEpoch.Dimension {
    if solution == .three { return .three }
    let fewest = 4
    if fix.altitudeMetres != nil, let used = fix.satellitesUsed, used >= fewest { return .three }
    if solution == .two { return .two }
    return hadAltitude ? .three : .two
  }

  private mutating func derive(_ epoch: inout ReceiverEpoch) {
    guard let utc = epoch.fix.utc, let position = epoch.fix.position else { return }
    defer { previous = (utc, position, epoch.fix.altitudeMetres) }
    guard let previous else { return }
    let elapsed = utc.seconds(since: previous.utc)
    // Beyond this the way between the two places is no longer a motion of this instant.
    let longest = 10.0
    guard elapsed > 0, elapsed <= longest else { return }
    if epoch.fix.speedMetresPerSecond == nil {
      epoch.derivedSpeedMetresPerSecond =
        EllipsoidArc.metres(from: previous.position, to: position) / elapsed
    }
    if let now = epoch.fix.altitudeMetres, let before = previous.altitude {
      epoch.derivedClimbMetresPerSecond = (now - before) / elapsed
    }
  }
}

extension NMEASentence {
  /// True of sentences that are about a place, its motion or its time.
  fileprivate var isOfPosition: Bool {
    switch self {
    case .gga, .gns, .gll, .rmc, .vtg, .zda, .gst: true
    case .gsa, .gsv, .hdg, .hdt, .hdm, .rot: false
    }
  }
}

/// Distance between places so near that the ellipsoid between them is flat.
enum EllipsoidArc {
  /// WGS-84 equatorial radius and first eccentricity squared.
  /// - Source: NIMA TR8350.2, table 3.1 and 3.3.
  private static let (equatorialMetres, eccentricitySquared) = (6_378_137.0, 6.694_379_990_14e-3)

  static func metres(from a: GeodeticPosition, to b: GeodeticPosition) -> Double {
    let middle = (a.latitude.radians + b.latitude.radians) / 2
    let (sine, cosine) = (Double.sin(middle), Double.cos(middle))
    let w = 1 - eccentricitySquared * sine * sine
    let transverse = equatorialMetres / w.squareRoot()
    let meridional = transverse * (1 - eccentricitySquared) / w
    let north = (b.latitude - a.latitude).radians * meridional
    let east = (b.longitude - a.longitude).wrappedToHalfTurn.radians * transverse * cosine
    return (north * north + east * east).squareRoot()
  }
}
