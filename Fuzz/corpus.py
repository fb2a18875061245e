"""Seeds for the fuzz targets, cut out of the recorded receiver logs and the configuration files of the repository."""
import glob, json, os, re, sqlite3, struct, tempfile, zlib

SENSOR_CSV = [
    "t,gx,gy,gz,ax,ay,az,mx,my,mz\n0,0.1,-0.2,1e-3,0,0,9.81,20,-3.5,40\n0.01,,,,,,,21,-3.5,40\r\n",
    "t,pressure,temperature,lat,lon,alt,hacc,vacc,speed,course\n1.5,1013.25,20,48.1,-11.5,520,2,3,1,359.9\n"
    "2,,,,,,,,,\n2.5,900,-5,-90,180,-410.5,0,0,0,0\n",
    "\ufefft, mx ,my,mz,other\n 0 ,1,2,3,text\n1,1,2,3,\n0.5,1,2,3,\n",
    "t,mx,my,mz\n0,0x10,nan,1e400\n",
    "t,lat,lon\n0,1,\n",
    "t,gx\n0,1\n",
]

MODELS = [
    "    2025.0            WMM-2025     11/13/2024\n  1  0  -29351.8       0.0       12.0        0.0\n"
    "  1  1   -1410.8    4545.4        9.7      -21.5\n" + "9" * 48 + "\n",
    "2025.0 x 1\n1 0 1 0 0 0\n1 1 1 1 1 1\n2 0 -2556.6 0 -11.6 0\n2 1 2951.1 -3133.6 -5.2 -27.7\n"
    "2 2 1649.3 -815.1 -8.0 -12.1\n999999999999\n",
    "1900 a b\n1 0 1e5 0 0 0\n",
]

