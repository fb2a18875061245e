import ReceiverProtocols
import TestSupport
import Testing

/// One frame of a recorded log and what pyubx2 1.4.0 reads in it.
struct RecordedFrame: Sendable {
  let log: String
  let name: String
  /// Which of the log's frames of this type, from 0.
  let index: Int
  let values: String
}

let recordedFrames: [RecordedFrame] = [
  RecordedFrame(
    log: "ublox-neo-m8u-hnr", name: "HNR-PVT", index: 0,
    values: """
      iTOW=344782800,year=2021,month=6,day=16,hour=23,min=46,second=4,validDate=1,validTime=\
      1,fullyResolved=1,nano=800000005,gpsFix=3,GPSfixOK=1,DiffSoln=0,WKNSET=1,TOWSET=1,head\
      VehValid=1,lon=-121.3140877,lat=44.0688578,height=1111800,hMSL=1133150,gSpeed=33,speed\
      =33,headMot=235.05708,headVeh=235.05708,hAcc=3024,vAcc=6053,sAcc=291,headAcc=33.34189
      """),
  RecordedFrame(
    log: "ublox-neo-m8u-hnr", name: "HNR-ATT", index: 11,
    values: """
      iTOW=344783900,version=1,roll=0.0,pitch=-79.05474,heading=235.05708,accRoll=20.0,accPi\
      tch=39.08395,accHeading=33.3973
      """),
  RecordedFrame(
    log: "ublox-neo-f9v", name: "NAV-PVAT", index: 0,
    values: """
      iTOW=9631000,version=0,validDate=1,validTime=1,fullyResolved=1,validMag=1,year=2025,mo\
      nth=9,day=14,hour=2,min=40,sec=13,tAcc=27,nano=-78138,fixType=3,gnssFixOK=1,diffSoln=1\
      ,vehRollValid=0,vehPitchValid=1,vehHeadingValid=1,carrSoln=0,confirmedAvai=1,confirmed\
      Date=1,confirmedTime=1,numSV=30,lon=-121.3140788,lat=44.0688183,height=1106009,hMSL=11\
      27359,hAcc=1121,vAcc=1733,velN=-7,velE=-12,velD=1,gSpeed=13,sAcc=118,vehRoll=0.0,vehPi\
      tch=0.0,vehHeading=0.0,motHeading=0.0,accRoll=0.0,accPitch=97.23,accHeading=180.0,magD\
      ec=13.66,magAcc=0.7,errEllipseOrient=169.84,errEllipseMajor=2354,errEllipseMinor=1409
      """),
  RecordedFrame(
    log: "ublox-neo-f9v", name: "NAV-VELNED", index: 1,
    values: """
      iTOW=9632000,velN=0,velE=0,velD=1,speed=1,gSpeed=0,heading=0.0,sAcc=17,cAcc=180.0
      """),
  RecordedFrame(
    log: "ublox-neo-f9v", name: "NAV-TIMEUTC", index: 0,
    values: """
      iTOW=9631000,tAcc=27,nano=-78138,year=2025,month=9,day=14,hour=2,min=40,sec=13,validTO\
      W=1,validWKN=1,validUTC=1,authStatus=0,utcStandard=3
      """),
  RecordedFrame(
    log: "ublox-neo-f9v", name: "NAV-CLOCK", index: 2,
    values: """
      iTOW=9633000,clkB=-922223,clkD=-176,tAcc=4,fAcc=493
      """),
  RecordedFrame(
    log: "ublox-neo-f9v", name: "MON-RF", index: 0,
    values: """
      version=0,nBlocks=1,msgSource=0,blockId_01=0,jammingState_01=0,antStatus_01=2,antPower\
      _01=1,postStatus_01=0,noisePerMS_01=99,agcCnt_01=2457,jamInd_01=23,ofsI_01=13,magI_01=\
      169,ofsQ_01=6,magQ_01=167
      """),
  RecordedFrame(
    log: "ublox-zed-f9p-rtk", name: "NAV-PVT", index: 5,
    values: """
      iTOW=212687000,year=2022,month=10,day=11,hour=11,min=4,second=29,validDate=1,validTime\
      =1,fullyResolved=1,validMag=0,tAcc=23,nano=51519,fixType=3,gnssFixOk=1,diffSoln=1,psmS\
      tate=0,headVehValid=0,carrSoln=1,confirmedAvai=1,confirmedDate=1,confirmedTime=1,numSV\
      =19,lon=15.2120431,lat=47.1290927,height=869171,hMSL=826513,hAcc=286,vAcc=713,velN=-18\
      ,velE=3,velD=-4,gSpeed=19,headMot=197.9506,sAcc=277,headAcc=180.0,pDOP=2.42,invalidLlh\
      =0,lastCorrectionAge=8,authTime=0,nmaFixStatus=0,headVeh=0.0,magDec=0.0,magAcc=0.0
      """),
  RecordedFrame(
    log: "ublox8-uniqid-monhw", name: "NAV-SOL", index: 0,
    values: """
      iTOW=74560000,fTOW=255883,week=2307,gpsFix=3,gpsfixOK=1,diffSoln=0,wknSet=1,towSet=1,e\
      cefX=-200172379,ecefY=-392508994,ecefZ=459656954,pAcc=2898,ecefVX=-3,ecefVY=-7,ecefVZ=\
      6,sAcc=73,pDOP=2.23,numSV=6
      """),
  RecordedFrame(
    log: "ublox8-uniqid-monhw", name: "NAV-TIMELS", index: 0,
    values: """
      iTOW=74566000,version=0,srcOfCurrLs=1,currLs=18,srcOfLsChange=0,lsChange=0,timeToLsEve\
      nt=0,dateOfLsGpsWn=0,dateOfLsGpsDn=0,validCurrLs=1,validTimeToLsEvent=0
      """),
  RecordedFrame(
    log: "ublox-lea-m8f", name: "NAV-PVT", index: 0,
    values: """
      iTOW=450402000,year=2025,month=4,day=11,hour=5,min=6,second=24,validDate=1,validTime=1\
      ,fullyResolved=1,validMag=0,tAcc=3,nano=-192599,fixType=5,gnssFixOk=1,diffSoln=0,psmSt\
      ate=0,headVehValid=0,carrSoln=0,confirmedAvai=0,confirmedDate=0,confirmedTime=0,numSV=\
      19,lon=138.5961479,lat=-34.9082196,height=60505,hMSL=64005,hAcc=1058,vAcc=748,velN=0,v\
      elE=0,velD=0,gSpeed=0,headMot=0.0,sAcc=10,headAcc=169.28812,pDOP=99.99,invalidLlh=0,la\
      stCorrectionAge=0,authTime=1,nmaFixStatus=1,headVeh=86.52837,magDec=21.3,magAcc=1.32
      """),
  RecordedFrame(
    log: "ublox-lea-m8f", name: "NAV-TIMEGPS", index: 3,
    values: """
      iTOW=450405000,fTOW=-192600,week=2361,leapS=18,towValid=1,weekValid=1,leapSValid=1,tAc\
      c=3
      """),
  RecordedFrame(
    log: "ublox-neo-m8p", name: "NAV-RELPOSNED", index: 0,
    values: """
      version=0,refStationID=0,iTOW=411553500,relPosN=0.0,relPosE=0.0,relPosD=0.0,accN=0.0,a\
      ccE=0.0,accD=0.0,gnssFixOK=1,diffSoln=0,relPosValid=0,carrSoln=0,isMoving=0,refPosMiss\
      =0,refObsMiss=0,relPosHeadingValid=0,relPosNormalized=0
      """),
  RecordedFrame(
    log: "ublox-neo-m8n", name: "NAV-PVT", index: 1,
    values: """
      iTOW=291019000,year=2017,month=7,day=19,hour=8,min=50,second=1,validDate=1,validTime=1\
      ,fullyResolved=1,validMag=0,tAcc=3,nano=-100231,fixType=3,gnssFixOk=1,diffSoln=1,psmSt\
      ate=0,headVehValid=0,carrSoln=0,confirmedAvai=0,confirmedDate=0,confirmedTime=0,numSV=\
      14,lon=138.6081199,lat=-34.9062266,height=25378,hMSL=28849,hAcc=1133,vAcc=1603,velN=16\
      ,velE=-4,velD=11,gSpeed=16,headMot=31.47178,sAcc=172,headAcc=8.76409,pDOP=1.45,invalid\
      Llh=0,lastCorrectionAge=0,authTime=1,nmaFixStatus=1,headVeh=-5368.13568,magDec=0.0,mag\
      Acc=327.68
      """),
  RecordedFrame(
    log: "ublox-neo-m8p", name: "NAV-DOP", index: 7,
    values: """
      iTOW=411555250,gDOP=3.02,pDOP=2.49,tDOP=1.72,vDOP=2.23,hDOP=1.09,nDOP=0.83,eDOP=0.72
      """),
]

