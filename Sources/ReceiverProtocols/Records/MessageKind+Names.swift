/// The names of messages that are not decoded. A number without a name is shown as a number.
/// - Source: pyubx2 1.4.0, pysbf2 1.0.7, pyunigps 1.0.1; NovAtel OEM7 commands and logs; CASIC
///   protocol specification 4.2.0.3; gpsd's driver_allystar.c.
extension MessageKind: CustomStringConvertible {
  /// The protocol and the message's name, where it is known, else its number: `GNDTM`, `PSTI,030`,
  /// `UBX-RXM-RAWX`, `UBX 0x0A41`, `SBF 4109 Meas3Ranges`, `#VERSIONA`, `Unicore 12 OBSVM`,
  /// `CASIC NAV-CLOCK`, `SkyTraq 0xDC`, `Allystar NAV-CLOCK`.
  public var description: String {
    switch format {
    case .sentence: name.description
    case .log: "#\(name)"
    case .ubx: known(Self.ubx).map { "UBX-\($0)" } ?? "UBX \(hexadecimal(digits: 4))"
    case .casic: "CASIC \(known(Self.casic) ?? hexadecimal(digits: 4))"
    case .allystar: "Allystar \(known(Self.allystar) ?? hexadecimal(digits: 4))"
    case .skyTraq: "SkyTraq \(hexadecimal(digits: 2))"
    case .sbf: "SBF \(numbered(Self.sbf))"
    case .novatel: "NovAtel \(numbered(Self.novatel))"
    case .unicore: "Unicore \(numbered(Self.unicore))"
    }
  }

  private func numbered(_ table: [(UInt16, StaticString)]) -> String {
    known(table).map { "\(number) \($0)" } ?? "\(number)"
  }

  private func known(_ table: [(UInt16, StaticString)]) -> String? {
    for (number, name) in table where number == self.number { return "\(name)" }
    return nil
  }

