/// gpsd's result for a cycle of sentences, where it differs from the receiver's own values.
///
/// gpsd's clients expect gpsd's values, so its observable rules are reproduced beside
/// `EpochAssembler`:
/// - Once three, the dimension stays three until the fix is lost. (Receivers indicate 2D and 3D by
///   GSA, by an altitude from enough satellites, or not at all, in any order and not in every
///   cycle.)
/// - gpsd reports with the last sentence that has a time. A speed that comes later (VTG at the end)
///   is not in the report; gpsd derives one from two positions instead.
/// - Source: behaviour of gpsd 3.22 to 3.26 (`driver_nmea0183.c`), checked against its regression
///   output and against gpsd 3.22 on generated streams.
struct GPSDCycle: Sendable {
  /// gpsd's mode: 0 not received, 1 no fix, 2 position, 3 position and altitude.
  private typealias Mode = Int
  private static let (notReceived, none, two, three): (Mode, Mode, Mode, Mode) = (0, 1, 2, 3)
  /// Fewest satellites for a solution with an altitude and for one without.
  private static let (forAltitude, forPlace) = (4, 3)

  /// The values of a cycle's sentences so far.
  private struct Cycle {
    var mode = notReceived
    var hasAltitude = false
    var hasSpeed = false
    var time: TimeOfDay?
  }

  /// The current cycle, its state at its last sentence with a time, and the cycle before.
  private var (now, last, old) = (Cycle(), Cycle(), Cycle())
  /// The newest time that has begun a cycle.
  private var newestTime: TimeOfDay?
  private var hasDate = false
  /// The cycle after its last sentence with a time, which is when gpsd reports.
  private var reported = Cycle()
  private var lastGGA: (talker: Talker, time: TimeOfDay?)?
  /// True after a GGA that repeats its time: it and the following GSA are stale (Trimble Placer).
  private var isStale = false
  private var used = 0
  private var lastGSA: Talker?
  /// True once a talker other than GPS has sent a GSA: the GSA of GPS then covers only a part.
  private var isPartOfMany = false

  /// The dimension that gpsd reports; nil where no sentence of the cycle contains one.
  var dimension: ReceiverEpoch.Dimension? {
    let mode = reported.mode >= Self.two ? reported.mode : now.mode
    return mode >= Self.two ? ReceiverEpoch.Dimension(rawValue: mode) : nil
  }

  /// True where gpsd's report contains the receiver's speed.
  var hasSpeed: Bool { reported.hasSpeed }