@Suite(.timeLimit(.minutes(30))) struct RecordedFrameTests {
  private static let types: [String: UInt16] = [
    "HNR-PVT": 0x2800, "HNR-ATT": 0x2801, "NAV-PVAT": 0x0117, "NAV-VELNED": 0x0112,
    "NAV-TIMEUTC": 0x0121, "NAV-CLOCK": 0x0122, "MON-RF": 0x0A38, "NAV-PVT": 0x0107,
    "NAV-SOL": 0x0106, "NAV-TIMELS": 0x0126, "NAV-TIMEGPS": 0x0120, "NAV-RELPOSNED": 0x013C,
    "NAV-DOP": 0x0104,
  ]

  @Test(
    "Recorded frames decode to the values of another decoder",
    .enabled(
      if: SharedData.path("data/gnss") != nil, "the recorded logs are not beside the repository"),
    arguments: recordedFrames)
  func agrees(_ recorded: RecordedFrame) throws {
    let log = try #require(SharedData.bytes("data/gnss/\(recorded.log).log"))
    let type = try #require(Self.types[recorded.name])
    let frames = ubxFrames(in: log).filter { $0[2] == type >> 8 && $0[3] == type & 255 }
    let frame = try #require(frames.count > recorded.index ? frames[recorded.index] : nil)
    let found = differences(frame, recorded.values, isWhole: false)
    #expect(found.isEmpty, "\(recorded.name) of \(recorded.log): \(found)")
  }

  @Test(
    "Every valid frame of the logs decodes, except for unregistered types",
    .enabled(
      if: SharedData.path("data/gnss") != nil, "the recorded logs are not beside the repository"))
  func logs() throws {
    // How many frames pyubx2 reads, and how many of them are EELL, RXM, SEC or rarer MON and CFG.
    let wanted = [
      ("ublox-lea-m8f", 193, 2), ("ublox-neo-f9v", 53, 4), ("ublox-neo-m8n", 52, 0),
      ("ublox-neo-m8p", 484, 12), ("ublox-neo-m8u-hnr", 46, 0), ("ublox-zed-f9p-rtk", 70, 0),
      ("ublox8-uniqid-monhw", 100, 2),
    ]
    for (name, frameCount, unregisteredCount) in wanted {
      let log = try #require(SharedData.bytes("data/gnss/\(name).log"))
      let frames = ubxFrames(in: log)
      let outcomes = frames.map { decodeUBX($0) { _ in }.rejection }
      #expect(frames.count == frameCount, "\(name)")
      #expect(outcomes.filter { $0 == .unregistered }.count == unregisteredCount, "\(name)")
      #expect(!outcomes.contains(.malformed), "\(name)")
    }
  }

  @Test(
    "The versions of a receiver are decoded as texts",
    .enabled(
      if: SharedData.path("data/gnss") != nil, "the recorded logs are not beside the repository"))
  func versions() throws {
    let log = try #require(SharedData.bytes("data/gnss/ublox-lea-m8f.log"))
    let frame = try #require(ubxFrames(in: log).first { $0[2] == 0x0A && $0[3] == 0x04 })
    let decoded: (String, String, [String], Int?)? = readUBX(
      0x0A04, Array(frame[6..<frame.count - 2])
    ) {
      guard case .monVer(let m) = $0 else { return nil }
      return (
        m.software.string, m.hardware.string, m.extensions.map(\.text.string),
        m.protocolVersionHundredths
      )
    }
    let (software, hardware, extensions, version) = try #require(decoded)
    #expect(software == "2.20 (81289)")
    #expect(hardware == "00080000")
    let wanted = [
      "2.01 (75331)", "PROTVER 16.00", "FIS 0xEF4015 (79189)", "MOD LEA-M8F-0", "FTS 1.01",
      "GPS;SBAS;GLO;BDS;QZSS",
    ]
    #expect(extensions == wanted)
    #expect(version == 1600)
  }

  /// All frames with a good checksum, found without the framer.
  private func ubxFrames(in log: [UInt8]) -> [[UInt8]] {
    var (frames, i): ([[UInt8]], Int) = ([], 0)
    while i + 8 <= log.count {
      let end = i + 8 + Int(log[i + 4]) + Int(log[i + 5]) * 256
      if log[i] == 0xB5, log[i + 1] == 0x62, end <= log.count {
        let frame = Array(log[i..<end])
        let type = UInt16(frame[2]) << 8 | UInt16(frame[3])
        if ubxFrame(type, Array(frame[6..<frame.count - 2])) == frame {
          frames.append(frame)
          i = end
          continue
        }
      }
      i += 1
    }
    return frames
  }
}
