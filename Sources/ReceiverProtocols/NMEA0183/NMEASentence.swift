/// A sentence of a registered type. A new type needs a case here and a row in `SentenceType`.
public enum NMEASentence: Equatable, Sendable {
  /// Time, position and quality.
  case gga(GGA)
  /// Time, position and a mode for each system.
  case gns(GNS)
  /// Position and time.
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
  /// Expected errors and a suspected faulty satellite.
  case gbs(GBS)
  /// True heading with a mode.
  case ths(THS)
  /// Commands to a heading or track controller.
  case htc(HTC)
  /// Heading or track control, and the heading.
  case htd(HTD)
  /// Transducers.
  case xdr(XDR)
  /// Heading and speed through the water.
  case vhw(VHW)
  /// Distance travelled.
  case vlw(VLW)
  /// Longitudinal and transverse speeds.
  case vbw(VBW)
  /// Current.
  case vdr(VDR)
  /// Wind angle at the vessel.
  case mwv(MWV)
  /// Wind over ground.
  case mwd(MWD)
  /// Apparent wind.
  case vwr(VWR)
  /// Theoretical wind.
  case vwt(VWT)
  /// Weather.
  case mda(MDA)
  /// Water temperature.
  case mtw(MTW)
  /// Air temperature.
  case mta(MTA)
  /// Barometric pressure.
  case mmb(MMB)
  /// Humidity.
  case mhu(MHU)
  /// Depth below the transducer.
  case dbt(DBT)
  /// Depth below the keel.
  case dbk(DBK)
  /// Depth below the surface.
  case dbs(DBS)
  /// Depth and the transducer's offset.
  case dpt(DPT)
  /// Attitude.
  case pashr(PASHR)
  /// Heading, pitch and roll.
  case ptnthpr(PTNTHPR)
  /// Heading, tilt and magnetic field.
  case ptnthtm(PTNTHTM)
  /// u-blox position, motion and accuracy.
  case pubx00(PUBX00)
  /// u-blox time and clock.
  case pubx04(PUBX04)
  /// Garmin error estimates.
  case pgrme(PGRME)
  /// Garmin altitude.
  case pgrmz(PGRMZ)
  /// Garmin fix.
  case pgrmf(PGRMF)
  /// Garmin datum.
  case pgrmm(PGRMM)
  /// Garmin velocity.
  case pgrmv(PGRMV)
  /// Ashtech fix.
  case pashrpos(PASHRPOS)
  /// Ashtech satellites.
  case pashrsat(PASHRSAT)
  /// u-blox satellites.
  case pubx03(PUBX03)
  /// SiRF error estimates.
  case psrfepe(PSRFEPE)
  /// Seapath quality.
  case psxn20(PSXN20)
  /// Seapath attitude.
  case psxn23(PSXN23)
  /// Octans tilt.
  case phtro(PHTRO)
  /// Octans status.
  case phinf(PHINF)
  /// Furuno attitude.
  case pfecgpatt(PFECGPATT)
  /// Furuno heave.
  case pfecgphve(PFECGPHVE)
  /// Attitude for a profiler.
  case prdid(PRDID)
  /// Hemisphere attitude.
  case psathpr(PSATHPR)

  /// The time of day of the sentence's fix; nil for the time of an attitude.
  public var time: TimeOfDay? {
    switch self {
    case .gga(let s): s.time
    case .gns(let s): s.time
    case .gll(let s): s.time
    case .rmc(let s): s.time
    case .zda(let s): s.time
    case .gst(let s): s.time
    case .gbs(let s): s.time
    case .pubx00(let s): s.time
    case .pubx04(let s): s.time
    case .pgrmf(let s): s.time
    case .pashrpos(let s): s.time
    case .psrfepe(let s): s.time
    case .gsa, .gsv, .vtg, .hdg, .hdt, .hdm, .rot: nil
    case .ths, .htc, .htd, .xdr, .vhw, .vlw, .vbw, .vdr, .mwv, .mwd, .vwr, .vwt, .mda, .mtw, .mta,
      .mmb, .mhu, .dbt, .dbk, .dbs, .dpt, .pashr, .ptnthpr, .ptnthtm, .pgrme, .pgrmz, .pgrmm,
      .pgrmv, .pashrsat, .pubx03, .psxn20, .psxn23, .phtro, .phinf, .pfecgpatt, .pfecgphve, .prdid,
      .psathpr:
      nil
    }
  }
}