# Frames of receivers that no recorded log has; ChecksumRepair makes the checksums of mutations valid.
FRAMES = [bytes.fromhex(text) for text in (
    "aa44121c2a00002048000000a3b473089874a81300000002f6b1ffff0000000010000000fcabe18241934940ba32868af6815cc0"
    "0010e5df71239140000088c13d0000002421a53ff18f8f3f43743c40000000000000000000000000151515000002110155cec389",
    "aa44121c2a0002204800000090b49305b0abb912000000004561bc0a00000000100000001b0450b3f28e494016fa6bbe7c825cc0"
    "0060769f449f9040a62a82c13d000000125acb3fcd9e983fdb6640400030303000000000000000000b0b00000006000342dc4c48",
    "aa44b5614608780000a0f608c0e8261c0000000000120c000000000022000000fa46a6521b0a4440ebfb16fc220f5d40da1b7c61"
    "3275504048e107c13d000000c66d9c3f787a8d3fa69b0c4030000000cdcccc3ecdcc4c3e321c1c00011212410000000008000000"
    "00000000000000004850fc1873d7723f035dfb027af974403bdf4f8d976e723fc0ec9e3cf085493cb788e8a5",
    "aa44b561cc032c0000a08e08f01cc4150000000000120c000000000032000000925cbe3eceaaaa431904c8c000000000a470cd3f"
    "19041e40393939001f1f1f1c030003f32dbae0fa",
    "244023daa74f600060a2090d6109040030f3af21405fec3ff0abbafef2ffb43fdd24068195676040e17a34420000a03f000020c0"
    "0000003e52489443000000000000c03f0ad7233c00001b00d204780011000000000100009600030005000000",
    "2440b6231217380060a2090d6109040017b7d139faed6b3a0ad7233b0000000017b7d13817b751390000000052499db900000000"
    "00000000",
    "244005201417380060a2090d610904000ad7233c0ad7233dec51b83d000000006f12833a6f12033b00000000a69b443b00000000"
    "00000000",
    "24403bbba10f200060a2090d61091b00910058004b007c000000b0400000f040",
    "2440846432172c0060a2090d610914000400000079e9f6420000c0bf0000803e000000000000000000000000",
    "2440212b3317280060a2090d610900000ad7233dec51b83d0ad7233e000000000000000000000000",
    "244015a21a17180060a2090d61091a010d0c2d1112070000",
    "2440f8752117100060a2090d61090000",
    "2440f37bae2f200000709914740929007b000000600000002000000000040700",
    "24406569fc0f24000070991474090208010000006000e75dd007020080b02b49d0070800",
    "2440da24f20f200060a2090d610907000009010802070b0a0c0415061e0f0000",
    "2440a0b1ad0f740060a2090d6109040c08000000050000007b4001002d0201000000030002000000010003000000000026090000"
    "6701030003010100000003000300000051000000ffc1000080010100000001000000000096000000074005003c02010001000300"
    "080000000000030008000000",
    "24400297bb0f680060a2090d610903140c0000000100050000000000000000000000008c64000002030a98000000000000000000"
    "200afa0000000000000000000108260000000000000000000000006e64000000011c96000000000000000000000000ff64000000",
    "b562136008000100004010000000ccdc",
    "b56213600800000001800102030406ee",
    "b5622703090001000000010203040543ae",
    "2440c17aa74f600060a2090d61090001000000205fa012c2000000205fa012c2000000205fa012c2f90295d0f90295d0f90295d0"
    "f90295d0f90295d0000000205fa012c2f90295d0ffffff00ffffffff0000000000000000ffffffffffff0000",
    "2440d8f2bb2f3000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
    "bace5000010398a451000707031a09110000f5ec953f98b1ff3d43295940521c09dbae762b40418ef7c100000000621ae13eb191"
    "973f0000000000000000000000000000000000000000000000000856d6380024744924cc33b9",
    "bace1c00010198a45100f5ec953fa6061c3faa07803f20fbbe3ee1c8f63e11b6363f0b1a717c",
    "bace48000102418cc804070700031909100072006209e60800008036cb40bae82a46797731c1bf42b680973b5741053d8e86a7f3"
    "364107c0c93f00000000000000000000000088ea6b39a4c2893fe958f59d",
    "bace180001102890c804ee3d8940004959b70000ea0701120333380700036730994a",
    "bace18000110f28f6f05ec82c240e6e5a139c800ea0707160f191a070003c516ceb3",
    "a0a10003836a07ee0d0a",
    "a0a100286a830102000007d00000001e4047a48290689870c02121666a98244f43f9ce5600000000000000000f0d0a",
    "b562067128000000020179272f1c870ce5fa28c3000043bd0c000000000000000000000000000000000000000000f6ef",
    "b562063d1c000200010079272f1c870ce5fa28c30000000000000000000000000000aafd",
    "b562067128000000010000000000000000000000000000000000000000002c010000204e000000000000000000003b62",
    "a0a1003ba802090961014dc3700ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99afc60fd7044800"
    "00007dffffffd80000001e930d0a",
    "a0a1003ba801090961014dc3d40ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99afc60fd7044800"
    "00007dffffffd80000001e340d0a",
    "a0a1003ba800090961014dc4380ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99afc60fd7044800"
    "00007dffffffd80000001ede0d0a",
    "f1d90101140068d47c0ae2542df9ad1c4d24402ef7084d0200002a50f1d9010510000007"
    "2c79ff553e16100012000600000092 5af1d90111140068d47c0a00000000000000000000000004000000eca5",
    "f1d901021c0068d47c0aac2afd3b7c4f2f08dc91ffff12f9ffff991200008f0d0000ac17",
    "f1d90104120068d47c0a95007e0050006700470037002d004ed2",
    "f1d9012114005755610a0000000051560b00ea07020300160d273f69",
    "f1d90112240068d47c0a0000000000000000000000000000000000000000653054000000000000000000e2b0",
    "f1d901c0200004ea07030407371afe2afd3b864e2f08388effff000000004d004d007300191aa438",
    "f1d901305000 00b1620a03000000e8000e0631509e00e5ffffff20995ac3f447bf33a2ed744110000e062e4fbcffe2ffffff3106a7c3"
    "a88a5f1eeafc724144000e062a4712001b000000672814c40e382f21207372410000",
)] + [text.encode() for text in (
    "#UNIHEADINGA,78,GPS,FINE,2428,116060000,0,0,18,11;SOL_COMPUTED,NARROW_INT,1.4773,179.0284,-2.4202,0."
    "0000,0.8259,1.0921,\"999\",27,21,21,15,3,01,3,f3*5d424350\r\n",
    "#UNIHEADINGA,93,GPS,FINE,2385,326588000,0,0,18,10;SOL_COMPUTED,NARROW_FLOAT,5.5208,219.9783,24.6813,"
    "0.0000,16.4390,35.3287,\"999\",21,9,9,5,3,00,3,13*53e4320d\r\n",
    "#HEADINGA,COM2,0,23.0,FINE,2376,266819.200,112748,24,18;SOL_COMPUTED,NARROW_INT,0.7935,309.5608,-1.6"
    "492,0.0000,0.2902,0.7118,\"999\",52,46,46,27,3,00,3,f3*91c43d2c\r\n",
    "#BESTPOSA,COM1,0,83.5,FINESTEERING,2163,329760.000,02400000,b1f6,65535;SOL_COMPUTED,SINGLE,51.150438"
    "74397,-114.03066788586,1097.6822,-17.0000,WGS84,1.3648,1.1806,3.1112,\"\",0.000,0.000,18,18,18,0,00,02"
    ",11,01*c3194e35\r\n",
    "#PVTSLNA,79,GPS,FINE,2377,93246900,0,0,18,8;SINGLE,188.1621,34.60324214605,-86.74943363150,7.5696,4."
    "3304,3.4834,0.000,SINGLE,188.1621,34.60324214605,-86.74943363150,-28.5587,19,17,19,17,-0.0933,-0.046"
    "9,-0.1506,NONE,0.0000,0.0000,0.0000,0,0,0,0,2.8451,1.6314,0.8332,2.4753,2.3309,5.0,17,3,4,9,16,26,31"
    ",47,49,51,76,77,82,104,179,182,196,205*d127bb24\r\n",
    "$PQTMPVT,1,459596000,20230505,073938.000,1,3,31,18,31.82176510,117.11534360,99.357,-0.337,-0.004,0.000,"
    "-0.003,0.004,96.91,0.51,0.93*74\r\n$PQTMEPE,2,3.393,3.476,12.713,4.857,13.609*5D\r\n",
    "$PQTMVEL,1,154512.100,1.251,2.452,1.245,2.752,3.021,180.512,0.124,0.254,0.250*67\r\n",
    "$PAIRSPF,0*53\r\n$PQTMDOP,1,570643000,1.01,0.88,0.49,0.73,0.50,0.36,0.35*7C\r\n",
    "$PQTMDRPVA,1,1534581,062343.400,2,26.74837099,106.66894064,1270.464,0.000,0.557,0.268,0.637,0.618,118.013,"
    "11.383,248.324*5B\r\n",
    "$PQTMVEHATT,1,1000,10.002154,20.235412,160.145185,1.254123,5.451214,5.012154*3D\r\n",
    "$GNTXT,01,01,02,ANTSTATUS=OK*25\r\n",
    "+CGPSINFO: 3433.035574,S,05829.585934,W,310520,210511.0,6.6,0.0,0.0\r\n",
)]

