/// What gpsd makes of a cycle of sentences where it differs from what the receiver says.
///
/// gpsd's clients expect gpsd's answer, so its observable rules are followed here, beside our own reading:
/// - Once three, the dimension stays three until the fix is lost. (Receivers tell 2D and 3D by GSA, by an
///   altitude out of enough satellites, or not at all, in any order and not in every cycle.)
/// - It reports with the last sentence that tells its time. A speed that comes later (VTG at the end) is
///   not in the report; one derived from two places is.
/// - Source: behaviour of gpsd 3.22 to 3.26 (`driver_nmea0183.c`), checked against its regression output
///   and against gpsd 3.22 on generated streams.
struct GPSDCycle: Sendable {
  /// gpsd's mode: 0 not heard, 1 none, 2 the place, 3 the altitude as well.
  private typealias Mode = Int
  private static let (notHeard, none, two, three): (Mode, Mode, Mode, Mode) = (0, 1, 2, 3)
  /// Satellites from which an altitude can be solved, and a place at all.
  private static let (forAltitude, forPlace) = (4, 3)

  /// What the sentences of a cycle have said so far.
  private struct Cycle {
    var mode = notHeard
    var hasAltitude = false
    var hasSpeed = false
    var time: TimeOfDay?
  }

  /// The running cycle; it as it was when it last had a time; and the cycle before.
  private var (now, last, old) = (Cycle(), Cycle(), Cycle())
  /// The newest time by which a cycle is known to begin.
  private var newestTime: TimeOfDay?
  private var hasDate = false
  /// The cycle after its last sentence that tells its time: that is when gpsd reports.
  private var reported = Cycle()
  private var lastGGA: (talker: Talker, time: TimeOfDay?)?
  /// A GGA that repeats its time is stale, and so is the GSA after it (Trimble Placer).
  private var isStale = false
  private var used = 0
  private var lastGSA: Talker?
  /// True once a talker other than GPS has sent a GSA: the GPS one is then only a part.
  private var isPartOfMany = false

  /// The dimension that it reports; nil where no sentence of the cycle gave one.
  var dimension: ReceiverEpoch.Dimension? {
    let mode = reported.mode >= Self.two ? reported.mode : now.mode
    return mode >= Self.two ? ReceiverEpoch.Dimension(rawValue: mode) : nil
  }

  /// Whether its report has the receiver's speed.
  var hasSpeed: Bool { reported.hasSpeed }

  /// Takes note of the next sentence.
  mutating func note(_ sentence: NMEASentence, from talker: Talker) {
    if case .gsa = sentence {} else { lastGSA = nil }
    var said: Mode?
    var (givesAltitude, givesSpeed) = (false, false)
    // Whether the sentence's time begins cycles, and whether it counts as the time of the fix.
    var (beginsCycles, givesTime) = (true, true)
    switch sentence {
    case .gga(let gga):
      said = self.said(by: gga, talker)
      if gga.quality == 0, gga.time == nil { hasDate = false }
      givesAltitude = gga.position != nil && gga.altitudeMetres != nil
    case .gns(let gns):
      said = self.said(by: gns)
      givesAltitude = said.map { $0 >= Self.two } == true && gns.altitudeMetres != nil
    case .gll(let gll): said = self.said(by: gll)
    case .rmc(let rmc):
      said = self.said(by: rmc)
      beginsCycles = rmc.isValid == true && rmc.date != nil
      givesTime = beginsCycles
      givesSpeed = rmc.isValid == true && rmc.speedMetresPerSecond != nil
      if beginsCycles { hasDate = true }
      if rmc.isValid != true, rmc.time == nil || rmc.date == nil { forgetTime() }
    case .gsa(let gsa):
      said = self.said(by: gsa, talker)
      (beginsCycles, givesTime) = (false, false)
    case .vtg(let vtg):
      givesSpeed =
        vtg.course != nil && vtg.speedMetresPerSecond != nil && vtg.mode != .notValid
        && vtg.mode != .estimated
      (beginsCycles, givesTime) = (false, false)
    case .gbs: givesTime = false
    case .pgrmz(let pgrmz):
      said = pgrmz.dimension
      givesAltitude = pgrmz.altitudeMetres != nil
      (beginsCycles, givesTime) = (false, false)
    case .pgrmf(let pgrmf):
      if pgrmf.isAutomatic == true { said = pgrmf.dimension }
      (beginsCycles, givesTime) = (false, false)
    case .zda(let zda):
      beginsCycles = false
      givesTime = zda.date != nil
      if givesTime { hasDate = true }
    default: (beginsCycles, givesTime) = (false, false)
    }
    if let mode = said, now.mode == Self.three, mode != Self.none,
      last.hasAltitude || old.hasAltitude
    {
      said = Self.three
    }
    let time = sentence.time
    if beginsCycles, let time {
      if time != newestTime { (now, reported) = (Cycle(), Cycle()) }
      newestTime = time
    }
    if givesTime, hasDate { now.time = time ?? now.time }
    if let said { now.mode = said }
    if givesAltitude { now.hasAltitude = true }
    if givesSpeed { now.hasSpeed = true }
    if beginsCycles, time != nil { reported = now }
    guard let time = now.time else { return }
    if time != last.time { old = last }
    last = now
  }

  /// A receiver without a fix that does not tell the time has none: nor has the cycle.
  private mutating func forgetTime() { (hasDate, now.time) = (false, nil) }

  private mutating func said(by gga: GGA, _ talker: Talker) -> Mode {
    isStale = lastGGA.map { $0.talker == talker && $0.time == gga.time } ?? false
    lastGGA = (talker, gga.time)
    let used = gga.satellitesUsed ?? 0
    guard !isStale, gga.position != nil, used >= Self.forPlace else { return Self.none }
    return gga.altitudeMetres != nil && used >= Self.forAltitude ? Self.three : Self.two
  }

  private func said(by gns: GNS) -> Mode? {
    // "Not valid" is also what receivers print that have no navigational status to tell.
    guard gns.isSafe else { return nil }
    guard let mode = gns.mode, mode > .notValid, gns.position != nil else { return Self.none }
    let isWhole = gns.altitudeMetres != nil && (gns.satellitesUsed ?? 0) >= Self.forAltitude
    return isWhole ? Self.three : Self.two
  }

  private func said(by rmc: RMC) -> Mode {
    guard rmc.isValid == true else { return Self.none }
    if used >= Self.forAltitude || now.hasAltitude { return Self.three }
    guard rmc.position != nil else { return Self.none }
    return last.mode == Self.three ? Self.three : Self.two
  }

  private func said(by gll: GLL) -> Mode {
    guard gll.isValid == true, gll.mode != .notValid, gll.position != nil else { return Self.none }
    if used >= Self.forAltitude || now.hasAltitude { return Self.three }
    return now.mode < Self.two || !old.hasAltitude ? Self.two : Self.notHeard
  }

  private mutating func said(by gsa: GSA, _ talker: Talker) -> Mode? {
    guard !isStale else { return nil }
    if lastGSA == nil || (lastGSA == talker && !talker.joinsSystems) { used = 0 }
    lastGSA = talker
    used += gsa.count
    if talker.constellation != .gps { isPartOfMany = true }
    return isPartOfMany && talker.constellation == .gps ? nil : gsa.dimension
  }
}