  private func hexadecimal(digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static let ubx: [(UInt16, StaticString)] = [
    (0x0109, "NAV-ODO"), (0x0110, "NAV-RESETODO"), (0x0123, "NAV-TIMEGLO"), (0x0124, "NAV-TIMEBDS"),
    (0x0125, "NAV-TIMEGAL"), (0x0127, "NAV-TIMEQZSS"), (0x0128, "NAV-NMI"), (0x0131, "NAV-DGPS"),
    (0x0132, "NAV-SBAS"), (0x0134, "NAV-ORB"), (0x0139, "NAV-GEOFENCE"), (0x013B, "NAV-SVIN"),
    (0x013D, "NAV-EELL"), (0x0140, "NAV-EKFSTATUS"), (0x0142, "NAV-SLAS"),
    (0x0160, "NAV-AOPSTATUS"), (0x0162, "NAV-PL"), (0x0163, "NAV-TIMENAVIC"),
    (0x0164, "NAV-TIMETRUSTED"), (0x0210, "RXM-RAW"), (0x0211, "RXM-SFRB"), (0x0213, "RXM-SFRBX"),
    (0x0214, "RXM-MEASX"), (0x0215, "RXM-RAWX"), (0x0220, "RXM-SVSI"), (0x0230, "RXM-ALM"),
    (0x0231, "RXM-EPH"), (0x0232, "RXM-RTCM"), (0x0233, "RXM-SPARTN"), (0x0234, "RXM-COR"),
    (0x0236, "RXM-SPARTN-KEY"), (0x0240, "RXM-POSREQ"), (0x0241, "RXM-PMREQ"), (0x0259, "RXM-RLM"),
    (0x0261, "RXM-IMES"), (0x0272, "RXM-PMP"), (0x0273, "RXM-QZSSL6"), (0x0274, "RXM-TM"),
    (0x0280, "RXM-MEASD12"), (0x0282, "RXM-MEASC12"), (0x0284, "RXM-MEAS20"),
    (0x0286, "RXM-MEAS50"), (0x0400, "INF-ERROR"), (0x0401, "INF-WARNING"), (0x0402, "INF-NOTICE"),
    (0x0403, "INF-TEST"), (0x0404, "INF-DEBUG"), (0x0A02, "MON-IO"), (0x0A06, "MON-MSGPP"),
    (0x0A07, "MON-RXBUF"), (0x0A08, "MON-TXBUF"), (0x0A0B, "MON-HW2"), (0x0A21, "MON-RXR"),
    (0x0A27, "MON-PATCH"), (0x0A28, "MON-GNSS"), (0x0A2B, "MON-PT2"), (0x0A2E, "MON-SMGR"),
    (0x0A2F, "MON-SPT"), (0x0A31, "MON-SPAN"), (0x0A35, "MON-PMP"), (0x0A36, "MON-COMMS"),
    (0x0A37, "MON-HW3"), (0x0A39, "MON-SYS"), (0x0D03, "TIM-TM2"), (0x0D04, "TIM-SVIN"),
    (0x0D06, "TIM-VRFY"), (0x0D11, "TIM-DOSC"), (0x0D12, "TIM-TOS"), (0x0D13, "TIM-SMEAS"),
    (0x0D15, "TIM-VCOCAL"), (0x0D16, "TIM-FCHG"), (0x0D17, "TIM-HOC"), (0x1004, "ESF-CAL"),
    (0x1013, "ESF-RESETALG"), (0x1310, "MGA-SF"), (0x1380, "MGA-DBD"), (0x2103, "LOG-ERASE"),
    (0x2104, "LOG-STRING"), (0x2107, "LOG-CREATE"), (0x2108, "LOG-INFO"), (0x2109, "LOG-RETRIEVE"),
    (0x210B, "LOG-RETRIEVEPOS"), (0x210D, "LOG-RETRIEVESTRING"), (0x210E, "LOG-FINDTIME"),
    (0x210F, "LOG-RETRIEVEPOSEXTRA"), (0x2110, "LOG-RETRIEVEBATCH"), (0x2111, "LOG-BATCH"),
    (0x2701, "SEC-SIGN"), (0x2703, "SEC-UNIQID"), (0x2709, "SEC-SIG"), (0x270A, "SEC-OSNMA"),
    (0x2710, "SEC-SIGLOG"), (0x2901, "NAV2-POSECEF"), (0x2902, "NAV2-POSLLH"),
    (0x2903, "NAV2-STATUS"), (0x2904, "NAV2-DOP"), (0x2907, "NAV2-PVT"), (0x2909, "NAV2-ODO"),
    (0x2911, "NAV2-VELECEF"), (0x2912, "NAV2-VELNED"), (0x2917, "NAV2-PVAT"),
    (0x2920, "NAV2-TIMEGPS"), (0x2921, "NAV2-TIMEUTC"), (0x2922, "NAV2-CLOCK"),
    (0x2923, "NAV2-TIMEGLO"), (0x2924, "NAV2-TIMEBDS"), (0x2925, "NAV2-TIMEGAL"),
    (0x2926, "NAV2-TIMELS"), (0x2927, "NAV2-TIMEQZSS"), (0x2932, "NAV2-SBAS"), (0x2935, "NAV2-SAT"),
    (0x2936, "NAV2-COV"), (0x293B, "NAV2-SVIN"), (0x293D, "NAV2-EELL"), (0x2942, "NAV2-SLAS"),
    (0x2943, "NAV2-SIG"), (0x2961, "NAV2-EOE"), (0x2963, "NAV2-TIMENAVIC"),
  ]

  private static let casic: [(UInt16, StaticString)] = [
    (0x0100, "NAV-STATUS"), (0x0106, "NAV-IMUATT"), (0x0111, "NAV-CLOCK"), (0x0120, "NAV-GPSINFO"),
    (0x0121, "NAV-BDSINFO"), (0x0122, "NAV-GLNINFO"), (0x0200, "TIM-TP"), (0x0307, "RXM-SENSOR"),
    (0x0310, "RXM-MEASX"), (0x0311, "RXM-SVPOS"), (0x0500, "ACK-NACK"), (0x0501, "ACK-ACK"),
    (0x0800, "MSG-BDSUTC"), (0x0801, "MSG-BDSION"), (0x0802, "MSG-BDSEPH"), (0x0805, "MSG-GPSUTC"),
    (0x0806, "MSG-GPSION"), (0x0807, "MSG-GPSEPH"), (0x0808, "MSG-GLNEPH"), (0x0A04, "MON-VER"),
    (0x0A09, "MON-HW"),
  ]

  private static let allystar: [(UInt16, StaticString)] = [
    (0x0122, "NAV-CLOCK"), (0x0123, "NAV-CLOCK2"), (0x0131, "NAV-SVIN"), (0x0132, "NAV-SVSTATE"),
    (0x01C1, "NAV-PVT"), (0x0201, "RXM-DUMPRAW"), (0x0202, "RXM-GALSAR"), (0x0500, "ACK-NACK"),
    (0x0501, "ACK-ACK"), (0x0600, "CFG-PRT"), (0x0601, "CFG-MSG"), (0x0607, "CFG-PPS"),
    (0x0609, "CFG-CFG"), (0x060C, "CFG-NAVSAT"), (0x0612, "CFG-SURVEY"), (0x0613, "CFG-FIXEDLLA"),
    (0x0614, "CFG-FIXEDECEF"), (0x0A04, "MON-VER"), (0x0A05, "MON-INFO"), (0x0A08, "MON-TRKCHAN"),
    (0x0A09, "MON-RCVCLK"), (0x0A0A, "MON-CWI"),
  ]

  private static let sbf: [(UInt16, StaticString)] = [
    (4000, "MeasExtra"), (4002, "GALNav"), (4003, "GALAlm"), (4004, "GLONav"), (4005, "GLOAlm"),
    (4006, "PVTCartesian"), (4012, "SatVisibility"),
    (4015, "Commands"), (4017, "GPSRawCA"), (4018, "GPSRawL2C"),
    (4019, "GPSRawL5"), (4020, "GEORawL1"), (4021, "GEORawL5"), (4022, "GALRawFNAV"),
    (4023, "GALRawINAV"), (4024, "GALRawCNAV"), (4026, "GLORawCA"),
    (4028, "BaseVectorGeod"), (4030, "GALIon"), (4031, "GALUtc"), (4032, "GALGstGps"),
    (4034, "GALSARRLM"), (4036, "GLOTime"), (4037, "ExtEventPVTCartesian"),
    (4038, "ExtEventPVTGeodetic"), (4040, "BBSamples"), (4042, "GPSCNav"), (4043, "BaseVectorCart"),
    (4044, "PosCart"), (4047, "BDSRaw"), (4049, "RTCMDatum"), (4052, "PosLocal"),
    (4053, "NTRIPClientStatus"), (4058, "IPStatus"), (4059, "DiskStatus"), (4066, "QZSRawL1CA"),
    (4067, "QZSRawL2C"), (4068, "QZSRawL5"), (4075, "ASCIIIn"), (4076, "PVTSupport"),
    (4079, "PVTSupportA"), (4081, "BDSNav"), (4090, "InputLink"),
    (4091, "OutputLink"), (4093, "NAVICRaw"), (4094, "PosProjected"),
    (4095, "QZSNav"), (4097, "EncapsulatedOutput"), (4103, "RxMessage"), (4105, "DynDNSStatus"),
    (4109, "Meas3Ranges"), (4110, "Meas3CN0HiRes"), (4111, "Meas3Doppler"), (4112, "Meas3PP"),
    (4113, "Meas3MP"), (4116, "QZSAlm"), (4119, "BDSAlm"), (4120, "BDSIon"), (4121, "BDSUtc"),
    (4122, "NTRIPServerStatus"), (4201, "LBandTrackerStatus"), (4204, "LBandBeams"),
    (4211, "FugroDDS"), (4212, "LBandRaw"), (4214, "FugroStatus"), (4217, "ExtEventBaseVectGeod"),
    (4218, "BDSRawB1C"), (4219, "BDSRawB2a"), (4221, "GPSRawL1C"), (4227, "QZSRawL1C"),
    (4228, "QZSRawL1S"), (4237, "ExtEventAttEuler"), (4238, "P2PPStatus"), (4242, "BDSRawB2b"),
    (4245, "GALAuthStatus"), (4246, "QZSRawL5S"), (4251, "BDSCNav1"), (4252, "BDSCNav2"),
    (4253, "BDSCNav3"), (4254, "NavICLNav"), (4270, "QZSRawL6D"), (4271, "QZSRawL6E"),
    (4272, "NavCart"), (4275, "NavGeod"), (5891, "GPSNav"), (5892, "GPSAlm"), (5893, "GPSIon"),
    (5894, "GPSUtc"), (5896, "GEONav"), (5897, "GEOAlm"), (5902, "ReceiverSetup"),
    (5905, "PosCovCartesian"), (5907, "VelCovCartesian"), (5911, "xPPSOffset"),
    (5917, "GEOServiceLevel"), (5918, "GEONetworkTime"), (5919, "DiffCorrIn"), (5922, "EndOfMeas"),
    (5924, "ExtEvent"), (5925, "GEOMT00"), (5926, "GEOPRNMask"), (5927, "GEOFastCorr"),
    (5928, "GEOIntegrity"), (5929, "GEOFastCorrDegr"), (5930, "GEODegrFactors"),
    (5931, "GEOIGPMask"), (5932, "GEOLongTermCorr"), (5933, "GEOIonoDelay"),
    (5934, "GEOClockEphCovMatrix"), (5936, "Comment"), (5942, "AuxAntPositions"),
    (5943, "EndOfAtt"), (5949, "BaseStation"),
  ]

  private static let novatel: [(UInt16, StaticString)] = [
    (8, "IONUTC"), (37, "VERSION"), (41, "RAWEPHEM"), (43, "RANGE"), (47, "PSRPOS"),
    (93, "RXSTATUS"), (100, "PSRVEL"), (101, "TIME"), (128, "RXCONFIG"), (140, "RANGECMP"),
    (141, "RTKPOS"), (174, "PSRDOP"), (181, "MARKPOS"), (241, "BESTXYZ"), (268, "RAWIMU"),
    (325, "RAWIMUS"), (507, "INSPVA"), (508, "INSPVAS"), (723, "GLOEPHEMERIS"), (1043, "SATVIS2"),
    (1194, "BESTSATS"), (1429, "BESTGNSSPOS"), (1430, "BESTGNSSVEL"), (1465, "INSPVAX"),
    (2042, "DUALANTENNAHEADING"),
  ]

  private static let unicore: [(UInt16, StaticString)] = [
    (4, "BDSION"), (8, "GPSION"), (9, "GALION"), (12, "OBSVM"), (13, "OBSVH"), (19, "GPSUTC"),
    (20, "GALUTC"), (21, "BD3ION"), (22, "BD3UTC"), (37, "VERSION"), (46, "SPPNAV"),
    (49, "BASEPOS"), (102, "RECTIME"), (106, "GPSEPH"), (107, "GLOEPH"), (108, "BDSEPH"),
    (109, "GALEPH"), (110, "QZSSEPH"), (112, "IRNSSEPH"), (138, "OBSVMCMP"), (139, "OBSVHCMP"),
    (142, "ADRNAV"), (173, "SPPDOP"), (176, "BASEINFO"), (218, "HWSTATUS"), (220, "AGC"),
    (240, "BESTNAVXYZ"), (242, "BESTNAVXYZH"), (284, "OBSVBASE"), (509, "RTKSTATUS"),
    (510, "RTCSTATUS"), (511, "JAMSTATUS"), (512, "AGNSSSTATUS"), (519, "FREQJAMSTATUS"),
    (520, "MSPOS"), (521, "HEADINGSTATUS"), (953, "ADRDOP"), (954, "STADOP"), (1019, "INFOPART1"),
    (1020, "INFOPART2"), (1025, "PPPDOP"), (1026, "PPPNAV"), (1041, "BESTSAT"), (1042, "SATELLITE"),
    (1316, "BSLNENUHD2"), (1317, "BSLNXYZHD2"), (1331, "UNIHEADING2"), (1333, "DOPHD2"),
    (2012, "BDSUTC"), (2115, "SATECEF"), (2116, "SPPNAVH"), (2117, "ADRNAVH"), (2119, "BESTNAVH"),
    (2120, "SPPDOPH"), (2121, "ADRDOPH"), (2122, "STADOPH"), (2124, "SATSINFO"),
    (2125, "RTCMSTATUS"), (2302, "PPPB2BINFO1"), (2304, "PPPB2BINFO2"), (2306, "PPPB2BINFO3"),
    (2308, "PPPB2BINFO4"), (2310, "PPPB2BINFO5"), (2312, "PPPB2BINFO6"), (2314, "PPPB2BINFO7"),
    (2318, "TROPINFO"), (2319, "E6MASKBLOCK"), (2320, "E6ORBITBLOCK"), (2321, "E6CLOCKFULLBLOCK"),
    (2322, "E6CLOCKSUBBLOCK"), (2323, "E6CBIASBLOCK"), (2324, "E6PBIASBLOCK"), (2999, "BD3EPH"),
    (11276, "AGRIC"),
  ]
}
