/// A standard or proprietary type of sentence.
enum SentenceKind: Equatable, Sendable {
  case standard(SentenceType)
  case proprietary(ProprietaryType)

  /// A unique number below 64.
  var number: UInt8 {
    switch self {
    case .standard(let type): type.rawValue
    case .proprietary(let type): UInt8(SentenceType.allCases.count) + type.rawValue
    }
  }

  /// A mask with the bit of that number.
  var bit: UInt64 { 1 << UInt64(number) }

  /// Reads the fields.
  func decode(
    _ fields: inout SentenceFields, isChecked: Bool
  ) throws(SentenceRejection) -> NMEASentence {
    switch self {
    case .standard(let type): try type.decode(&fields, isChecked: isChecked)
    case .proprietary(let type): try type.decode(&fields, isChecked: isChecked)
    }
  }
}

extension NMEASentence {
  var kind: SentenceKind {
    switch self {
    case .gga: .standard(.gga)
    case .gns: .standard(.gns)
    case .gll: .standard(.gll)
    case .rmc: .standard(.rmc)
    case .gsa: .standard(.gsa)
    case .gsv: .standard(.gsv)
    case .vtg: .standard(.vtg)
    case .zda: .standard(.zda)
    case .gst: .standard(.gst)
    case .hdg: .standard(.hdg)
    case .hdt: .standard(.hdt)
    case .hdm: .standard(.hdm)
    case .rot: .standard(.rot)
    case .gbs: .standard(.gbs)
    case .ths: .standard(.ths)
    case .htc: .standard(.htc)
    case .htd: .standard(.htd)
    case .xdr: .standard(.xdr)
    case .vhw: .standard(.vhw)
    case .vlw: .standard(.vlw)
    case .vbw: .standard(.vbw)
    case .vdr: .standard(.vdr)
    case .mwv: .standard(.mwv)
    case .mwd: .standard(.mwd)
    case .vwr: .standard(.vwr)
    case .vwt: .standard(.vwt)
    case .mda: .standard(.mda)
    case .mtw: .standard(.mtw)
    case .mta: .standard(.mta)
    case .mmb: .standard(.mmb)
    case .mhu: .standard(.mhu)
    case .dbt: .standard(.dbt)
    case .dbk: .standard(.dbk)
    case .dbs: .standard(.dbs)
    case .dpt: .standard(.dpt)
    case .pashr: .proprietary(.pashr)
    case .ptnthpr: .proprietary(.ptnthpr)
    case .ptnthtm: .proprietary(.ptnthtm)
    case .pubx00: .proprietary(.pubx00)
    case .pubx04: .proprietary(.pubx04)
    case .pgrme: .proprietary(.pgrme)
    case .pgrmz: .proprietary(.pgrmz)
    case .pgrmf: .proprietary(.pgrmf)
    case .pgrmm: .proprietary(.pgrmm)
    case .pgrmv: .proprietary(.pgrmv)
    case .pashrpos: .proprietary(.pashrpos)
    case .pashrsat: .proprietary(.pashrsat)
    case .pubx03: .proprietary(.pubx03)
    case .psrfepe: .proprietary(.psrfepe)
    case .psxn20: .proprietary(.psxn20)
    case .psxn23: .proprietary(.psxn23)
    case .phtro: .proprietary(.phtro)
    case .phinf: .proprietary(.phinf)
    case .pfecgpatt: .proprietary(.pfecgpatt)
    case .pfecgphve: .proprietary(.pfecgphve)
    case .prdid: .proprietary(.prdid)
    case .psathpr: .proprietary(.psathpr)
    }
  }
}