# Deltas of a Signal K server: the specification's sample, those of RMC, of NMEA 2000, of other vessels.
SIGNALK_DELTAS = [
    '{"name":"signalk-server","version":"2.8.3","self":"vessels.urn:mrn:imo:mmsi:234567890","roles":["master"]}\r\n',
    '{"context":"vessels.urn:mrn:imo:mmsi:234567890","updates":[{"source":{"label":"actisense","type":"NMEA2000",'
    '"name":378473,"src":"115","pgn":129029},"$source":"actisense.115","timestamp":"2017-04-03T06:14:04.451Z","values":'
    '[{"path":"navigation.position","value":{"longitude":10.5,"latitude":54.5,"altitude":12.5}},'
    '{"path":"navigation.gnss.methodQuality","value":"RTK float"},{"path":"navigation.gnss.satellites","value":11},'
    '{"path":"navigation.gnss.horizontalDilution","value":0.8},{"path":"navigation.gnss.antennaAltitude","value":56.5},'
    '{"path":"navigation.gnss.geoidalSeparation","value":44}]}]}\r\n',
    '{"updates":[{"$source":"gps.GN","timestamp":"2026-06-01T12:00:00Z","values":[{"path":"navigation.position","value":'
    '{"latitude":54.5,"longitude":10.5}},{"path":"navigation.courseOverGroundTrue","value":3.6156},'
    '{"path":"navigation.speedOverGround","value":3.85},{"path":"navigation.datetime","value":"2026-06-01T12:00:00Z"}]}]}\r\n',
    '{"context":"vessels.urn:mrn:imo:mmsi:211111111","updates":[{"$source":"ais","values":[{"path":"navigation.position",'
    '"value":null},{"path":"navigation.headingTrue","value":1.5},{"path":"navigation.headingMagnetic","value":null}]}]}\r\n',
    '{"updates":[{"values":[{"value":1.25,"path":"navigation.headingMagnetic"},{"path":"navigation.rateOfTurn","value":0.01}],'
    '"$source":"lodestar.compass"}],"context":"vessels.self"}\r\n',
]

