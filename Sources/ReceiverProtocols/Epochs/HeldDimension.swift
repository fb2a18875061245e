/// The dimension of the solution as gpsd tells it: once three, it stays three until the fix is lost.
///
/// Receivers tell 2D and 3D by GSA, by an altitude out of enough satellites, or not at all, in any order
/// and not in every cycle. gpsd's clients expect gpsd's answer, so its observable rules are followed here
/// and told as `ReceiverEpoch.heldDimension`, beside what the receiver said of this very instant.
/// - Source: behaviour of gpsd 3.22 to 3.26 (`driver_nmea0183.c`), checked against its regression output.
struct HeldDimension: Sendable {
  /// gpsd's mode: 0 not heard, 1 none, 2 the place, 3 the altitude as well.
  private typealias Mode = Int
  private static let (notHeard, none, two, three): (Mode, Mode, Mode, Mode) = (0, 1, 2, 3)
  /// Satellites from which an altitude can be solved, and a place at all.
  private static let (forAltitude, forPlace) = (4, 3)

  private var mode = notHeard
  /// The mode after the cycle's last sentence that bears a time: that is when gpsd reports.
  private var reported = notHeard
  /// Whether this cycle and the one before had an altitude.
  private var (hasAltitude, hadAltitude) = (false, false)
  private var lastGGA: (talker: Talker, time: TimeOfDay?)?
  /// A GGA that repeats its time is stale, and so is the GSA after it (Trimble Placer).
  private var isStale = false
  private var used = 0
  private var lastGSA: Talker?
  /// True once a talker other than GPS has sent a GSA: the GPS one is then only a part.
  private var isPartOfMany = false

  /// The dimension to report; nil where no sentence of the cycle gave one.
  var value: ReceiverEpoch.Dimension? {
    ReceiverEpoch.Dimension(rawValue: max(reported, Self.none)).flatMap { $0 == .none ? nil : $0 }
      ?? (mode >= Self.two ? ReceiverEpoch.Dimension(rawValue: mode) : nil)
  }

  /// Takes note of a sentence; `beginsCycle` where another instant begins with it.
  mutating func note(_ sentence: NMEASentence, from talker: Talker, beginsCycle: Bool) {
    if case .gsa = sentence {} else { lastGSA = nil }
    var said: Mode?
    var givesAltitude = false
    var bearsTime = true
    switch sentence {
    case .gga(let gga):
      said = self.said(by: gga, talker)
      givesAltitude = gga.position != nil && gga.altitudeMetres != nil
    case .gns(let gns):
      said = self.said(by: gns)
      givesAltitude = said.map { $0 >= Self.two } == true && gns.altitudeMetres != nil
    case .gll(let gll): said = self.said(by: gll)
    case .rmc(let rmc): said = self.said(by: rmc)
    case .gsa(let gsa):
      said = self.said(by: gsa, talker)
      bearsTime = false
    default: bearsTime = false
    }
    if let mode = said, self.mode == Self.three, mode != Self.none, hasAltitude || hadAltitude {
      said = Self.three
    }
    if beginsCycle {
      (hadAltitude, hasAltitude, mode, reported) = (
        hasAltitude, false, Self.notHeard, Self.notHeard
      )
    }
    if let said { mode = said }
    if givesAltitude { hasAltitude = true }
    if bearsTime { reported = mode }
  }

  private mutating func said(by gga: GGA, _ talker: Talker) -> Mode {
    isStale = lastGGA.map { $0.talker == talker && $0.time == gga.time } ?? false
    lastGGA = (talker, gga.time)
    let used = gga.satellitesUsed ?? 0
    guard !isStale, gga.position != nil, used >= Self.forPlace else { return Self.none }
    return gga.altitudeMetres != nil && used >= Self.forAltitude ? Self.three : Self.two
  }

  private func said(by gns: GNS) -> Mode {
    guard let mode = gns.mode, mode > .notValid, gns.position != nil else { return Self.none }
    let isWhole = gns.altitudeMetres != nil && (gns.satellitesUsed ?? 0) >= Self.forAltitude
    return isWhole ? Self.three : Self.two
  }

  private func said(by rmc: RMC) -> Mode {
    guard rmc.isValid == true else { return Self.none }
    if used >= Self.forAltitude || hasAltitude { return Self.three }
    guard rmc.position != nil else { return Self.none }
    return mode == Self.three ? Self.three : Self.two
  }

  private func said(by gll: GLL) -> Mode {
    guard gll.isValid == true, gll.mode != .notValid, gll.position != nil else { return Self.none }
    if used >= Self.forAltitude || hasAltitude { return Self.three }
    return mode < Self.two || !hadAltitude ? Self.two : mode
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