  /// Adds the next sentence and its time, which may be corrected.
  mutating func add(
    _ sentence: NMEASentence, _ type: SentenceType, from talker: Talker, at time: TimeOfDay?
  ) {
    if type != .gsa { lastGSA = nil }
    // GSV, the most frequent sentence, does not depend on the cycle.
    guard type != .gsv else { return keepNewest() }
    var reportedMode: Mode?
    var (givesAltitude, givesSpeed) = (false, false)
    // Whether the sentence's time begins a cycle, and whether it counts as the time of the fix.
    var (beginsCycles, givesTime) = (true, true)
    switch sentence {
    case .gga(let gga):
      reportedMode = mode(of: gga, talker)
      if gga.quality == 0, gga.time == nil { hasDate = false }
      givesAltitude = gga.position != nil && gga.altitudeMetres != nil
    case .gns(let gns):
      reportedMode = mode(of: gns)
      givesAltitude = reportedMode.map { $0 >= Self.two } == true && gns.altitudeMetres != nil
    case .gll(let gll): reportedMode = mode(of: gll)
    case .rmc(let rmc):
      reportedMode = mode(of: rmc)
      beginsCycles = rmc.isValid == true && rmc.date != nil
      givesTime = beginsCycles
      givesSpeed = rmc.isValid == true && rmc.speedMetresPerSecond != nil
      if beginsCycles { hasDate = true }
      if rmc.isValid != true, rmc.time == nil || rmc.date == nil { clearTime() }
    case .gsa(let gsa):
      reportedMode = mode(of: gsa, talker)
      (beginsCycles, givesTime) = (false, false)
    case .vtg(let vtg):
      givesSpeed =
        vtg.course != nil && vtg.speedMetresPerSecond != nil && vtg.mode != .notValid
        && vtg.mode != .estimated
      (beginsCycles, givesTime) = (false, false)
    case .gbs: givesTime = false
    case .pgrmz(let pgrmz):
      reportedMode = pgrmz.dimension
      givesAltitude = pgrmz.altitudeMetres != nil
      (beginsCycles, givesTime) = (false, false)
    case .pgrmf(let pgrmf):
      if pgrmf.isAutomatic == true { reportedMode = pgrmf.dimension }
      (beginsCycles, givesTime) = (false, false)
    case .zda(let zda):
      beginsCycles = false
      givesTime = zda.date != nil
      if givesTime { hasDate = true }
    default: (beginsCycles, givesTime) = (false, false)
    }
    if let mode = reportedMode, now.mode == Self.three, mode != Self.none,
      last.hasAltitude || old.hasAltitude
    {
      reportedMode = Self.three
    }
    if beginsCycles, let time {
      if time != newestTime { (now, reported) = (Cycle(), Cycle()) }
      newestTime = time
    }
    if givesTime, hasDate { now.time = time ?? now.time }
    if let reportedMode { now.mode = reportedMode }
    if givesAltitude { now.hasAltitude = true }
    if givesSpeed { now.hasSpeed = true }
    if beginsCycles, time != nil { reported = now }
    keepNewest()
  }

  private mutating func keepNewest() {
    guard let time = now.time else { return }
    if time != last.time { old = last }
    last = now
  }

  /// Clears the cycle's time: a receiver without a fix and without a time has lost its time.
  private mutating func clearTime() { (hasDate, now.time) = (false, nil) }

  private mutating func mode(of gga: GGA, _ talker: Talker) -> Mode {
    isStale = lastGGA.map { $0.talker == talker && $0.time == gga.time } ?? false
    lastGGA = (talker, gga.time)
    let used = gga.satellitesUsed ?? 0
    guard !isStale, gga.position != nil, used >= Self.forPlace else { return Self.none }
    return gga.altitudeMetres != nil && used >= Self.forAltitude ? Self.three : Self.two
  }

  private func mode(of gns: GNS) -> Mode? {
    // Receivers without a navigational status also send "not valid".
    guard gns.isSafe else { return nil }
    guard let mode = gns.mode, mode > .notValid, gns.position != nil else { return Self.none }
    let isWhole = gns.altitudeMetres != nil && (gns.satellitesUsed ?? 0) >= Self.forAltitude
    return isWhole ? Self.three : Self.two
  }

  private func mode(of rmc: RMC) -> Mode {
    guard rmc.isValid == true else { return Self.none }
    if used >= Self.forAltitude || now.hasAltitude { return Self.three }
    guard rmc.position != nil else { return Self.none }
    return last.mode == Self.three ? Self.three : Self.two
  }

  private func mode(of gll: GLL) -> Mode {
    guard gll.isValid == true, gll.mode != .notValid, gll.position != nil else { return Self.none }
    if used >= Self.forAltitude || now.hasAltitude { return Self.three }
    return now.mode < Self.two || !old.hasAltitude ? Self.two : Self.notReceived
  }

  private mutating func mode(of gsa: GSA, _ talker: Talker) -> Mode? {
    guard !isStale else { return nil }
    if lastGSA == nil || (lastGSA == talker && !talker.joinsSystems) { used = 0 }
    lastGSA = talker
    used += gsa.count
    if talker.constellation != .gps { isPartOfMany = true }
    return isPartOfMany && talker.constellation == .gps ? nil : gsa.dimension
  }
}