GPSD = [
    '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-11-21T10:00:00.000Z"},'
    '{"class":"DEVICE","path":"/dev/ttyS0","activated":0}]}\n',
    '{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-11-21T10:00:01.250Z","leapseconds":18,'
    '"ept":0.005,"lat":46.498293369,"lon":7.567411672,"altHAE":1343.127,"altMSL":1291.1,"alt":1291.1,"epx":15.3,'
    '"epy":17.1,"epv":124.484,"track":359.9999,"magtrack":1.5,"magvar":2.5,"speed":0.091,"climb":-0.085,"eph":20.9,'
    '"sep":30.2,"geoidSep":52.0}\n',
    '{"class":"SKY","device":"/dev/ttyACM0","vdop":2.4,"hdop":1.2,"pdop":2.7,"uSat":2,"satellites":[{"PRN":10,'
    '"gnssid":0,"svid":10,"az":45,"el":30.5,"ss":35,"used":true},{"PRN":68,"gnssid":6,"svid":4,"az":0,"el":-1,'
    '"ss":0,"used":false,"health":1}]}\n',
    '{"class":"GST","device":"/dev/ttyACM0","time":"2026-11-21T10:00:01.250Z","rms":2.4,"major":1.6,"minor":1.2,'
    '"orient":20.4,"lat":1.66,"lon":1.12,"alt":2.7}\n',
    '{"class":"ATT","device":"/dev/ttyACM0","time":"2026-11-21T10:00:01Z","heading":14223.00,"mheading":359.9,'
    '"mag_st":"N","pitch":169.00,"roll":-43.00,"yaw":0.5,"rot":-1e2,"dip":1e-3}\n',
    '{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}\n{"class":"ERROR","message":"no \\"such\\u0020one\\""}\n',
    '{"class":"WATCH","enable":true,"json":true}{"class":"TOFF","a":[[[{"b":[null,true,{}]}]]],"class":"TPV"}\n',
]

GPSD_ORDERS = [
    "?VERSION;", "?DEVICES;", "?DEVICE;", '?DEVICE={"path":"/dev/a","bps":4800};', "?POLL;", "?WATCH;", ";", "?POLL\r\n",
    '?WATCH={"enable":true,"json":true};', '?WATCH={"nmea":true,"raw":1}\n', '?WATCH={"raw":2,"pps":true,"json":true};',
    '?WATCH={"scaled":true,"split24":true,"timing":true,"class":"WATCH","a":[1,{"b":null}]};', '?WATCH={"enable":false};',
    '?WATCH={"device":"/dev/a","json":true};', '?WATCH={"device":"/dev/none"};', '?WATCH={"raw":9223372036854775807};',
    '?WATCH={"json":true\n};', "?WATCH=", "?SING;", "$GPHDT,274.07,T*03\r\n", "\u00ff?POLL;", "\u00fftoo long",
]

CIRCLE = {"circle": {"center": {"latitude": 48.1, "longitude": -11.5}, "radiusMetres": 150}}
POLYGON = {"polygon": {"vertices": [{"latitude": 0, "longitude": 179.9}, {"latitude": 0.2, "longitude": -179.9},
                                    {"latitude": -0.1, "longitude": 180, "radians": [-0.0017453292519943296, 3.141592653589793]}]}}
BEACON = {"beacon": {"_0": {"uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": 1, "minor": 65535}}}
REGION = {"identifier": "home", "condition": CIRCLE, "notifiesOnEntry": True, "notifiesOnExit": False}
PLACE = {"position": {"latitude": 48.1, "longitude": -11.5}, "horizontalAccuracyMetres": 5, "time": 1795255200000000000,
         "altitudeMetres": 520.5, "speedMetresPerSecond": 1.5, "courseDegrees": 359.9, "isSimulated": False}
CALIBRATION = {"softIron": [[1, 0.01, 0], [0.01, 0.98, 0], [0, 0, 1.02]], "hardIron": [10, -20.5, 3], "quality": "good",
               "predictedHeadingError": 0.03, "residualMicrotesla": 0.4}
CONDITION = {"monitor": "m", "identifier": "c", "state": "satisfied", "time": 1795255200000000000,
             "refinement": BEACON, "fault": "limitExceeded"}
SOURCE = {"isOpen": True, "hasMagnetometer": True, "hasReceiver": True, "isSimulated": False, "isLive": True,
          "mounting": [1, 0, 0, 0], "position": {"receiver": {"_0": "/dev/serial0"}}, "fault": "no sensor",
          "failure": "passing"}
ACCESS = {"authorization": "always", "accuracy": "reduced", "isEnabled": True, "resumesAutomatically": True}
ESTIMATE = {"timestamp": 12345678901, "utc": 1795255200000000000, "attitude": [1, 0, 0, 0], "isLevelKnown": True,
            "magneticHeading": 6.2, "headingAccuracy": 0.05, "fixKind": "threeDimensional", "position": [0.84, -0.2],
            "horizontalAccuracyMetres": 2.5, "altitudeMetres": "0x7ff8000000000000", "satellitesUsed": 12,
            "velocity": [1, 2, -0.5], "positionCovarianceSquareMetres": [1, 0, 0, 1, 0, 4], "isSimulated": False}


