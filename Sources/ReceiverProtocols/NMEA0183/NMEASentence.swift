/// A sentence of a registered type. A new type needs a case here, one in `type`, and a row in
/// `SentenceType.rows`.
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
  /// Unicore or ComNav heading of two antennas.
  case hpr(AntennaDirection)
  /// The same sentence under its other name.
  case tra(AntennaDirection)
  /// SkyTraq heading of two antennas.
  case psti036(AntennaDirection)
  /// Quectel heading of two antennas.
  case pqtmtar(AntennaDirection)
  /// Trimble heading of two antennas.
  case ptnlavr(AntennaDirection)
  /// Septentrio heading of two antennas.
  case pssnhrp(AntennaDirection)
  /// Ashtech heading of two antennas.
  case pashrhpr(AntennaDirection)
  /// Unicore position and heading, of which the heading is read.
  case ksxt(AntennaDirection)
  /// Quectel error estimates.
  case pqtmepe(PQTMEPE)
  /// Quectel velocity.
  case pqtmvel(PQTMVEL)
  /// Quectel fix.
  case pqtmpvt(PQTMPVT)
  /// Quectel state of jamming.
  case pqtmjammingstatus(PQTMJAMMINGSTATUS)
  /// Quectel state of the antenna.
  case pqtmantennastatus(PQTMANTENNASTATUS)
  /// A modem's position.
  case cgpsinfo(CGPSINFO)
  /// A text of the receiver.
  case txt(TXT)
  /// Quectel state of jamming of L1.
  case pairspf(PAIRSPF)
  /// Quectel state of jamming of L5.
  case pairspf5(PAIRSPF)
  /// Quectel dilutions of precision.
  case pqtmdop(PQTMDOP)
  /// Quectel fix with motion sensors.
  case pqtmdrpva(PQTMDRPVA)
  /// Quectel attitude by motion sensors.
  case pqtmvehatt(PQTMVEHATT)

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
    case .pqtmvel(let s): s.time
    case .pqtmpvt(let s): s.time
    case .pqtmdrpva(let s): s.time
    case .cgpsinfo(let s): s.time
    default: nil
    }
  }

  /// The sentence's type.
  package var type: SentenceType {
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
    case .gbs: .gbs
    case .ths: .ths
    case .htc: .htc
    case .htd: .htd
    case .xdr: .xdr
    case .vhw: .vhw
    case .vlw: .vlw
    case .vbw: .vbw
    case .vdr: .vdr
    case .mwv: .mwv
    case .mwd: .mwd
    case .vwr: .vwr
    case .vwt: .vwt
    case .mda: .mda
    case .mtw: .mtw
    case .mta: .mta
    case .mmb: .mmb
    case .mhu: .mhu
    case .dbt: .dbt
    case .dbk: .dbk
    case .dbs: .dbs
    case .dpt: .dpt
    case .pashr: .pashr
    case .ptnthpr: .ptnthpr
    case .ptnthtm: .ptnthtm
    case .pubx00: .pubx00
    case .pubx04: .pubx04
    case .pgrme: .pgrme
    case .pgrmz: .pgrmz
    case .pgrmf: .pgrmf
    case .pgrmm: .pgrmm
    case .pgrmv: .pgrmv
    case .pashrpos: .pashrpos
    case .pashrsat: .pashrsat
    case .pubx03: .pubx03
    case .psrfepe: .psrfepe
    case .psxn20: .psxn20
    case .psxn23: .psxn23
    case .phtro: .phtro
    case .phinf: .phinf
    case .pfecgpatt: .pfecgpatt
    case .pfecgphve: .pfecgphve
    case .prdid: .prdid
    case .psathpr: .psathpr
    case .hpr: .hpr
    case .tra: .tra
    case .psti036: .psti036
    case .pqtmtar: .pqtmtar
    case .ptnlavr: .ptnlavr
    case .pssnhrp: .pssnhrp
    case .pashrhpr: .pashrhpr
    case .ksxt: .ksxt
    case .pqtmepe: .pqtmepe
    case .pqtmvel: .pqtmvel
    case .pqtmpvt: .pqtmpvt
    case .pqtmjammingstatus: .pqtmjammingstatus
    case .pqtmantennastatus: .pqtmantennastatus
    case .cgpsinfo: .cgpsinfo
    case .txt: .txt
    case .pairspf: .pairspf
    case .pairspf5: .pairspf5
    case .pqtmdop: .pqtmdop
    case .pqtmdrpva: .pqtmdrpva
    case .pqtmvehatt: .pqtmvehatt
    }
  }
}
