import Quantities

/// What decides where a sentence belongs. It is read once: each switch over a sentence copies it.
struct SentenceOutline {
  let type: SentenceType
  /// The time of day of its fix.
  private(set) var time: TimeOfDay?
  /// The position of GGA, GNS, GLL and RMC.
  private(set) var place: GeodeticPosition?
  /// False for the parts of a GSV group before the last.
  private(set) var isLastPart = true

  /// Whether its type is one of those that have a position and a time.
  var isPosition: Bool {
    switch type {
    case .gga, .gns, .gll, .rmc: true
    default: false
    }
  }

  /// What the sentence contributes to an epoch.
  let role: SentenceRole

  init(_ sentence: NMEASentence, _ type: SentenceType) {
    (self.type, role) = (type, type.row.role)
    switch sentence {
    case .gga(let s): (time, place) = (s.time, s.position)
    case .gns(let s): (time, place) = (s.time, s.position)
    case .gll(let s): (time, place) = (s.time, s.position)
    case .rmc(let s): (time, place) = (s.time, s.position)
    case .gsv(let s): isLastPart = s.part == s.parts
    default: if role.mayHaveTime { time = sentence.time }
    }
  }
}
