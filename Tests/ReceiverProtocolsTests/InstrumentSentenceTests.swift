import Quantities
import ReceiverProtocols
import Testing

// Fields are as pynmeagps 1.1.8 or pynmea2 1.19.0 print them. Neither supports MTA, MMB, MHU, DBK,
// PTNTHPR, PTNTHTM, PSRFEPE, PHTRO, PHINF, PASHR,SAT, PSAT,HPR.

/// The one sentence of a line, and how many fields of it could not be read.
func only(_ body: String) -> NMEASentence? {
  let (sentences, counts) = decode(sentence(body))
  guard sentences.count == 1, counts.accepted == 1 else {
    Issue.record("\(body): \(counts)")
    return nil
  }
  return sentences.first?.sentence
}

/// True where both are absent, or as near as printed figures can be.
func near(_ value: Double?, _ expected: Double?, _ tolerance: Double = 1e-9) -> Bool {
  guard let value, let expected else { return value == nil && expected == nil }
  return abs(value - expected) <= tolerance
}

@Suite(.timeLimit(.minutes(30))) struct InstrumentSentenceTests {
  @Test("GBS contains errors, satellite, system and signal")
  func gbs() {
    // u-blox ZED-F9P interface description; its printed checksum is wrong.
    guard
      case .gbs(let s)? = only("GPGBS,235458.00,1.4,1.3,3.1,03,,-21.4,3.8,1,0")
    else {
      Issue.record("GBS not decoded")
      return
    }
    #expect(s.time?.nanoseconds == 86_098_000_000_000)
    #expect(s.latitudeErrorMetres == 1.4)
    #expect(s.longitudeErrorMetres == 1.3)
    #expect(s.altitudeErrorMetres == 3.1)
    #expect(s.failedSatellite == 3)
    #expect(s.missedDetectionProbability == nil)
    #expect(s.biasMetres == -21.4)
    #expect(s.biasDeviationMetres == 3.8)
    #expect(s.systemID == 1)
    #expect(s.signalID == 0)
  }

  @Test("GBS is decoded with unit letters, with empty fields and with few fields")
  func gbsVariants() {
    if case .gbs(let s)? = only("GPGBS,125027,23.43,M,13.91,M,34.01,M") {
      #expect(s.latitudeErrorMetres == 23.43)
      #expect(s.longitudeErrorMetres == 13.91)
      #expect(s.altitudeErrorMetres == 34.01)
      #expect(s.failedSatellite == nil)
    } else {
      Issue.record("GBS not decoded")
    }
    if case .gbs(let s)? = only("GNGBS,,,,,,,,,,") {
      #expect(s.time == nil)
      #expect(s.latitudeErrorMetres == nil)
      #expect(s.systemID == nil)
    } else {
      Issue.record("GBS not decoded")
    }
    if case .gbs(let s)? = only("GPGBS,235503.00,1.6,1.4,3.2,,,,,,,extra,more") {
      #expect(s.altitudeErrorMetres == 3.2)
    } else {
      Issue.record("GBS not decoded")
    }
    #expect(decode(sentence("GPGBS,235503.00,1.6")).1.malformed == 1)
  }

  @Test(
    "THS has no heading where its mode is V",
    arguments: [
      ("316.70,E", 316.7, PositionMode.estimated), ("77.52,A", 77.52, .autonomous),
      ("360.0,M", 0, .manual), ("12.5,S", 12.5, .simulated), ("12.5,", 12.5, nil),
      ("12.5,Q", 12.5, nil), ("12.5", 12.5, nil), ("12.5,V", nil, .notValid),
      (",V", nil, .notValid), ("361,A", nil, .autonomous),
    ] as [(String, Double?, PositionMode?)])
  func ths(fields: String, degrees: Double?, mode: PositionMode?) {
    guard case .ths(let s)? = only("HETHS,\(fields)") else {
      Issue.record("THS not decoded: \(fields)")
      return
    }
    #expect(near(s.heading?.angle.degrees, degrees))
    #expect(s.mode == mode)
  }

  @Test("HTD contains the commands and the heading with its reference")
  func htd() {
    guard
      case .htd(let s)? = only(
        "AGHTD,V,2.8,L,M,N,30.0,10.0,0.5,15.0,149.5,0.1,150.2,T,A,A,V,149.0")
    else {
      Issue.record("HTD not decoded")
      return
    }
    #expect(s.command.isOverridden == false)
    #expect(near(s.command.commandedRudder?.degrees, -2.8))
    #expect(s.command.steeringMode == UInt8(ascii: "M"))
    #expect(s.command.turnMode == UInt8(ascii: "N"))
    #expect(near(s.command.rudderLimit?.degrees, 30))
    #expect(near(s.command.offHeadingLimit?.degrees, 10))
    #expect(near(s.command.turnRadiusMetres, 926))
    #expect(near(s.command.turnRate?.degreesPerSecond, 0.25))
    #expect(near(s.command.commandedHeading?.degrees, 149.5))
    #expect(near(s.command.offTrackLimitMetres, 185.2))
    #expect(near(s.command.commandedTrack?.degrees, 150.2))
    #expect(s.rudderIsWithinLimit == true)
    #expect(s.headingIsWithinLimit == true)
    #expect(s.trackIsWithinLimit == false)
    #expect(near(s.trueHeading?.angle.degrees, 149))
    #expect(s.magneticHeading == nil)
  }

  @Test("HTD without a reference has neither a true nor a magnetic heading")
  func htdWithoutReference() {
    if case .htd(let s)? = only("AGHTD,,,,,,,,,,,,,,,,,149.0,x,y") {
      #expect(s.trueHeading == nil)
      #expect(s.magneticHeading == nil)
      #expect(near(s.vesselHeading?.degrees, 149))
    } else {
      Issue.record("HTD not decoded")
    }
    if case .htc(let s)? = only("AGHTC,A,5,R,H,T,,,,-30,90,,,M") {
      #expect(s.isOverridden == true)
      #expect(near(s.commandedRudder?.degrees, 5))
      #expect(near(s.turnRate?.degreesPerSecond, -0.5))
      #expect(s.headingsAreTrue == false)
    } else {
      Issue.record("HTC not decoded")
    }
    #expect(decode(sentence("AGHTD,V,2.8,L")).1.malformed == 1)
  }

  @Test("VHW uses km/h without knots, and no value with a wrong unit letter")
  func vhw() {
    if case .vhw(let s)? = only("IIVHW,245.1,T,243.0,M,5.5,N,10.2,K") {
      #expect(near(s.trueHeading?.angle.degrees, 245.1))
      #expect(near(s.magneticHeading?.angle.degrees, 243))
      #expect(near(s.speedMetresPerSecond, 2.829_444_444, 1e-8))
    } else {
      Issue.record("VHW not decoded")
    }
    if case .vhw(let s)? = only("IIVHW,,T,243.0,M,,N,36,K,extra") {
      #expect(s.trueHeading == nil)
      #expect(near(s.speedMetresPerSecond, 10))
    } else {
      Issue.record("VHW not decoded")
    }
    // The temperatures that one maker puts here are no headings.
    if case .vhw(let s)? = only("IIVHW,12.3,C,54.1,F,,,,") {
      #expect(s.trueHeading == nil)
      #expect(s.magneticHeading == nil)
    } else {
      Issue.record("VHW not decoded")
    }
    if case .vhw(let s)? = only("IIVHW,245.1") {
      #expect(s.trueHeading != nil)
    } else {
      Issue.record("VHW not decoded")
    }
    if case .vhw(let s)? = only("VWVHW,,,,,-1.0,N") {
      #expect(near(s.speedMetresPerSecond, -0.514_444_444, 1e-8))
    } else {
      Issue.record("VHW not decoded")
    }
  }

  @Test("MDA's pressure is the one of finer resolution, its wind is in metres per second")
  func mda() {
    // An Airmar WeatherStation's, from pynmea2's tests, with its checksum.
    let text = "$WIMDA,30.2269,I,1.0236,B,17.7,C,,,43.3,,5.0,C,131.5,T,128.6,M,0.8,N,0.4,M*54\r\n"
    guard case .mda(let s)? = decode(text).sentences.first?.sentence else {
      Issue.record("MDA not decoded")
      return
    }
    // 30.2269 times 33.86389, by hand.
    #expect(near(s.pressureHectopascal, 1023.600_4, 1e-4))
    #expect(s.airCelsius == 17.7)
    #expect(s.waterCelsius == nil)
    #expect(s.relativeHumidityPercent == 43.3)
    #expect(s.dewPointCelsius == 5)
    #expect(near(s.trueWindDirection?.degrees, 131.5))
    #expect(near(s.magneticWindDirection?.degrees, 128.6))
    #expect(near(s.windSpeedMetresPerSecond, 0.411_555_556, 1e-8))
  }

  @Test(
    "A pressure is decoded from either unit; an impossible one is nil",
    arguments: [
      ("29.92,I,1.01321,B", 1013.21), ("29.92,I,1.013,B", 1013.207_589), (",,1.013,B", 1013),
      ("29.92,I,,B", 1013.207_589), ("29.92,X,,", nil), ("1013.2,I,1013.2,B", nil), (",,,", nil),
    ] as [(String, Double?)])
  func pressure(fields: String, hectopascal: Double?) {
    if case .mda(let s)? = only("WIMDA,\(fields),-5.5,C,4,C") {
      #expect(near(s.pressureHectopascal, hectopascal, 1e-5))
      #expect(s.airCelsius == -5.5)
      #expect(s.waterCelsius == 4)
    } else {
      Issue.record("MDA not decoded: \(fields)")
    }
    if case .mmb(let s)? = only("WIMMB,\(fields)") {
      #expect(near(s.pressureHectopascal, hectopascal, 1e-5))
    } else {
      Issue.record("MMB not decoded: \(fields)")
    }
  }

  @Test(
    "MWV's speed is in metres per second, and nil where its status is V",
    arguments: [
      ("251.4,R,3.1,N,A", 251.4, 1.594_777_778), ("10.1,T,36,K,A", 10.1, 10),
      ("0,R,5,M,A", 0, 5), ("359.9,R,10,S,A", 359.9, 4.4704), ("251.4,R,3.1,X,A", 251.4, nil),
      ("251.4,R,3.1,N,V", nil, nil), (",R,,N,A", nil, nil), ("251.4,R,3.1,N", 251.4, 1.594_777_778),
      ("-10,R,3,M,A,extra", 350, 3),
    ] as [(String, Double?, Double?)])
  func mwv(fields: String, degrees: Double?, speed: Double?) {
    guard case .mwv(let s)? = only("WIMWV,\(fields)") else {
      Issue.record("MWV not decoded: \(fields)")
      return
    }
    #expect(near(s.angle?.degrees, degrees))
    #expect(near(s.speedMetresPerSecond, speed, 1e-8))
    #expect(s.reference == (fields.contains("T") ? .theoretical : .apparent))
  }

  @Test("Temperatures with another unit letter than C are nil")
  func temperatures() {
    // humminbird-M37's own.
    if case .mtw(let s)? = decode("$INMTW,17.9,C*1B\r\n").sentences.first?.sentence {
      #expect(s.celsius == 17.9)
    } else {
      Issue.record("MTW not decoded")
    }
    if case .mtw(let s)? = only("INMTW,64.2,F") {
      #expect(s.celsius == nil)
    } else {
      Issue.record("MTW not decoded")
    }
    if case .mtw(let s)? = only("INMTW,-1.5") {
      #expect(s.celsius == -1.5)
    } else {
      Issue.record("MTW not decoded")
    }
    if case .mta(let s)? = only("WIMTA,-40.0,C,x") {
      #expect(s.celsius == -40)
    } else {
      Issue.record("MTA not decoded")
    }
    if case .mhu(let s)? = only("WIMHU,66.0,5.0,3.0,C") {
      #expect(s.relativeHumidityPercent == 66)
      #expect(s.dewPointCelsius == 3)
    } else {
      Issue.record("MHU not decoded")
    }
  }

  @Test("Depths are decoded from any of the units")
  func depths() {
    for body in ["SDDBT,7.8,f,2.4,M,1.3,F", "SDDBT,,,2.4,M", "SDDBT,,f,2.4,M,,F,x"] {
      if case .dbt(let s)? = only(body) {
        #expect(s.depthMetres == 2.4)
      } else {
        Issue.record("DBT not decoded: \(body)")
      }
    }
    if case .dbt(let s)? = only("SDDBT,10,f,,M,,F") {
      #expect(near(s.depthMetres, 3.048))
    } else {
      Issue.record("DBT not decoded")
    }
    if case .dbk(let s)? = only("SDDBK,,,,,2,F") {
      #expect(near(s.depthMetres, 3.6576))
    } else {
      Issue.record("DBK not decoded")
    }
    if case .dbs(let s)? = only("SDDBS,,f,-1,M,,F") {
      #expect(s.depthMetres == nil)
    } else {
      Issue.record("DBS not decoded")
    }
    if case .dpt(let s)? = only("INDPT,2.3,0.0") {
      #expect(s.depthMetres == 2.3)
      #expect(s.belowSurfaceMetres == nil)
      #expect(s.belowKeelMetres == nil)
    } else {
      Issue.record("DPT not decoded")
    }
    if case .dpt(let s)? = only("SDDPT,5.0,-1.5,100") {
      #expect(s.belowKeelMetres == 3.5)
      #expect(s.rangeMetres == 100)
    } else {
      Issue.record("DPT not decoded")
    }
    if case .dpt(let s)? = only("SDDPT,5.0,1.5") {
      #expect(s.belowSurfaceMetres == 6.5)
    } else {
      Issue.record("DPT not decoded")
    }
    if case .dpt(let s)? = only("SDDPT,") {
      #expect(s.depthMetres == nil)
    } else {
      Issue.record("DPT not decoded")
    }
  }

  @Test("MWD, VWR and VWT are decoded")
  func winds() {
    if case .mwd(let s)? = only("WIMWD,270.1,T,268.0,M,12.5,N,6.4,M") {
      #expect(near(s.trueDirection?.degrees, 270.1))
      #expect(near(s.magneticDirection?.degrees, 268))
      #expect(near(s.speedMetresPerSecond, 6.430_555_556, 1e-8))
    } else {
      Issue.record("MWD not decoded")
    }
    if case .mwd(let s)? = only("WIMWD,,T,268.0,T,,N,6.4,M,x") {
      #expect(s.trueDirection == nil)
      #expect(s.magneticDirection == nil)
      #expect(s.speedMetresPerSecond == 6.4)
    } else {
      Issue.record("MWD not decoded")
    }
    if case .vwr(let s)? = only("IIVWR,45.0,L,12.6,N,6.5,M,23.3,K") {
      #expect(near(s.angle?.degrees, 315))
      #expect(near(s.speedMetresPerSecond, 6.482, 1e-9))
    } else {
      Issue.record("VWR not decoded")
    }
    if case .vwr(let s)? = only("IIVWR,45.0,X,,N,,M,36,K") {
      #expect(s.angle == nil)
      #expect(near(s.speedMetresPerSecond, 10))
    } else {
      Issue.record("VWR not decoded")
    }
    if case .vwt(let s)? = only("IIVWT,75.0,R") {
      #expect(near(s.angle?.degrees, 75))
      #expect(s.speedMetresPerSecond == nil)
    } else {
      Issue.record("VWT not decoded")
    }
    #expect(decode(sentence("IIVWT,75.0")).1.malformed == 1)
  }

  @Test("VLW, VBW and VDR are decoded")
  func water() {
    if case .vlw(let s)? = only("VWVLW,1.5,N,0.5,N,2.0,N,1.0,N") {
      #expect(near(s.totalWaterMetres, 2778))
      #expect(near(s.waterMetres, 926))
      #expect(near(s.totalGroundMetres, 3704))
      #expect(near(s.groundMetres, 1852))
    } else {
      Issue.record("VLW not decoded")
    }
    if case .vlw(let s)? = only("VWVLW,,N,0.5,K") {
      #expect(s.totalWaterMetres == nil)
      #expect(s.waterMetres == nil)
      #expect(s.groundMetres == nil)
    } else {
      Issue.record("VLW not decoded")
    }
    if case .vbw(let s)? = only("VDVBW,-7.1,0.5,A,6.9,-0.4,V,0.2,A,-0.1,V") {
      #expect(near(s.throughWater.ahead, -3.652_555_556, 1e-8))
      #expect(near(s.throughWater.starboard, 0.257_222_222, 1e-8))
      #expect(near(s.throughWater.sternStarboard, 0.102_888_889, 1e-8))
      #expect(s.overGround.ahead == nil && s.overGround.starboard == nil)
      #expect(s.overGround.sternStarboard == nil)
    } else {
      Issue.record("VBW not decoded")
    }
    if case .vbw(let s)? = only("VDVBW,12.3,,") {
      #expect(near(s.throughWater.ahead, 6.327_666_667, 1e-8))
      #expect(s.throughWater.starboard == nil)
    } else {
      Issue.record("VBW not decoded")
    }
    if case .vdr(let s)? = only("IIVDR,179.5,T,177.0,M,0.6,N") {
      #expect(near(s.trueSet?.degrees, 179.5))
      #expect(near(s.magneticSet?.degrees, 177))
      #expect(near(s.driftMetresPerSecond, 0.308_666_667, 1e-8))
    } else {
      Issue.record("VDR not decoded")
    }
    if case .vdr(let s)? = only("IIVDR,,T,,M,,N") {
      #expect(s.trueSet == nil)
    } else {
      Issue.record("VDR not decoded")
    }
  }
}