def message(type, body=None, id=None):
    """A line of the daemon's protocol."""
    parts = {"type": type} | ({} if id is None else {"id": id}) | ({} if body is None else {"body": body})
    return json.dumps(parts, separators=(",", ":")) + "\n"


CLIENT = [
    message("hello", {"version": 1, "application": "com.example.app", "client": "app", "pid": 4321}),
    message("look", id=1), message("registrations", id=18446744073709551615), message("listen", True),
    message("demand", {"fixes": True, "headings": True, "headingInterval": 0.1, "fixInterval": 1e11,
                       "desiredAccuracyMetres": 100}),
    message("samples", False), message("authorize", "whenInUse"), message("lease", True),
    message("fullAccuracy", {"purpose": "Survey"}, 2), message("calibrate", {"begin": {}}, 3),
    message("calibrate", {"use": {"_0": CALIBRATION}}, 4), message("sing", {"a": [1]}),
] + [message("monitor", body, 5 + number) for number, body in enumerate([
    {"startRegion": {"_0": REGION}}, {"startRegion": {"_0": {"identifier": "p", "condition": POLYGON}}},
    {"startRegion": {"_0": {"identifier": "b", "condition": BEACON}}}, {"stopRegion": {"identifier": "home"}},
    {"requestState": {"_0": REGION}}, {"requestState": {"_0": {"identifier": "p", "condition": POLYGON}}},
    {"startVisits": {}}, {"stopVisits": {}}, {"startSignificantChanges": {}}, {"stopSignificantChanges": {}},
    {"openMonitor": {"name": "m"}}, {"closeMonitor": {"name": "m"}},
    {"addCondition": {"monitor": "m", "identifier": "c", "condition": CIRCLE, "assuming": "unknown"}},
    {"addCondition": {"monitor": "m", "identifier": "d", "condition": BEACON, "assuming": "satisfied"}},
    {"removeCondition": {"monitor": "m", "identifier": "c"}}, {"acknowledge": {"sequence": 1}},
    {"startRegion": {"_0": {"identifier": "all", "condition": {"circle": {
        "center": {"latitude": 90, "longitude": 180}, "radiusMetres": "inf"}}}}},
])]

HOST = [
    message("welcome", {"version": 1, "pid": 99, "source": SOURCE, "access": ACCESS,
                        "calibration": {"progress": 0.5, "inUse": CALIBRATION},
                        "lastFix": json.dumps(ESTIMATE, separators=(",", ":"))}),
    message("estimate", ESTIMATE), message("source", SOURCE), message("looked", SOURCE, 1), message("access", ACCESS),
    message("samples", {"timestamp": 7, "inertialTimestamp": 6, "force": [0, 0, 9.81], "rate": [0.1, -0.2, 1e-3],
                        "field": [20, -3.5, 40], "pressure": 1013.25, "celsius": 20}),
    message("calibration", {"inUse": CALIBRATION}), message("journal", 18446744073709551615),
    message("lastFix", json.dumps(ESTIMATE)), message("notice", "x\u001b"), message("goodbye", "the daemon ends"),
    message("done", id=3), message("done", {"code": "notKept", "message": "no space"}, 4),
    message("refused", {"code": "novel", "message": "m"}),
    message("registrations", {"regions": {"home": REGION}, "visits": True, "significantChanges": False, "monitors": {
        "m": {"c": {"condition": CIRCLE, "lastEvent": CONDITION, "fault": "denied"}}}}, 5),
] + [message("event", {"sequence": 3, "time": 1795255200000000000, "kind": kind, "since": -1, "fix": PLACE}) for kind in [
    {"regionStarted": {"_0": REGION}}, {"regionFailed": {"_1": "unsupportedRegion"}},
    {"regionState": {"_0": REGION, "_1": "unsatisfied"}}, {"entered": {"_0": REGION}}, {"exited": {"_0": REGION}},
    {"visit": {"_0": {"position": {"latitude": 1, "longitude": 2}, "horizontalAccuracyMetres": 9,
                      "arrival": 1795255200000000000}}},
    {"significantChange": {"_0": PLACE}}, {"condition": {"_0": CONDITION}},
]]

REGIONS = [
    '{"regions": [{"identifier": "home", "latitude": 52.5, "longitude": 13.4, "radius": 150}, {"identifier": "park", '
    '"vertices": [[52.51, 13.40], [52.52, 13.40], [52.52, 13.42]], "notifyOnExit": false}], "visits": false}',
    '{"regions": [{"identifier": "a", "latitude": 90, "longitude": -180, "radius": 1e-9, "colour": null}], '
    '"significantChanges": false, "configuration": {"conditionLimit": 9223372036854775807, "pendingLimit": 1, '
    '"dwellSeconds": 0, "stateRequestSeconds": 1e308, "beaconDepartureSeconds": 1}}',
    '{"configuration": {"dwellFixes": 1, "visitRadiusMetres": 1e300, "visitDriftMetres": 0}}', "{}",
]

