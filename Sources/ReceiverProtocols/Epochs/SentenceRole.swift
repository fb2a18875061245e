/// What a sentence contributes to an epoch.
enum SentenceRole {
  /// A position, with the time where the receiver knows it.
  case fix
  /// Motion or time.
  case motion
  /// An estimate of errors, with the time of its fix.
  case estimate
  /// Wind, water or weather.
  case environment
  /// Additional data; a sentence of this role alone makes no epoch.
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
