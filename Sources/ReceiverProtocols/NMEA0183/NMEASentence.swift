/// A sentence whose meaning is known here. To add one: a case here, a row in `SentenceType`.
public enum NMEASentence: Equatable, Sendable {
  /// Time, place, quality.
  case gga(GGA)
  /// Time, place, a mode for each system.
  case gns(GNS)
  /// Place and time.
  case gll(GLL)
  /// Recommended minimum.
  case rmc(RMC)
  /// Solution and satellites used.
  case gsa(GSA)
  /// Satellites in view.
  case gsv(GSV)
  /// Course and speed.
  case vtg(VTG)
  /// Date and time.
  case zda(ZDA)
  /// Error estimates.
  case gst(GST)
  /// Compass heading with corrections.
  case hdg(HDG)
  /// True heading.
  case hdt(HDT)
  /// Magnetic heading.
  case hdm(HDM)
  /// Rate of turn.
  case rot(ROT)

  /// The time of day that the sentence carries.
  public var time: TimeOfDay? {
    switch self {
    case .gga(let s): s.time
    case .gns(let s): s.time
    case .gll(let s): s.time
    case .rmc(let s): s.time
    case .zda(let s): s.time
    case .gst(let s): s.time
    case .gsa, .gsv, .vtg, .hdg, .hdt, .hdm, .rot: nil
    }
  }
}

/// The message table.
enum SentenceType: UInt8, CaseIterable {
  case gga, gns, gll, rmc, gsa, gsv, vtg, zda, gst, hdg, hdt, hdm, rot

  /// The three letters after the talker.
  private var name: StaticString {
    switch self {
    case .gga: "GGA"
    case .gns: "GNS"
    case .gll: "GLL"
    case .rmc: "RMC"
    case .gsa: "GSA"
    case .gsv: "GSV"
    case .vtg: "VTG"
    case .zda: "ZDA"
    case .gst: "GST"
    case .hdg: "HDG"
    case .hdt: "HDT"
    case .hdm: "HDM"
    case .rot: "ROT"
    }
  }

  /// Fields after the address: below the first the sentence is malformed, and without a checksum it
  /// must have the second, or it may have been cut.
  private var fieldCounts: (least: Int, whole: Int) {
    switch self {
    case .gga: (9, 14)
    case .gns: (9, 12)
    case .gll: (4, 6)
    case .rmc: (9, 11)
    case .gsa: (17, 17)
    case .gsv: (3, 3)
    case .vtg: (4, 8)
    case .zda: (4, 6)
    case .gst: (8, 8)
    case .hdg: (1, 5)
    case .hdt, .hdm, .rot: (1, 2)
    }
  }

  /// Looks the letters up.
  init?(_ a: UInt8, _ b: UInt8, _ c: UInt8) {
    for type in Self.allCases {
      let name = type.name.utf8Start
      if name[0] == a, name[1] == b, name[2] == c {
        self = type
        return
      }
    }
    return nil
  }

  /// Reads the fields.
  func decode(
    _ fields: inout SentenceFields, isChecked: Bool
  ) throws(SentenceRejection) -> NMEASentence {
    let count = fields.remaining
    guard count >= fieldCounts.least else { throw .malformed }
    guard isChecked || count >= fieldCounts.whole else { throw .missingChecksum }
    switch self {
    case .gga: return .gga(GGA(&fields))
    case .gns: return .gns(GNS(&fields))
    case .gll: return .gll(GLL(&fields))
    case .rmc: return .rmc(RMC(&fields))
    case .gsa: return .gsa(GSA(&fields))
    case .gsv: return .gsv(try GSV(&fields))
    case .vtg: return .vtg(VTG(&fields))
    case .zda: return .zda(ZDA(&fields))
    case .gst: return .gst(GST(&fields))
    case .hdg: return .hdg(HDG(&fields))
    case .hdt: return .hdt(HDT(&fields))
    case .hdm: return .hdm(HDM(&fields))
    case .rot: return .rot(ROT(&fields))
    }
  }
}

extension NMEASentence {
  var type: SentenceType {
    switch self {
    case .gga: .gga
    case .gns: .gns
    case .gll: .gll
    case .rmc: .rmc
    case .gsa: .gsa
    case .gsv: .gsv
    case .vtg: .vtg
    case .zda: .zda
    case .gst: .gst
    case .hdg: .hdg
    case .hdt: .hdt
    case .hdm: .hdm
    case .rot: .rot
    }
  }
}