/// The table of standard sentences.
enum SentenceType: UInt8, CaseIterable {
  case gga, gns, gll, rmc, gsa, gsv, vtg, zda, gst, hdg, hdt, hdm, rot
  case gbs, ths, htc, htd, xdr, vhw, vlw, vbw, vdr, mwv, mwd, vwr, vwt, mda, mtw, mta, mmb, mhu,
    dbt, dbk, dbs, dpt

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
    case .gbs: "GBS"
    case .ths: "THS"
    case .htc: "HTC"
    case .htd: "HTD"
    case .xdr: "XDR"
    case .vhw: "VHW"
    case .vlw: "VLW"
    case .vbw: "VBW"
    case .vdr: "VDR"
    case .mwv: "MWV"
    case .mwd: "MWD"
    case .vwr: "VWR"
    case .vwt: "VWT"
    case .mda: "MDA"
    case .mtw: "MTW"
    case .mta: "MTA"
    case .mmb: "MMB"
    case .mhu: "MHU"
    case .dbt: "DBT"
    case .dbk: "DBK"
    case .dbs: "DBS"
    case .dpt: "DPT"
    }
  }

  /// Numbers of fields after the address. With fewer than `least` the sentence is malformed.
  /// Without a checksum and with fewer than `whole` it may be truncated and is rejected.
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
    case .gbs: (4, 7)
    case .ths, .mtw, .mta, .dpt: (1, 2)
    case .htc: (13, 13)
    case .htd: (17, 17)
    case .xdr: (4, 4)
    case .vhw, .mwd: (1, 8)
    case .vlw, .mmb: (2, 4)
    case .vbw: (3, 6)
    case .vdr: (1, 6)
    case .mwv: (4, 5)
    case .vwr, .vwt: (2, 8)
    case .mda: (2, 20)
    case .mhu: (1, 4)
    case .dbt, .dbk, .dbs: (2, 6)
    }
  }

  /// The three letters in one number, the first one in the highest byte.
  var letters: UInt32 {
    let name = name.utf8Start
    return UInt32(name[0]) << 16 | UInt32(name[1]) << 8 | UInt32(name[2])
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
    case .gbs: return .gbs(GBS(&fields))
    case .ths: return .ths(THS(&fields))
    case .htc: return .htc(HTC(&fields))
    case .htd: return .htd(HTD(&fields))
    case .xdr: return .xdr(XDR(&fields))
    case .vhw: return .vhw(VHW(&fields))
    case .vlw: return .vlw(VLW(&fields))
    case .vbw: return .vbw(VBW(&fields))
    case .vdr: return .vdr(VDR(&fields))
    case .mwv: return .mwv(MWV(&fields))
    case .mwd: return .mwd(MWD(&fields))
    case .vwr: return .vwr(VWR(&fields))
    case .vwt: return .vwt(VWT(&fields))
    case .mda: return .mda(MDA(&fields))
    case .mtw: return .mtw(MTW(&fields))
    case .mta: return .mta(MTA(&fields))
    case .mmb: return .mmb(MMB(&fields))
    case .mhu: return .mhu(MHU(&fields))
    case .dbt: return .dbt(DBT(&fields))
    case .dbk: return .dbk(DBK(&fields))
    case .dbs: return .dbs(DBS(&fields))
    case .dpt: return .dpt(DPT(&fields))
    }
  }
}
