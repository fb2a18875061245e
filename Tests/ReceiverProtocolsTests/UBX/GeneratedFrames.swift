/// Frames of every message with what an independent decoder reads in them.
///
/// The payloads are random numbers laid out by the field tables of pyubx2 1.4.0, a decoder by other
/// authors; the values are those that it read back. In those marked `isWhole` every validity flag
/// is set, so that every field must come out.
struct GeneratedFrame: Sendable {
  let name: String
  let isWhole: Bool
  let hex: String
  let values: String
}

let generatedFrames: [GeneratedFrame] = [
  GeneratedFrame(
    name: "NAV-POSECEF", isWhole: true,
    hex: """
      b56201011400100ab7218cb465fd05553ffe16cac9fe1f4628037869
      """,
    values: """
      iTOW=565643792,ecefX=-43666292,ecefY=-29403899,ecefZ=-20329962,pAcc=52971039
      """),
  GeneratedFrame(
    name: "NAV-POSLLH", isWhole: true,
    hex: """
      b56201021c00c36e420515391deb3cf5cbd3244408fc9862af039f05b9000225a400fcb8
      """,
    values: """
      iTOW=88239811,lon=-35.0406379,lat=-74.1608132,height=-66567132,hMSL=61825688,hAcc=1212\
      5599,vAcc=10757378
      """),
  GeneratedFrame(
    name: "NAV-POSLLH", isWhole: false,
    hex: """
      b56201021c00571824170e4970eebc6334e0f84a50fda8fdc200facb7401951e93012880
      """,
    values: """
      iTOW=388241495,lon=-29.4631154,lat=-53.3437508,height=-45069576,hMSL=12778920,hAcc=244\
      31610,vAcc=26418837
      """),
  GeneratedFrame(
    name: "NAV-STATUS", isWhole: true,
    hex: """
      b5620103100055b47816030f02820eb25000bbf84f015407
      """,
    values: """
      iTOW=377009237,gpsFix=3,gpsFixOk=1,diffSoln=1,wknSet=1,towSet=1,diffCorr=0,carrSolnVal\
      id=1,mapMatching=0,psmState=2,spoofDetState=0,carrSoln=2,ttff=5288462,msss=22018235
      """),
  GeneratedFrame(
    name: "NAV-STATUS", isWhole: false,
    hex: """
      b56201031000967c83090102425b249ede00242ac80008dd
      """,
    values: """
      iTOW=159612054,gpsFix=1,gpsFixOk=0,diffSoln=1,wknSet=0,towSet=0,diffCorr=0,carrSolnVal\
      id=1,mapMatching=1,psmState=3,spoofDetState=3,carrSoln=1,ttff=14589476,msss=13117988
      """),
  GeneratedFrame(
    name: "NAV-DOP", isWhole: true,
    hex: """
      b56201041200a954350be6215143c19e01b685d6d99ee45e19f5
      """,
    values: """
      iTOW=188044457,gDOP=86.78,pDOP=172.33,tDOP=406.41,vDOP=465.93,hDOP=549.17,nDOP=406.65,\
      eDOP=242.92
      """),
  GeneratedFrame(
    name: "NAV-ATT", isWhole: true,
    hex: """
      b562010520002e27eb17000000009adf13ffd56379ffec49d6017d17ba01c7cb0f015a801302a447
      """,
    values: """
      iTOW=401286958,version=0,roll=-154.7479,pitch=-88.21803,heading=308.20844,accRoll=289.\
      72925,accPitch=178.12423,accHeading=348.32474
      """),
  GeneratedFrame(
    name: "NAV-ATT", isWhole: false,
    hex: """
      b56201052000b02143010000000092efc0fde769c800e5fef900d6f281031329df013a0dd702f572
      """,
    values: """
      iTOW=21176752,version=0,roll=-376.87406,pitch=131.34311,heading=163.83717,accRoll=588.\
      47958,accPitch=314.02259,accHeading=476.48058
      """),
  GeneratedFrame(
    name: "NAV-SOL", isWhole: true,
    hex: """
      b562010634008680ba21c2b6c7ff5de5040c4a29de02147d49015e68fffff9ca5902d5e6ed017bf2e5fe1b\
      2f79029c29110390b1001400000000a842
      """,
    values: """
      iTOW=565870726,fTOW=-3688766,week=-6819,gpsFix=4,gpsfixOK=0,diffSoln=0,wknSet=1,towSet\
      =1,ecefX=48113994,ecefY=21593364,ecefZ=-38818,pAcc=39439097,ecefVX=32368341,ecefVY=-18\
      484613,ecefVZ=41496347,sAcc=51456412,pDOP=454.56,numSV=20
      """),
  GeneratedFrame(
    name: "NAV-SOL", isWhole: false,
    hex: """
      b56201063400c83f1c19b776f1fc1af6030dd2a4c4fc553072fde2b59b031ea63a0198d364032a5488fd7b\
      101efeaddc0700aa93006500000000bd1c
      """,
    values: """
      iTOW=421281736,fTOW=-51284297,week=-2534,gpsFix=3,gpsfixOK=1,diffSoln=0,wknSet=1,towSe\
      t=1,ecefX=-54221614,ecefY=-42848171,ecefZ=60536290,pAcc=20620830,ecefVX=56939416,ecefV\
      Y=-41397206,ecefVZ=-31584133,sAcc=515245,pDOP=378.02,numSV=101
      """),
  GeneratedFrame(
    name: "NAV-PVT", isWhole: true,
    hex: """
      b56201075c008d46f4170e080c0a0a011e0febbdb903fb8a772d026ee0b04c26b13fc2fae40e51721c0054\
      accdff34fee2001fca4f03d89defffd83dcdfcba679c020fc615025e25c0feae564100d6f2c200ef4d0660\
      00000000d8b600014c260e06f0eb
      """,
    values: """
      iTOW=401884813,year=2062,month=12,day=10,hour=10,min=1,second=30,validDate=1,validTime\
      =1,fullyResolved=1,validMag=1,tAcc=62504427,nano=762809083,fixType=2,gnssFixOk=0,diffS\
      oln=1,psmState=3,headVehValid=1,carrSoln=1,confirmedAvai=1,confirmedDate=1,confirmedTi\
      me=1,numSV=176,lon=106.8574284,lat=24.9887426,height=1864273,hMSL=-3298220,hAcc=148762\
      12,vAcc=55560735,velN=-1073704,velE=-53658152,velD=43804602,gSpeed=34981391,headMot=-2\
      09.61954,sAcc=4282030,headAcc=127.7615,pDOP=199.51,invalidLlh=0,lastCorrectionAge=3,au\
      thTime=1,nmaFixStatus=1,headVeh=168.24024,magDec=98.04,magAcc=15.5
      """),
  GeneratedFrame(
    name: "NAV-PVT", isWhole: false,
    hex: """
      b56201075c000dfe9a021d08040614273b0fd01c2b03d8e892230587e0cdc4e10842f98e8df1d949650169\
      c4ed027d9ef80308fffe02f78c6bfe99c17ffcad1a3e01075c17feda17f5ff924b4e00fda81700694e1120\
      00000000961acf005f8d659c9bb9
      """,
    values: """
      iTOW=43712013,year=2077,month=4,day=6,hour=20,min=39,second=59,validDate=1,validTime=1\
      ,fullyResolved=1,validMag=1,tAcc=53157072,nano=596830424,fixType=5,gnssFixOk=1,diffSol\
      n=1,psmState=1,headVehValid=0,carrSoln=2,confirmedAvai=1,confirmedDate=1,confirmedTime\
      =1,numSV=205,lon=110.787834,lat=-24.2381063,height=23415257,hMSL=49136745,hAcc=6662514\
      9,vAcc=50265864,velN=-26505993,velE=-58736231,velD=20847277,gSpeed=-32023545,headMot=-\
      7.1479,sAcc=5131154,headAcc=15.50589,pDOP=200.73,invalidLlh=1,lastCorrectionAge=8,auth\
      Time=1,nmaFixStatus=0,headVeh=135.72758,magDec=-293.45,magAcc=400.37
      """),
  GeneratedFrame(
    name: "NAV-VELECEF", isWhole: true,
    hex: """
      b56201111400b0aee8211262b9fdbccd59fc286d48fcb89dcd009074
      """,
    values: """
      iTOW=568897200,ecefVX=-38182382,ecefVY=-61223492,ecefVZ=-62362328,sAcc=13475256
      """),
  GeneratedFrame(
    name: "NAV-VELNED", isWhole: true,
    hex: """
      b56201122400db78de18108074020491d1fd91b8bcfd111aaa0016d79602a9a3070251002e0335db2c025a\
      37
      """,
    values: """
      iTOW=417233115,velN=41189392,velE=-36597500,velD=-37963631,speed=11147793,gSpeed=43439\
      894,heading=340.55081,sAcc=53346385,cAcc=364.94133
      """),
  GeneratedFrame(
    name: "NAV-VELNED", isWhole: false,
    hex: """
      b5620112240060c08c0a541560fe9d1c3603870b5dfed3441701fed6b10051d51702f11f5300651905036f\
      ca
      """,
    values: """
      iTOW=176996448,velN=-27257516,velE=53877917,velD=-27456633,speed=18302163,gSpeed=11654\
      910,heading=351.16369,sAcc=5447665,cAcc=506.65829
      """),
  GeneratedFrame(
    name: "NAV-HPPOSECEF", isWhole: true,
    hex: """
      b56201131c0000000000edfefd203c142a025b6a9302b73aeafc750f130079f17e0266b3
      """,
    values: """
      version=0,iTOW=553516781,ecefX=36312125.17,ecefY=43215451.15,ecefZ=-51758408.81,invali\
      dEcef=0,pAcc=4187378.5
      """),
  GeneratedFrame(
    name: "NAV-HPPOSECEF", isWhole: false,
    hex: """
      b56201131c00000000000a57781e4858c1031932d402532f9a03c661d1002dd12602e993
      """,
    values: """
      version=0,iTOW=511203082,ecefX=63002695.42,ecefY=47460889.97,ecefZ=60436306.53,invalid\
      Ecef=0,pAcc=3609834.9000000004
      """),
  GeneratedFrame(
    name: "NAV-HPPOSLLH", isWhole: true,
    hex: """
      b5620114240000000000f2beb71ce940671c24ee39e8a7bea802a6d182fd492b77c301eeb00146016903a1\
      9b
      """,
    values: """
      version=0,invalidLlh=0,iTOW=481804018,lon=47.652887373,lat=-39.885666757,height=446132\
      98.9,hMSL=-41758304.1,hAcc=2837248.1,vAcc=5721325.4
      """),
  GeneratedFrame(
    name: "NAV-HPPOSLLH", isWhole: false,
    hex: """
      b5620114240000000001ac5cbf06a66aee394f6c52195355d20370173402bc841370ad95b4005ec13a03b3\
      c5
      """,
    values: """
      version=0,invalidLlh=1,iTOW=113204396,lon=97.192618132,lat=42.483207776,height=6411605\
      2.9,hMSL=36968315.2,hAcc=1183479.7,vAcc=5418223.800000001
      """),
  GeneratedFrame(
    name: "NAV-PVAT", isWhole: true,
    hex: """
      b562011774009601b50f000ff607040b080d26000000f56702030c853219037aa03ef3bcda573717670133\
      3cbc0371251e0060bd4703cd927b01d3d54c0115d9b0004d5d0301b0333ffe989c89016cab710327a893fc\
      35db6a012deecafd79adc9e1008e14d18a41fd4bdd8b32008b7e6e0200000000000000005da5
      """,
    values: """
      iTOW=263520662,version=0,validDate=1,validTime=1,fullyResolved=1,validMag=1,year=2038,\
      month=4,day=11,hour=8,min=13,sec=38,tAcc=50489333,nano=422741260,fixType=3,gnssFixOK=0\
      ,diffSoln=1,vehRollValid=1,vehPitchValid=1,vehHeadingValid=1,carrSoln=1,confirmedAvai=\
      1,confirmedDate=0,confirmedTime=1,numSV=62,lon=147.3953011,lat=2.3533367,height=626678\
      27,hMSL=1975665,hAcc=55033184,vAcc=24875725,velN=21812691,velE=11589909,velD=16997709,\
      gSpeed=-29412432,sAcc=25795736,vehRoll=577.811,vehPitch=-574.32025,vehHeading=237.8014\
      9,motHeading=-370.32403,accRoll=444.09,accPitch=578.01,accHeading=363.52,magDec=-120.1\
      2,magAcc=167.78,errEllipseOrient=194.53,errEllipseMajor=3312605,errEllipseMinor=407957\
      87
      """),
  GeneratedFrame(
    name: "NAV-PVAT", isWhole: false,
    hex: """
      b56201177400549b3805000b0c0801090e3b3b000000b9806302778dfa100441e0d00c98b5098a6be1dc62\
      608902a44f9302d0f38d0345841000ba70e6ff33b1f6fee5de8c02be16e7fd52128a02f0570a00009a2800\
      6c756a0062fba3030ab4066cdb49509a19dca2525bfc700001ad340300000000000000002f8b
      """,
    values: """
      iTOW=87595860,version=0,validDate=1,validTime=1,fullyResolved=0,validMag=1,year=2060,m\
      onth=1,day=9,hour=14,min=59,sec=59,tAcc=40075449,nano=284855671,fixType=4,gnssFixOK=1,\
      diffSoln=0,vehRollValid=0,vehPitchValid=0,vehHeadingValid=0,carrSoln=1,confirmedAvai=1\
      ,confirmedDate=1,confirmedTime=1,numSV=208,lon=16.2895884,lat=-58.9206646,height=42557\
      538,hMSL=43208612,hAcc=59634640,vAcc=1082437,velN=-1675078,velE=-17387213,velD=4278653\
      3,gSpeed=-35187010,sAcc=42603090,vehRoll=6.77872,vehPitch=26.60864,vehHeading=69.76876\
      ,motHeading=610.7837,accRoll=460.9,accPitch=276.54,accHeading=189.07,magDec=-260.32,ma\
      gAcc=563.45,errEllipseOrient=211.54,errEllipseMajor=7404635,errEllipseMinor=53783809
      """),
  GeneratedFrame(
    name: "NAV-TIMEGPS", isWhole: true,
    hex: """
      b562012010007b901e197d7e55fe60412807ae393600aecc
      """,
    values: """
      iTOW=421433467,fTOW=-27951491,week=16736,leapS=40,towValid=1,weekValid=1,leapSValid=1,\
      tAcc=3553710
      """),
  GeneratedFrame(
    name: "NAV-TIMEGPS", isWhole: false,
    hex: """
      b56201201000a3d8cb165d795e009f81c301c4e0f7004093
      """,
    values: """
      iTOW=382458019,fTOW=6191453,week=-32353,leapS=-61,towValid=1,weekValid=0,leapSValid=0,\
      tAcc=16244932
      """),
  GeneratedFrame(
    name: "NAV-TIMEUTC", isWhole: true,
    hex: """
      b56201211400602e15231af5e801afb7f1001f08060d09311fefcd2a
      """,
    values: """
      iTOW=588590688,tAcc=32044314,nano=15841199,year=2079,month=6,day=13,hour=9,min=49,sec=\
      31,validTOW=1,validWKN=1,validUTC=1,authStatus=1,utcStandard=14
      """),
  GeneratedFrame(
    name: "NAV-TIMEUTC", isWhole: false,
    hex: """
      b56201211400ccdcd31e50ad6701b50c5d20e807040b15131349f42f
      """,
    values: """
      iTOW=517201100,tAcc=23571792,nano=542969013,year=2024,month=4,day=11,hour=21,min=19,se\
      c=19,validTOW=1,validWKN=0,validUTC=0,authStatus=1,utcStandard=4
      """),
  GeneratedFrame(
    name: "NAV-CLOCK", isWhole: true,
    hex: """
      b56201221400a690b91c17550300aff3affe19690300c05dea028e08
      """,
    values: """
      iTOW=481923238,clkB=218391,clkD=-22023249,tAcc=223513,fAcc=48913856
      """),
  GeneratedFrame(
    name: "NAV-CLOCK", isWhole: false,
    hex: """
      b5620122140013208d0eef0ff7fffc26f1fc90dc120039828402c7f4
      """,
    values: """
      iTOW=244129811,clkB=-585745,clkD=-51304708,tAcc=1236112,fAcc=42238521
      """),
  GeneratedFrame(
    name: "NAV-TIMELS", isWhole: true,
    hex: """
      b56201261800f8ee362200000000764c5804c18b90fd7ccf84e0000000032604
      """,
    values: """
      iTOW=574025464,version=0,srcOfCurrLs=118,currLs=76,srcOfLsChange=88,lsChange=4,timeToL\
      sEvent=-40858687,dateOfLsGpsWn=53116,dateOfLsGpsDn=57476,validCurrLs=1,validTimeToLsEv\
      ent=1
      """),
  GeneratedFrame(
    name: "NAV-TIMELS", isWhole: false,
    hex: """
      b5620126180004e54a1000000000b524c10b4f994cfe9ecb3e630000000164c4
      """,
    values: """
      iTOW=273343748,version=0,srcOfCurrLs=181,currLs=36,srcOfLsChange=193,lsChange=11,timeT\
      oLsEvent=-28534449,dateOfLsGpsWn=52126,dateOfLsGpsDn=25406,validCurrLs=1,validTimeToLs\
      Event=0
      """),
  GeneratedFrame(
    name: "NAV-SVINFO", isWhole: true,
    hex: """
      b562013038006426ee1c04010000b801a0027c30ac0021a2defe3e34850263a8d200c3a2410326510c0505\
      4a1a01756035ff412ce50143b4e50004eea4019495
      """,
    values: """
      iTOW=485369444,numCh=4,chipGen=1,chn_01=184,svid_01=1,svUsed_01=0,diffCorr_01=0,orbitA\
      vail_01=0,orbitEph_01=0,unhealthy_01=0,orbitAlm_01=1,orbitAop_01=0,smoothed_01=1,quali\
      tyInd_01=2,cno_01=124,elev_01=48,azim_01=172,prRes_01=-18963935,chn_02=62,svid_02=52,s\
      vUsed_02=1,diffCorr_02=0,orbitAvail_02=1,orbitEph_02=0,unhealthy_02=0,orbitAlm_02=0,or\
      bitAop_02=0,smoothed_02=1,qualityInd_02=2,cno_02=99,elev_02=-88,azim_02=210,prRes_02=5\
      4633155,chn_03=38,svid_03=81,svUsed_03=0,diffCorr_03=0,orbitAvail_03=1,orbitEph_03=1,u\
      nhealthy_03=0,orbitAlm_03=0,orbitAop_03=0,smoothed_03=0,qualityInd_03=5,cno_03=5,elev_\
      03=74,azim_03=282,prRes_03=-13279115,chn_04=65,svid_04=44,svUsed_04=1,diffCorr_04=0,or\
      bitAvail_04=1,orbitEph_04=0,unhealthy_04=0,orbitAlm_04=1,orbitAop_04=1,smoothed_04=1,q\
      ualityInd_04=1,cno_04=67,elev_04=-76,azim_04=229,prRes_04=27586052
      """),
  GeneratedFrame(
    name: "NAV-SAT", isWhole: true,
    hex: """
      b56201352c00d7901e0b010300000016b03cec000ee95b09c003030104d41300e2de2349cc02010116bd84\
      009569ac5942028b12
      """,
    values: """
      iTOW=186552535,version=1,numSvs=3,gnssId_01=0,svId_01=22,cno_01=176,elev_01=60,azim_01\
      =236,prRes_01=-587.4,qualityInd_01=3,svUsed_01=1,health_01=1,diffCorr_01=1,smoothed_01\
      =0,orbitSource_01=1,ephAvail_01=1,almAvail_01=0,anoAvail_01=0,aopAvail_01=0,sbasCorrUs\
      ed_01=0,rtcmCorrUsed_01=0,slasCorrUsed_01=0,spartnCorrUsed_01=0,prCorrUsed_01=0,crCorr\
      Used_01=0,doCorrUsed_01=1,clasCorrUsed_01=1,lppCorrUsed_01=1,hasCorrUsed_01=1,gnssId_0\
      2=3,svId_02=1,cno_02=4,elev_02=-44,azim_02=19,prRes_02=-847.8,qualityInd_02=3,svUsed_0\
      2=0,health_02=2,diffCorr_02=0,smoothed_02=0,orbitSource_02=1,ephAvail_02=1,almAvail_02\
      =0,anoAvail_02=0,aopAvail_02=1,sbasCorrUsed_02=0,rtcmCorrUsed_02=0,slasCorrUsed_02=1,s\
      partnCorrUsed_02=1,prCorrUsed_02=0,crCorrUsed_02=0,doCorrUsed_02=1,clasCorrUsed_02=1,l\
      ppCorrUsed_02=0,hasCorrUsed_02=1,gnssId_03=1,svId_03=1,cno_03=22,elev_03=-67,azim_03=1\
      32,prRes_03=2702.9,qualityInd_03=4,svUsed_03=1,health_03=2,diffCorr_03=0,smoothed_03=1\
      ,orbitSource_03=1,ephAvail_03=1,almAvail_03=1,anoAvail_03=0,aopAvail_03=1,sbasCorrUsed\
      _03=0,rtcmCorrUsed_03=1,slasCorrUsed_03=0,spartnCorrUsed_03=0,prCorrUsed_03=0,crCorrUs\
      ed_03=0,doCorrUsed_03=1,clasCorrUsed_03=0,lppCorrUsed_03=0,hasCorrUsed_03=1
      """),
  GeneratedFrame(
    name: "NAV-COV", isWhole: true,
    hex: """
      b562013640006a806220000101000000000000000000b6d3e2416909dec1d33f0ac2be36b7c1cdc2ddc052\
      b9b6c18346f641bad5c240633f40c22f1d0942e92f9ec1c9dfc9c10f33
      """,
    values: """
      iTOW=543326314,version=0,posCovValid=1,velCovValid=1,posCovNN=28.353374481201172,posCo\
      vNE=-27.754594802856445,posCovND=-34.56232833862305,posCovEE=-22.901729583740234,posCo\
      vED=-6.930029392242432,posCovDD=-22.84048843383789,velCovNN=30.7844295501709,velCovNE=\
      6.088589668273926,velCovND=-48.0619010925293,velCovEE=34.278499603271484,velCovED=-19.\
      773393630981445,velCovDD=-25.234270095825195
      """),
  GeneratedFrame(
    name: "NAV-RELPOSNED-V0", isWhole: true,
    hex: """
      b562013c2800000097c082d27f1fad809d012b15edfd66df20001b5dfd00095cf90144f91402824d3500ac\
      000000dfc5
      """,
    values: """
      version=0,refStationID=49303,iTOW=528470658,relPosN=27099309.27,relPosE=-34794196.07,r\
      elPosD=2154341.97,accN=3311924.1,accE=3492896.4000000004,accD=349325.0,gnssFixOK=0,dif\
      fSoln=0,relPosValid=1,carrSoln=1,isMoving=1,refPosMiss=0,refObsMiss=1,relPosHeadingVal\
      id=0,relPosNormalized=0
      """),
  GeneratedFrame(
    name: "NAV-RELPOSNED-V0", isWhole: false,
    hex: """
      b562013c28000000e4688236701db716fc020c8aaf01f43bb1febeb982006f283103c34a52015e08f1020e\
      00000070ac
      """,
    values: """
      version=0,refStationID=26852,iTOW=493893250,relPosN=50075318.34,relPosE=28281355.29,re\
      lPosD=-21939213.26,accN=5355326.300000001,accE=2217030.7,accD=4935075.0,gnssFixOK=0,di\
      ffSoln=1,relPosValid=1,carrSoln=1,isMoving=0,refPosMiss=0,refObsMiss=0,relPosHeadingVa\
      lid=0,relPosNormalized=0
      """),
  GeneratedFrame(
    name: "NAV-RELPOSNED", isWhole: true,
    hex: """
      b562013c400001000c4b3312820d91335efc436f1affa3555f0392f8d802e42082000000000087b14218d5\
      d6a901452c4103d98f3e01c4a199027b62760200000000b60300002720
      """,
    values: """
      version=1,refStationID=19212,iTOW=226628147,relPosN=-60935280.21,relPosE=-15044797.79,\
      relPosD=56579491.66,relPosLength=47773842.24,relPosHeading=85.281,accN=2790779.7,accE=\
      5460282.100000001,accD=2087727.3,accLength=4362285.2,accHeading=413.12891,gnssFixOK=0,\
      diffSoln=1,relPosValid=1,carrSoln=2,isMoving=1,refPosMiss=0,refObsMiss=1,relPosHeading\
      Valid=1,relPosNormalized=1
      """),
  GeneratedFrame(
    name: "NAV-RELPOSNED", isWhole: false,
    hex: """
      b562013c400001002ce4afb6651bd33f55fd077e4c02138aa20078922e02662f1b0000000000d09f688ac6\
      08c900d8113b027b81d8027988e0011c1e520100000000290100006044
      """,
    values: """
      version=1,refStationID=58412,iTOW=459650735,relPosN=-44744749.48,relPosE=38567430.03,r\
      elPosD=10652180.04,relPosLength=36606582.82,relPosHeading=17.81606,accN=1317498.200000\
      0002,accE=3742562.4000000004,accD=4774335.5,accLength=3149221.7,accHeading=221.58876,g\
      nssFixOK=1,diffSoln=0,relPosValid=0,carrSoln=1,isMoving=1,refPosMiss=0,refObsMiss=0,re\
      lPosHeadingValid=1,relPosNormalized=0
      """),
  GeneratedFrame(
    name: "NAV-DAHEADING", isWhole: true,
    hex: """
      b56201453c0002000000216866117bebffff7e0f00008c99fffff6140000fe77360100000000d60a0000b0\
      000000500200007f0f0000d1b4000000000000570000009ae6
      """,
    values: """
      version=2,iTOW=291924001,relPosN=-5253,relPosE=3966,relPosD=-26228,relPosLength=5366,r\
      elPosHeading=203.46878,accN=2774,accE=176,accD=592,accLength=3967,accHeading=0.46289,g\
      nssFixOK=1,diffSoln=1,relPosValid=1,carrSoln=2,relPosHeadingValid=1
      """),
  GeneratedFrame(
    name: "NAV-DAHEADING", isWhole: false,
    hex: """
      b56201453c00020000003d825907f4a6ffff25b30000e451ffffa04f0000259d2400000000002102000052\
      040000b0080000ee04000031810d00000000000b0000000891
      """,
    values: """
      version=2,iTOW=123306557,relPosN=-22796,relPosE=45861,relPosD=-44572,relPosLength=2038\
      4,relPosHeading=23.99525,accN=545,accE=1106,accD=2224,accLength=1262,accHeading=8.8504\
      1,gnssFixOK=1,diffSoln=1,relPosValid=0,carrSoln=1,relPosHeadingValid=0
      """),
  GeneratedFrame(
    name: "NAV-SIG", isWhole: true,
    hex: """
      b562014338002592510e00030000010e96c92962ac05097d9e01000000000002775faccc9503b5e6710000\
      0000000201621d4662de031feea6010000000017be
      """,
    values: """
      iTOW=240226853,version=0,numSigs=3,gnssId_01=1,svId_01=14,sigId_01=150,freqId_01=201,p\
      rRes_01=2512.9,cno_01=172,qualityInd_01=5,corrSource_01=9,ionoModel_01=125,health_01=2\
      ,prSmoothed_01=1,prUsed_01=1,crUsed_01=1,doUsed_01=0,prCorrUsed_01=0,crCorrUsed_01=1,d\
      oCorrUsed_01=1,authStatus_01=0,gnssId_02=0,svId_02=2,sigId_02=119,freqId_02=95,prRes_0\
      2=-1314.0,cno_02=149,qualityInd_02=3,corrSource_02=181,ionoModel_02=230,health_02=1,pr\
      Smoothed_02=0,prUsed_02=0,crUsed_02=1,doUsed_02=1,prCorrUsed_02=1,crCorrUsed_02=0,doCo\
      rrUsed_02=0,authStatus_02=0,gnssId_03=2,svId_03=1,sigId_03=98,freqId_03=29,prRes_03=25\
      15.8,cno_03=222,qualityInd_03=3,corrSource_03=31,ionoModel_03=238,health_03=2,prSmooth\
      ed_03=1,prUsed_03=0,crUsed_03=0,doUsed_03=1,prCorrUsed_03=0,crCorrUsed_03=1,doCorrUsed\
      _03=1,authStatus_03=0
      """),
  GeneratedFrame(
    name: "NAV-EOE", isWhole: true,
    hex: """
      b56201610400c5c8a2089d7f
      """,
    values: """
      iTOW=144885957
      """),
  GeneratedFrame(
    name: "ACK-NAK", isWhole: true,
    hex: """
      b5620500020020264d8c
      """,
    values: """
      clsID=32,msgID=38
      """),
  GeneratedFrame(
    name: "ACK-ACK", isWhole: true,
    hex: """
      b56205010200d6997770
      """,
    values: """
      clsID=214,msgID=153
      """),
  GeneratedFrame(
    name: "CFG-PRT", isWhole: true,
    hex: """
      b562060014000200265dc012000027a36c010600000002000000b0a5
      """,
    values: """
      portID=2,enable=0,pol=1,pin=9,thres=186,charLen=3,parity=1,nStopBits=1,baudRate=238968\
      71,inUBX=0,inNMEA=1,inRTCM=1,inRTCM3=0,outUBX=0,outNMEA=0,outRTCM3=0,extendedTxTimeout\
      =1
      """),
  GeneratedFrame(
    name: "CFG-MSG", isWhole: true,
    hex: """
      b562060108007d924bdc92f51500e1e8
      """,
    values: """
      msgClass=125,msgID=146,rateDDC=75,rateUART1=220,rateUART2=146,rateUSB=245,rateSPI=21
      """),
  GeneratedFrame(
    name: "CFG-RATE", isWhole: true,
    hex: """
      b56206080600381527750100fe6a
      """,
    values: """
      measRate=5432,navRate=29991,timeRef=1
      """),
  GeneratedFrame(
    name: "CFG-NAV5", isWhole: true,
    hex: """
      b56206242400f804080216688d0352df3b03d2b7d46b09be6f7ae6d4e4554ffe0000a3bcb600000000009e\
      06
      """,
    values: """
      dyn=0,minEl=0,posFixMode=0,drLim=1,posMask=1,timeMask=1,staticHoldMask=1,dgpsMask=1,cn\
      oThreshold=0,utc=1,dynModel=8,fixMode=2,fixedAlt=595988.7000000001,fixedAltVar=5425.54\
      42,minElev=-46,drLimit=183,pDop=2760.4,tDop=4864.900000000001,pAcc=31343,tAcc=54502,st\
      aticHoldThresh=228,dgnssTimeOut=85,cnoThreshNumSVs=79,cnoThresh=254,staticHoldMaxDist=\
      48291,utcStandard=182
      """),
  GeneratedFrame(
    name: "CFG-NAV5", isWhole: false,
    hex: """
      b562062424000c05040328ef4dfc9ee37f0073e1e8e88e883e717be1d0532f6900004df84400000000004f\
      a9
      """,
    values: """
      dyn=0,minEl=0,posFixMode=1,drLim=1,posMask=0,timeMask=0,staticHoldMask=0,dgpsMask=0,cn\
      oThreshold=1,utc=1,dynModel=4,fixMode=3,fixedAlt=-620013.68,fixedAltVar=838.1342,minEl\
      ev=115,drLimit=225,pDop=5962.400000000001,tDop=3495.8,pAcc=28990,tAcc=57723,staticHold\
      Thresh=208,dgnssTimeOut=83,cnoThreshNumSVs=47,cnoThresh=105,staticHoldMaxDist=63565,ut\
      cStandard=68
      """),
  GeneratedFrame(
    name: "MON-VER", isWhole: true,
    hex: """
      b5620a04820030343739393945302044353942313534323544312e34343539440000000033352034474600\
      0000003120204743204442472e463045363734383120344239324133380000000045354639453830383831\
      30414147423546323441343543363944000000003935322e43343942433046313330463920464131433732\
      2e20340000000083b5
      """,
    values: """
      swVersion="047999E0 D59B15425D1.4459D",hwVersion="35 4GF",extension_01="1  GC DBG.F0E6\
      7481 4B92A38",extension_02="E5F9E808810AAGB5F24A45C69D",extension_03="952.C49BC0F130F9\
       FA1C72. 4"
      """),
  GeneratedFrame(
    name: "MON-HW", isWhole: true,
    hex: """
      b5620a093c008a6f4e457d87b361b82efc22b31a9e62f5414101030004003b6ae83469dabde1996d556a16\
      6c4b0f28e4cf3b508200007b4b3823f7a56f2423c62529f50b
      """,
    values: """
      pinSel=1162768266,pinBank=1639155581,pinDir=586952376,pinVal=1654528691,noisePerMS=168\
      85,agcCnt=321,aStatus=3,aPower=0,rtcCalib=0,safeBoot=0,jammingState=1,xtalAbsent=0,use\
      dMask=887646779,VP_01=105,VP_02=218,VP_03=189,VP_04=225,VP_05=153,VP_06=109,VP_07=85,V\
      P_08=106,VP_09=22,VP_10=108,VP_11=75,VP_12=15,VP_13=40,VP_14=228,VP_15=207,VP_16=59,VP\
      _17=80,jamInd=130,pinIrq=590891899,pullH=611296759,pullL=690341411
      """),
  GeneratedFrame(
    name: "MON-RF", isWhole: true,
    hex: """
      b5620a38340000020100ae02030170d41902000000005f55b30c0295353e4b0000002b0102019757650000\
      0000001892c717b5c528440d0000005106
      """,
    values: """
      version=0,nBlocks=2,msgSource=1,blockId_01=174,jammingState_01=2,antStatus_01=3,antPow\
      er_01=1,postStatus_01=35247216,noisePerMS_01=21855,agcCnt_01=3251,jamInd_01=2,ofsI_01=\
      -107,magI_01=53,ofsQ_01=62,magQ_01=75,blockId_02=43,jammingState_02=1,antStatus_02=2,a\
      ntPower_02=1,postStatus_02=6641559,noisePerMS_02=37400,agcCnt_02=6087,jamInd_02=181,of\
      sI_02=-59,magI_02=40,ofsQ_02=68,magQ_02=13
      """),
  GeneratedFrame(
    name: "TIM-TP", isWhole: true,
    hex: """
      b5620d011000d7a7830063b1fe01b73316fc5f6a28d2f137
      """,
    values: """
      towMS=8628183,towSubMS=0.007792555494,qErr=-65653833,week=27231,timeBase=0,utc=0,raim=\
      2,qErrInvalid=0,TpNotLocked=1,timeRefGnss=2,utcStandard=13
      """),
  GeneratedFrame(
    name: "TIM-TP", isWhole: false,
    hex: """
      b5620d0110008ce58500a615240353f6750297e30a70aa7d
      """,
    values: """
      towMS=8775052,towSubMS=0.012269356754,qErr=41285203,week=58263,timeBase=0,utc=1,raim=2\
      ,qErrInvalid=0,TpNotLocked=0,timeRefGnss=0,utcStandard=7
      """),
  GeneratedFrame(
    name: "ESF-MEAS", isWhole: true,
    hex: """
      b5621002140056d67800001863bee7fde41090f4c10c09ff65069ff2
      """,
    values: """
      timeTag=7919190,timeMarkSent=0,timeMarkEdge=0,calibTtagValid=0,numMeas=3,id=48739,data\
      Field_01=15007207,dataType_01=16,dataField_02=12711056,dataType_02=12,dataField_03=668\
      4425,dataType_03=6
      """),
  GeneratedFrame(
    name: "ESF-MEAS", isWhole: false,
    hex: """
      b56210021400643e79010518515ee1132205eba99e0e51dbed0688d3
      """,
    values: """
      timeTag=24723044,timeMarkSent=1,timeMarkEdge=1,calibTtagValid=0,numMeas=3,id=24145,dat\
      aField_01=2233313,dataType_01=5,dataField_02=10398187,dataType_02=14,dataField_03=1558\
      8177,dataType_03=6
      """),
  GeneratedFrame(
    name: "ESF-RAW", isWhole: true,
    hex: """
      b56210031c0000000000cfaf49117cd1d65258ee62281cdabd7ea6e8bb6fd72acf545957
      """,
    values: """
      data_01=290041807,sTag_01=1389810044,data_02=677572184,sTag_02=2126371356,data_03=1874\
      585766,sTag_03=1422863063
      """),
  GeneratedFrame(
    name: "ESF-STATUS", isWhole: true,
    hex: """
      b56210101c00a65964220269010000000000010000030309520c9203fc000f03d6081cd6
      """,
    values: """
      iTOW=577001894,version=2,wtInitStatus=1,mntAlgStatus=2,insInitStatus=3,imuInitStatus=1\
      ,fusionMode=1,numSens=3,type_01=3,used_01=0,ready_01=0,calibStatus_01=1,timeStatus_01=\
      2,freq_01=82,badMeas_01=0,badTTag_01=0,missingMeas_01=1,noisyMeas_01=1,type_02=18,used\
      _02=0,ready_02=1,calibStatus_02=3,timeStatus_02=0,freq_02=252,badMeas_02=0,badTTag_02=\
      0,missingMeas_02=0,noisyMeas_02=0,type_03=15,used_03=0,ready_03=0,calibStatus_03=3,tim\
      eStatus_03=0,freq_03=214,badMeas_03=0,badTTag_03=0,missingMeas_03=0,noisyMeas_03=1
      """),
  GeneratedFrame(
    name: "ESF-STATUS", isWhole: false,
    hex: """
      b56210101c00caccd407022d01000000000002000003900097038b0a560c4903f3094b5e
      """,
    values: """
      iTOW=131386570,version=2,wtInitStatus=1,mntAlgStatus=3,insInitStatus=1,imuInitStatus=1\
      ,fusionMode=2,numSens=3,type_01=16,used_01=0,ready_01=1,calibStatus_01=0,timeStatus_01\
      =0,freq_01=151,badMeas_01=1,badTTag_01=1,missingMeas_01=0,noisyMeas_01=0,type_02=11,us\
      ed_02=0,ready_02=1,calibStatus_02=2,timeStatus_02=2,freq_02=86,badMeas_02=0,badTTag_02\
      =0,missingMeas_02=1,noisyMeas_02=1,type_03=9,used_03=1,ready_03=0,calibStatus_03=3,tim\
      eStatus_03=0,freq_03=243,badMeas_03=1,badTTag_03=0,missingMeas_03=0,noisyMeas_03=1
      """),
  GeneratedFrame(
    name: "ESF-ALG", isWhole: true,
    hex: """
      b562101410004fee740001020600c58800003062d502a4e6
      """,
    values: """
      iTOW=7663183,version=1,autoMntAlgOn=0,status=1,tiltAlgError=0,yawAlgError=1,angleError\
      =1,yaw=350.13,pitch=251.36,roll=7.25
      """),
  GeneratedFrame(
    name: "ESF-ALG", isWhole: false,
    hex: """
      b562101410000d1a521301090000e12a0000a1a36b79fdfe
      """,
    values: """
      iTOW=324147725,version=1,autoMntAlgOn=1,status=4,tiltAlgError=0,yawAlgError=0,angleErr\
      or=0,yaw=109.77,pitch=-236.47,roll=310.83
      """),
  GeneratedFrame(
    name: "ESF-INS", isWhole: true,
    hex: """
      b56210152400013f000000000000e0f3612229fb4e00159f23022564dffd8b330bfea3778300e24ce50006\
      24
      """,
    values: """
      version=1,xAngRateValid=1,yAngRateValid=1,zAngRateValid=1,xAccelValid=1,yAccelValid=1,\
      zAccelValid=1,iTOW=576844768,xAngRate=5176.105,yAngRate=35888.917,zAngRate=-35691.483,\
      xAccel=-328203.41000000003,yAccel=86158.43000000001,zAccel=150274.26
      """),
  GeneratedFrame(
    name: "ESF-INS", isWhole: false,
    hex: """
      b5621015240001270000000000004da0fb0ba2bf63fca3649601903f750183aaf201a1286bfeef3af7037c\
      b3
      """,
    values: """
      version=1,xAngRateValid=1,yAngRateValid=1,zAngRateValid=1,xAccelValid=0,yAccelValid=0,\
      zAccelValid=1,iTOW=201039949,xAngRate=-60571.742,yAngRate=26633.379,zAngRate=24461.2,x\
      Accel=326805.79,yAccel=-265316.79,zAccel=665341.27
      """),
  GeneratedFrame(
    name: "HNR-PVT", isWhole: true,
    hex: """
      b56228004800f2a015170708051c0c272307179999fd011c0000d4938f3f0718c03457755900c38df8fe2c\
      849efc43b785fc9ea343010e236e00e90aaf03b85aec01d0b81502cc24a400000000009101
      """,
    values: """
      iTOW=387293426,year=2055,month=5,day=28,hour=12,min=39,second=35,validDate=1,validTime\
      =1,fullyResolved=1,nano=-40265449,gpsFix=1,GPSfixOK=0,DiffSoln=0,WKNSET=1,TOWSET=1,hea\
      dVehValid=1,lon=106.63741,lat=88.5004295,height=5862743,hMSL=-17265213,gSpeed=-5672034\
      0,speed=-58345661,headMot=212.10014,headVeh=72.17934,hAcc=61803241,vAcc=32266936,sAcc=\
      34978000,headAcc=107.57324
      """),
  GeneratedFrame(
    name: "HNR-PVT", isWhole: false,
    hex: """
      b56228004800462dc51ee607020a161a1002484b20f605120000e72adcb282e8fd05267272fcd0b552fd09\
      42fc0289a68800c21c09fd86fd8d00fa211503f95ede00755f7a00a5a9430000000000e14e
      """,
    values: """
      iTOW=516238662,year=2022,month=2,day=10,hour=22,min=26,second=16,validDate=0,validTime\
      =1,fullyResolved=0,nano=-165655736,gpsFix=5,GPSfixOK=0,DiffSoln=1,WKNSET=0,TOWSET=0,he\
      adVehValid=1,lon=-129.4193945,lat=10.052621,height=-59608538,hMSL=-44911152,gSpeed=500\
      86409,speed=8955529,headMot=-497.34462,headVeh=93.05478,hAcc=51716602,vAcc=14573305,sA\
      cc=8019829,headAcc=44.34341
      """),
  GeneratedFrame(
    name: "HNR-ATT", isWhole: true,
    hex: """
      b56228012000b7bedb0e00000000ab5536fd8dd919ff664803019a6844019db3b3014fe06901eee8
      """,
    values: """
      iTOW=249282231,version=0,roll=-467.70773,pitch=-150.83123,heading=169.92358,accRoll=21\
      2.60442,accPitch=285.54141,accHeading=237.15919
      """),
  GeneratedFrame(
    name: "HNR-ATT", isWhole: false,
    hex: """
      b56228012000946e4113000000008ae068fd9f411afe777a4201c9f58e030225fc011722ab03f440
      """,
    values: """
      iTOW=323055252,version=0,roll=-434.58422,pitch=-318.33697,heading=211.33943,accRoll=59\
      7.00681,accPitch=333.01762,accHeading=615.47031
      """),
  GeneratedFrame(
    name: "HNR-INS", isWhole: true,
    hex: """
      b56228022400003f0000000000007dee120dfc322500655e37fc77133d00a553a503271cf3fd81412a00e6\
      9d
      """,
    values: """
      version=0,xAngRateValid=1,yAngRateValid=1,zAngRateValid=1,xAccelValid=1,yAccelValid=1,\
      zAccelValid=1,iTOW=219344509,xAngRate=2437.884,yAngRate=-63480.219000000005,zAngRate=4\
      002.679,xAccel=611665.01,yAccel=-343991.93,zAccel=27692.81
      """),
  GeneratedFrame(
    name: "HNR-INS", isWhole: false,
    hex: """
      b56228022400002b000000000000b3358d0e432b4cfd6fe35d00e77b38fe3c1e46fdfc3265ff69a0f3fe23\
      74
      """,
    values: """
      version=0,xAngRateValid=1,yAngRateValid=1,zAngRateValid=0,xAccelValid=1,yAccelValid=0,\
      zAccelValid=1,iTOW=244135347,xAngRate=-45339.837,yAngRate=6153.071,zAngRate=-29852.697\
      ,xAccel=-457363.88,yAccel=-101450.28,zAccel=-175881.19
      """),
]
