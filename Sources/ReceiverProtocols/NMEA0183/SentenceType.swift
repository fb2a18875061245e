/// A registered type of sentence, standard or proprietary.
package enum SentenceType: UInt8, CaseIterable, Sendable {
  case gga, gns, gll, rmc, gsa, gsv, vtg, zda, gst, hdg, hdt, hdm, rot, gbs, ths, htc, htd, xdr,
    vhw, vlw, vbw, vdr, mwv, mwd, vwr, vwt, mda, mtw, mta, mmb, mhu, dbt, dbk, dbs, dpt, hpr, tra
  case pashr, ptnthpr, ptnthtm, pubx00, pubx04, pgrme, pgrmz, pgrmf, pgrmm, pgrmv, pashrpos,
    pashrsat, pubx03, psrfepe, psxn20, psxn23, phtro, phinf, pfecgpatt, pfecgphve, prdid, psathpr,
    psti036, pqtmtar, ptnlavr, pssnhrp, pashrhpr, ksxt, pqtmepe, pqtmvel, pqtmpvt,
    pqtmjammingstatus, pqtmantennastatus, cgpsinfo, txt, pairspf, pairspf5, pqtmdop, pqtmdrpva,
    pqtmvehatt

  /// What is known of a type.
  package struct Row: Sendable {
    package let type: SentenceType
    /// The three letters after the talker; of a proprietary sentence the whole address, which begins
    /// with P and the manufacturer's three letters, or has four letters or more than five.
    package let address: StaticString
    /// The first field, where the manufacturer uses it as an identifier.
    package let id: StaticString?
    /// Numbers of fields after the address and the identifier. With fewer than `least` the sentence
    /// is malformed. Without a checksum and with fewer than `whole` it may be truncated and is
    /// rejected.
    let least: Int
    package let whole: Int
    let role: SentenceRole
    /// Reads the fields.
    let read: @Sendable (inout SentenceFields) throws(SentenceRejection) -> NMEASentence

    init(
      _ type: SentenceType, _ address: StaticString, _ id: StaticString? = nil, least: Int,
      whole: Int, _ role: SentenceRole,
      _ read: @escaping @Sendable (inout SentenceFields) throws(SentenceRejection) -> NMEASentence
    ) {
      (self.type, self.address, self.id) = (type, address, id)
      (self.least, self.whole, self.role, self.read) = (least, whole, role, read)
    }
  }

  /// The table of sentences, in the order of the cases.
  package static let rows: [Row] = [
    Row(.gga, "GGA", least: 9, whole: 14, .fix) { fields in .gga(GGA(&fields)) },
    Row(.gns, "GNS", least: 9, whole: 12, .fix) { fields in .gns(GNS(&fields)) },
    Row(.gll, "GLL", least: 4, whole: 6, .fix) { fields in .gll(GLL(&fields)) },
    Row(.rmc, "RMC", least: 9, whole: 11, .fix) { fields in .rmc(RMC(&fields)) },
    Row(.gsa, "GSA", least: 17, whole: 17, .none) { fields in .gsa(GSA(&fields)) },
    Row(.gsv, "GSV", least: 3, whole: 3, .none) {
      (fields: inout SentenceFields) throws(SentenceRejection) in
      .gsv(try GSV(&fields))
    },
    Row(.vtg, "VTG", least: 4, whole: 8, .motion) { fields in .vtg(VTG(&fields)) },
    Row(.zda, "ZDA", least: 4, whole: 6, .motion) { fields in .zda(ZDA(&fields)) },
    Row(.gst, "GST", least: 8, whole: 8, .estimate) { fields in .gst(GST(&fields)) },
    Row(.hdg, "HDG", least: 1, whole: 5, .none) { fields in .hdg(HDG(&fields)) },
    Row(.hdt, "HDT", least: 1, whole: 2, .none) { fields in .hdt(HDT(&fields)) },
    Row(.hdm, "HDM", least: 1, whole: 2, .none) { fields in .hdm(HDM(&fields)) },
    Row(.rot, "ROT", least: 1, whole: 2, .none) { fields in .rot(ROT(&fields)) },
    Row(.gbs, "GBS", least: 4, whole: 7, .estimate) { fields in .gbs(GBS(&fields)) },
    Row(.ths, "THS", least: 1, whole: 2, .none) { fields in .ths(THS(&fields)) },
    Row(.htc, "HTC", least: 13, whole: 13, .none) { fields in .htc(HTC(&fields)) },
    Row(.htd, "HTD", least: 17, whole: 17, .none) { fields in .htd(HTD(&fields)) },
    Row(.xdr, "XDR", least: 4, whole: 4, .none) { fields in .xdr(XDR(&fields)) },
    Row(.vhw, "VHW", least: 1, whole: 8, .none) { fields in .vhw(VHW(&fields)) },
    Row(.vlw, "VLW", least: 2, whole: 4, .none) { fields in .vlw(VLW(&fields)) },
    Row(.vbw, "VBW", least: 3, whole: 6, .none) { fields in .vbw(VBW(&fields)) },
    Row(.vdr, "VDR", least: 1, whole: 6, .none) { fields in .vdr(VDR(&fields)) },
    Row(.mwv, "MWV", least: 4, whole: 5, .environment) { fields in .mwv(MWV(&fields)) },
    Row(.mwd, "MWD", least: 1, whole: 8, .environment) { fields in .mwd(MWD(&fields)) },
    Row(.vwr, "VWR", least: 2, whole: 8, .environment) { fields in .vwr(VWR(&fields)) },
    Row(.vwt, "VWT", least: 2, whole: 8, .environment) { fields in .vwt(VWT(&fields)) },
    Row(.mda, "MDA", least: 2, whole: 20, .environment) { fields in .mda(MDA(&fields)) },
    Row(.mtw, "MTW", least: 1, whole: 2, .environment) { fields in .mtw(MTW(&fields)) },
    Row(.mta, "MTA", least: 1, whole: 2, .environment) { fields in .mta(MTA(&fields)) },
    Row(.mmb, "MMB", least: 2, whole: 4, .environment) { fields in .mmb(MMB(&fields)) },
    Row(.mhu, "MHU", least: 1, whole: 4, .environment) { fields in .mhu(MHU(&fields)) },
    Row(.dbt, "DBT", least: 2, whole: 6, .environment) { fields in .dbt(DBT(&fields)) },
    Row(.dbk, "DBK", least: 2, whole: 6, .environment) { fields in .dbk(DBK(&fields)) },
    Row(.dbs, "DBS", least: 2, whole: 6, .environment) { fields in .dbs(DBS(&fields)) },
    Row(.dpt, "DPT", least: 1, whole: 2, .environment) { fields in .dpt(DPT(&fields)) },
    Row(.hpr, "HPR", least: 5, whole: 8, .none) { fields in
      .hpr(AntennaDirection(headingPitchRoll: &fields))
    },
    Row(.tra, "TRA", least: 5, whole: 8, .none) { fields in
      .tra(AntennaDirection(headingPitchRoll: &fields))
    },
    Row(.pashr, "PASHR", least: 5, whole: 11, .none) { fields in .pashr(PASHR(&fields)) },
    Row(.ptnthpr, "PTNTHPR", least: 5, whole: 6, .none) { fields in .ptnthpr(PTNTHPR(&fields)) },
    Row(.ptnthtm, "PTNTHTM", least: 5, whole: 8, .none) { fields in .ptnthtm(PTNTHTM(&fields)) },
    Row(.pubx00, "PUBX", "00", least: 7, whole: 18, .motion) { fields in .pubx00(PUBX00(&fields)) },
    Row(.pubx04, "PUBX", "04", least: 2, whole: 8, .motion) { fields in .pubx04(PUBX04(&fields)) },
    Row(.pgrme, "PGRME", least: 1, whole: 6, .none) { fields in .pgrme(PGRME(&fields)) },
    Row(.pgrmz, "PGRMZ", least: 1, whole: 3, .none) { fields in .pgrmz(PGRMZ(&fields)) },
    Row(.pgrmf, "PGRMF", least: 9, whole: 15, .motion) { fields in .pgrmf(PGRMF(&fields)) },
    Row(.pgrmm, "PGRMM", least: 1, whole: 1, .none) { fields in .pgrmm(PGRMM(&fields)) },
    Row(.pgrmv, "PGRMV", least: 3, whole: 3, .motion) { fields in .pgrmv(PGRMV(&fields)) },
    Row(.pashrpos, "PASHR", "POS", least: 7, whole: 17, .fix) { fields in
      .pashrpos(PASHRPOS(&fields))
    },
    Row(.pashrsat, "PASHR", "SAT", least: 1, whole: 6, .none) { fields in
      .pashrsat(PASHRSAT(&fields))
    },
    Row(.pubx03, "PUBX", "03", least: 1, whole: 7, .none) { fields in .pubx03(PUBX03(&fields)) },
    Row(.psrfepe, "PSRFEPE", least: 4, whole: 7, .estimate) { fields in .psrfepe(PSRFEPE(&fields))
    },
    Row(.psxn20, "PSXN", "20", least: 1, whole: 4, .none) { fields in .psxn20(PSXN20(&fields)) },
    Row(.psxn23, "PSXN", "23", least: 2, whole: 4, .none) { fields in .psxn23(PSXN23(&fields)) },
    Row(.phtro, "PHTRO", least: 4, whole: 4, .none) { fields in .phtro(PHTRO(&fields)) },
    Row(.phinf, "PHINF", least: 1, whole: 1, .none) { fields in .phinf(PHINF(&fields)) },
    Row(.pfecgpatt, "PFEC", "GPatt", least: 1, whole: 3, .none) { fields in
      .pfecgpatt(PFECGPATT(&fields))
    },
    Row(.pfecgphve, "PFEC", "GPhve", least: 1, whole: 2, .none) { fields in
      .pfecgphve(PFECGPHVE(&fields))
    },
    Row(.prdid, "PRDID", least: 2, whole: 3, .none) { fields in .prdid(PRDID(&fields)) },
    Row(.psathpr, "PSAT", "HPR", least: 3, whole: 5, .none) { fields in .psathpr(PSATHPR(&fields))
    },
    Row(.psti036, "PSTI", "036", least: 6, whole: 6, .none) { fields in
      .psti036(AntennaDirection(skyTraq: &fields))
    },
    Row(.pqtmtar, "PQTMTAR", least: 8, whole: 12, .none) { fields in
      .pqtmtar(AntennaDirection(quectel: &fields))
    },
    Row(.ptnlavr, "PTNL", "AVR", least: 9, whole: 11, .none) { fields in
      .ptnlavr(AntennaDirection(trimble: &fields))
    },
    Row(.pssnhrp, "PSSN", "HRP", least: 10, whole: 12, .none) { fields in
      .pssnhrp(AntennaDirection(septentrio: &fields))
    },
    Row(.pashrhpr, "PASHR", "HPR", least: 8, whole: 10, .none) { fields in
      .pashrhpr(AntennaDirection(ashtech: &fields))
    },
    Row(.ksxt, "KSXT", least: 11, whole: 13, .none) { fields in
      .ksxt(AntennaDirection(unicore: &fields))
    },
    Row(.pqtmepe, "PQTMEPE", least: 6, whole: 6, .none) { fields in .pqtmepe(PQTMEPE(&fields)) },
    Row(.pqtmvel, "PQTMVEL", least: 8, whole: 11, .motion) { fields in .pqtmvel(PQTMVEL(&fields)) },
    Row(.pqtmpvt, "PQTMPVT", least: 19, whole: 19, .fix) { fields in .pqtmpvt(PQTMPVT(&fields)) },
    Row(.pqtmjammingstatus, "PQTMJAMMINGSTATUS", least: 2, whole: 2, .none) { fields in
      .pqtmjammingstatus(PQTMJAMMINGSTATUS(&fields))
    },
    Row(.pqtmantennastatus, "PQTMANTENNASTATUS", least: 2, whole: 2, .none) { fields in
      .pqtmantennastatus(PQTMANTENNASTATUS(&fields))
    },
    Row(.cgpsinfo, "CGPSINFO", least: 9, whole: 9, .fix) { fields in .cgpsinfo(CGPSINFO(&fields)) },
    Row(.txt, "TXT", least: 4, whole: 4, .none) { fields in .txt(TXT(&fields)) },
    Row(.pairspf, "PAIRSPF", least: 1, whole: 1, .none) { fields in .pairspf(PAIRSPF(&fields)) },
    Row(.pairspf5, "PAIRSPF5", least: 1, whole: 1, .none) { fields in .pairspf5(PAIRSPF(&fields)) },
    Row(.pqtmdop, "PQTMDOP", least: 7, whole: 9, .none) { fields in .pqtmdop(PQTMDOP(&fields)) },
    Row(.pqtmdrpva, "PQTMDRPVA", least: 15, whole: 15, .fix) { fields in
      .pqtmdrpva(PQTMDRPVA(&fields))
    },
    Row(.pqtmvehatt, "PQTMVEHATT", least: 5, whole: 8, .none) { fields in
      .pqtmvehatt(PQTMVEHATT(&fields))
    },
  ]

  /// What is known of the type.
  var row: Row { Self.rows[Int(rawValue)] }

  /// Reads the fields.
  func decode(
    _ fields: inout SentenceFields, isChecked: Bool
  ) throws(SentenceRejection) -> NMEASentence {
    let (row, count) = (row, fields.remaining)
    guard count >= row.least else { throw .malformed }
    guard isChecked || count >= row.whole else { throw .missingChecksum }
    return try row.read(&fields)
  }
}