CALIBRATIONS = [
    CALIBRATION | {"predictedHeadingError_deg": 2.5, "coverage": 0.8, "residual_uT": 0.4, "mount": "forward,left,up"},
    CALIBRATION | {
        "format": "lodestar-calibration", "version": 1, "minorVersion": 0, "generation": 3, "restoredFrom": 1,
        "made": "2026-11-21T16:32:30.125Z", "board": "b", "quality": "unknown", "mount": "left,forward,up",
        "softIron": [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
        "sensor": {"part": "LIS3MDL", "bus": "i2c-1", "address": "0x1e", "iioName": "lis3mdl", "serial": "A7"},
        "conditions": {"origin": "online", "method": "forward", "latitude_deg": 48.1, "longitude_deg": -11.5,
                       "altitude_m": 500, "modelHorizontal_uT": 21, "modelDown_uT": 44, "temperature_degC": 20,
                       "activity": "marine", "software": "1.0"}},
    CALIBRATION | {
        "format": "lodestar-calibration", "version": 1, "made": "1999-01-02T03:04:05.123456789Z", "board": "b",
        "sensor": {"part": "A"}, "conditions": {"origin": "guided"}, "boardYaw_rad": 0.1, "latency_s": 0.01,
        "fieldHorizontal_uT": 21, "fieldDown_uT": 44, "inlierShare": 1, "observationCount": 900,
        "gyroscope": {"bias_rad_s": [0, 0.1, 0], "scale": [1, 1, 0.9]}, "colour": [None, True],
        "accelerometer": {"bias_m_s2": [0, 1, 2], "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        "loads": [{"load": "motor", "unit": "A", "field_uT_per_unit": [0.5, -1, 3]}],
        "deviation": {"model": "m", "coefficients": [1, 0.5], "covariance": [[1, 0.1], [0.1, 2]], "coverage_deg": 360,
                      "made": "2026-11-21T16:32:30Z"}},
    CALIBRATION | {"distortionCovariance": [[(row == column) * 0.5 for row in range(12)] for column in range(12)]},
]


def conversation(lines):
    """Each line alone, and three of every distance, so that one changes what the others have done."""
    return {"".join(lines[start::step][:3]).encode() for step in (1, 2, 5, 9) for start in range(len(lines))} | {
        line.encode() for line in lines}


def configuration(text):
    """A configuration file as it is, without its comments, and with its examples in comments as keys."""
    bare = "\n".join(line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")) + "\n"
    keys = re.sub(r"(?m)^# ?(?=( *)[\w-]+:( |$))", "", text)
    return {text.encode(), bare.encode(),
            ("\n".join(line for line in keys.splitlines() if line.strip() and not line.startswith("#")) + "\n").encode()}


def pieces(log):
    """Frames and sentences of a log, each alone, and windows of some hundred bytes."""
    found, at = set(), 0
    while at < len(log):
        if log[at:at + 2] == b"\xb5\x62" and at + 8 <= len(log):
            end = at + 8 + int.from_bytes(log[at + 4:at + 6], "little")
        elif log[at] == 0xD3 and at + 6 <= len(log) and log[at + 1] & 0xFC == 0:
            end = at + 6 + (int.from_bytes(log[at + 1:at + 3], "big") & 0x3FF)
        elif log[at:at + 1] == b"$":
            end = log.find(b"\n", at) + 1 or len(log)
        else:
            at += 1
            continue
        if end - at > 1100:  # no frame: the bytes happen to look like a start
            at += 1
            continue
        found.add(log[at:end])
        at = end
    for size in (300, 900):
        for start in range(0, len(log), 4 * size):
            found.add(log[start:start + size])
    return found


HTTP = [
    "GET /api/v1/status?a=1%202 HTTP/1.1\r\nHost: localhost:8090\r\nAccept: */*\r\n\r\n",
    "POST /api/v1/token HTTP/1.1\r\nHost: a\r\nX-Lodestar: 1\r\nContent-Length: 13\r\n\r\n{\"code\":\"abc\"}",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
    "HEAD http://a/b HTTP/1.0\r\nConnection: keep-alive\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /s HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58\x01\x81\0\0\0\0A\x89\x80\0\0\0\0\x80\x81\0\0\0\0B\x88\x82\0\0\0\0\x03\xe8",
]

NTRIP = [
    "ICY 200 OK\r\n\r\ndata",
    "SOURCETABLE 200 OK\r\nServer: x\r\n\r\nSTR;NORTH;Oslo;RTCM 3.2;1005(1),1077(1);2;GPS+GLO;EUREF;NOR;59.91;10.75;0;0;T;none;B;N;"
    "9600;x\r\nCAS;a;2101;b\r\nNET;EUREF;E\r\nENDSOURCETABLE\r\n",
    "STR;A;\"b;c\";RTCM 3;;;GPS;;DEU;50.1;8.6;1;1\r\nENDSOURCETABLE\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\n\r\n",
    "4\r\nWiki\r\n5;a=b\r\npedia\r\n0\r\nTrailer: x\r\n\r\n",
    "ERROR - Bad Password\r\n",
]

SIGNALK = [
    '{"context":"vessels.self","subscribe":[{"path":"navigation.heading*","period":1000,"minPeriod":200,"policy":"instant"}]}',
    '{"context":"*","unsubscribe":[{"path":"*"}]}',
    '{"subscribe":[{"path":"*","policy":"fixed","format":"delta"},{"path":"navigation.position","policy":"ideal"}]}',
    '{"requestId":"1","put":{"path":"navigation.headingTrue","value":1}}',
]


# Frames of canboat's recording samples/candumpSample3.txt and analyzer/tests/pgn-test.in (129029).
NMEA2000 = [
    "09F112CC#FF725AFF7FFF7FFD", "09F113CC#FFD4E10000FFFFFF", "09F119CC#FF725AFAF7FF04FF", "09F8012B#F12B6B1B8E5E36FF",
    "09F8022B#FF00000001000000", "09FD0274#009201124DFAFFFF", "09F50374#001200FFFF00FFFF",
    "0DF80524#A02BE6F13A809CC6", "0DF80524#A10D001238AA49EB", "0DF80524#A25107000C4495FB", "0DF80524#A315B80040E13300",
    "0DF80524#A40000000013FC09", "0DF80524#A55A008C00FFFFFF", "0DF80524#A67F00FFFFFFFFFF",
    "18EEFF23#19E8E41000827800", "18EAFF04#00EE00", "18EA2304#14F001", "18EA2304#00EE01", "0DED2304#400B0012F1013200",
    "0DED2304#410000FFFF00FFFF",
]
NMEA2000_GROUPS = [59392, 59904, 60928, 126208, 127250, 127251, 127252, 127257, 127258, 128259, 129025, 129026, 129029, 130306, 130314]


def nmea2000_plan(frame):
    """A frame as the `nmea2000` target reads its input: group, source, destination, pause, number of bytes, bytes."""
    identifier, data = int(frame[:8], 16), bytes.fromhex(frame[9:])
    number = identifier >> 8 & 0x3FFFF
    if number >> 8 & 0xFF < 240:
        number, is_for_all = number & 0x3FF00, number & 0xFF == 0xFF
    else:
        is_for_all = True
    return bytes([NMEA2000_GROUPS.index(number), identifier & 0xFF, not is_for_all, 250 if number == 60928 else 5, len(data)]) + data


def rtcm3_plan(frame):
    """A frame as the `rtcm3` target reads its input: length, payload, number of bytes between."""
    payload = frame[3:-3]
    return len(payload).to_bytes(2, "big") + payload + b"\0"


def mcap_files():
    """MCAP files without compression: a chunk with a message of each kind, an attachment, metadata; and ends at each record."""
    def text(value):
        return struct.pack("<I", len(value)) + value.encode()

    def record(opcode, content):
        return struct.pack("<BQ", opcode, len(content)) + content

    magic = b"\x89MCAP0\r\n"
    messages = b""
    for number, size in enumerate((24, 60, 320)):
        data = b"\0\1\0\0" + bytes((number * 7 + i) % 3 for i in range(size))
        messages += record(5, struct.pack("<HIQQ", number, 0, number, number) + data)
    channels = [record(4, struct.pack("<HH", number, 1) + text(f"/{number}") + text("cdr") + struct.pack("<I", 0)) for number in range(3)]
    file = struct.pack("<QQ", 1, 1) + text("a") + text("b") + struct.pack("<Q", 3) + b"xyz"
    parts = [magic, record(1, text("ros2") + text("x")), record(3, struct.pack("<H", 1) + text("a/msg/B") + text("ros2msg") + struct.pack("<I", 0)),
             *channels, record(6, struct.pack("<QQQI", 0, 2, len(messages), zlib.crc32(messages)) + text("") + struct.pack("<Q", len(messages)) + messages),
             messages, record(9, file + struct.pack("<I", zlib.crc32(file))), record(12, text("lodestar") + struct.pack("<I", 0)),
             record(15, struct.pack("<I", 0)), record(2, struct.pack("<QQI", 0, 0, 0)), magic]
    return {b"".join(parts[:end]) for end in range(2, len(parts) + 1)}


def rosbag_files():
    """Bags of ROS 2 in SQLite's smallest pages: tables, an index, rows; and views without an end in their place."""
    topics = "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);" \
        "INSERT INTO topics VALUES (1, '/imu', 'sensor_msgs/msg/Imu', 'cdr', ''), (2, '/x', 'x', 'cdr', '');"
    table = "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);"
    rows = "".join(f"INSERT INTO messages VALUES ({n}, {1 + n % 2}, {99 - n}, zeroblob({20 * n}));" for n in range(1, 20))
    index = "CREATE INDEX timestamp_idx ON messages (timestamp ASC);"
    view = "CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " \
        "SELECT i AS id, 1 AS topic_id, i AS timestamp, zeroblob(9) AS data FROM n;"
    files = set()
    for text in (topics + table, topics + table + rows, topics + table + index + rows, topics + view):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.db3")
            base = sqlite3.connect(path)
            base.executescript("PRAGMA page_size = 512;" + text)
            base.close()
            files.add(open(path, "rb").read())
    return files


def make(folder, targets, shared, root):
    """Writes a folder of seeds for each target; returns their numbers."""
    logs = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(shared, "data", "gnss", "*.log")))]
    stream = set().union(*map(pieces, logs)) if logs else set()
    stream |= set(FRAMES) | {b"".join(FRAMES[start::3]) for start in range(3)}
    # RTCM 3 message 1005 as the standard prints it, and an empty frame.
    rtcm3 = {bytes.fromhex("d300133ed7d30202980edeef34b4bd62ac0941986f33360b98"), bytes.fromhex("d3000047ea4b")}
    rtcm3 |= {piece for piece in stream if piece[:1] == b"\xd3"}
    numbers = {bytes((i * k + k) & 255 for i in range(n)) for n in (16, 40, 80, 160) for k in range(1, 12)}
    boards = {open(path, "rb").read() for path in glob.glob(os.path.join(root, "Boards", "*.yaml"))}
    policies, daemons = (configuration(open(os.path.join(root, "Packaging", *path)).read())
                         for path in (("policy", "example.yaml"), ("systemd", "serve.yaml")))
    places = open(os.path.join(root, "Examples", "Recordings", "places.json"), "rb").read()
    seeds = {
        "rtcm3": {rtcm3_plan(frame) for frame in rtcm3} | rtcm3,
        "ubx": {piece for piece in stream if piece[:2] == b"\xb5\x62"},
        "gpsd": {line.encode() for line in GPSD} | {"".join(GPSD).encode()},
        "signalk-deltas": {line.encode() for line in SIGNALK_DELTAS} | {"".join(SIGNALK_DELTAS).encode()},
        "nmea2000": {nmea2000_plan(frame) for frame in NMEA2000}
        | {b"".join(map(nmea2000_plan, NMEA2000[start:start + 8])) for start in range(len(NMEA2000))},
        "gpsd-session": {f"{number % 16:x}".encode() + line for number, line in enumerate(
            sorted(conversation(GPSD) | {"".join(GPSD).encode()}))},
        "gpsd-requests": {line.encode("latin-1") for line in GPSD_ORDERS}
        | {"".join(GPSD_ORDERS[start:start + 4]).encode("latin-1") for start in range(len(GPSD_ORDERS))},
        "cycles": numbers,
        "printed": numbers,
        "signalk": {text.encode() for text in SIGNALK},
        "ntrip": {text.encode() for text in NTRIP},
        "http": {text.encode("latin-1") for text in HTTP},
        "mcap": mcap_files(),
        "rosbag": rosbag_files(),
        "track": numbers,
        "magnetic-model": {text.encode() for text in MODELS},
        "sensor-csv": {text.encode() for text in SENSOR_CSV},
        "board-file": boards,
        "client-protocol": conversation(CLIENT),
        "host-protocol": conversation(HOST),
        "policy-file": policies,
        "serve-file": daemons,
        "regions-file": {text.encode() for text in REGIONS} | {places},
        "calibration": {json.dumps(value).encode() for value in CALIBRATIONS},
    }
    counts = {}
    for target in targets:
        place = os.path.join(folder, target)
        os.makedirs(place, exist_ok=True)
        mine = seeds.get(target, stream | rtcm3)
        regressions = glob.glob(os.path.join(root, "Fuzz", "Regressions", target, "*"))
        mine = mine | {open(path, "rb").read() for path in regressions}
        for number, seed in enumerate(sorted(mine)):
            with open(os.path.join(place, f"seed-{number:05d}"), "wb") as file:
                file.write(seed)
        counts[target] = len(os.listdir(place))
    return counts, bool(logs)
