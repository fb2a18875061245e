import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Mistakes that people make, and what they read: what failed, on what, why, what to do.
@Suite("Mistakes and their messages", .timeLimit(.minutes(30)))
struct MistakeTests {
  /// A line each: the command line, `→`, and words of its message between `|`. `$F` is the folder
  /// of `MistakenFiles`.
  static let tables = [
    """
    heding → unknown command 'heding' | did you mean 'heading'?
    lcoation → did you mean 'location'?
    calibrat → did you mean 'calibrate'?
    calibrate gide → unknown command 'calibrate gide' | did you mean 'guide'?
    token lst → did you mean 'list'?
    receiver shw → did you mean 'show'? | 'lodestar help receiver' lists the commands
    xyzzy → unknown command 'xyzzy'; 'lodestar help' lists the commands
    help nonsense → unknown command 'nonsense' | 'lodestar help' lists the commands
    help calibrate nonsense → 'calibrate nonsense' | 'lodestar help calibrate'
    --nonsense → Unknown option '--nonsense'
    heading --simulat → --simulat | Did you mean '--simulate'?
    heading --fromat json → --fromat | '--format'
    heading --simulate extra → Unexpected argument 'extra'
    heading extra.csv → Unexpected argument 'extra.csv'
    heading --rate → Missing value for '--rate | Estimates a second, 0.01 to 50
    heading --format xml → 'xml' | 'text', 'json' or 'nmea'
    location --format csv → 'csv' | 'text', 'json' or 'nmea'
    export $F/good.csv out --format xls → 'xls' | 'csv', 'gpx' or 'kml'
    decode $F/random.bin --format xml → 'xml' | 'json' and 'text'
    probe --format xml → 'xml' | 'text' and 'json'
    doctor --format xml → 'xml' | 'text' and 'json'
    calibrate status --format xml → 'xml' | 'text' and 'json'
    heading --simulate --replay x.csv → give --simulate or --replay, not both
    location --simulate --replay x → give --simulate or --replay, not both
    record a.mcap --simulate --replay x.csv → give --simulate or --replay, not both
    serve --simulate --replay x → give --simulate or --replay, not both
    heading --format json --sentences HDT → only NMEA has sentences; give --format nmea
    record → Missing expected argument '<output>' | boat.mcap
    replay → Missing expected argument '<input>' | The recording
    replay a.csv b.csv → Unexpected argument 'b.csv'
    export → Missing expected argument '<input>'
    export $F/good.csv → Missing expected argument '<output>'
    field → give LAT and LON, or --batch FILE
    field 10 → give LAT and LON, or --batch FILE
    field 10 20 30 40 → 2 unexpected arguments: '30', '40'
    calibrate fit → Missing expected argument '<input>'
    calibrate export → Missing expected argument '<file>'
    calibrate import → Missing expected argument '<file>'
    token list extra → Unexpected argument 'extra'
    token add --name → Missing value for '--name | such as phone
    doctor extra → Unexpected argument 'extra'
    check extra → Unexpected argument 'extra'
    calibrate swing --legs 2 → Unknown option '--legs' | --help
    report $F/good.csv --plots heading → Did you mean '--plot'?
    setup --boards x → Did you mean '--board'?
    """,
    """
    field 91 10 → latitude 91.0 | -90 to 90 | before the longitude
    field -91 0 → latitude -91.0 | -90 to 90
    field 10 191 → longitude 191.0 | -180 to 180 | write -169.0
    field 10 400 → longitude 400.0 | -180 to 180
    field ten 10 → 'ten' | expected a number such as -12.5
    field N48 11 → 'N48' | expected a number such as -12.5
    field 48,5 11 → '48,5' | decimal point
    field 10 20 --altitude high → 'high' | expected a number
    field 10 20 --altitude 1e9 → altitude 1000000000.0 | metres above the ellipsoid
    field 10 20 --date 2026-13-40 → 2026-13-40 | existing day | 2026-07-01
    field 10 20 --date 2026-02-30 → 2026-02-30 | existing day
    field 10 20 --date 31.12.2026 → 31.12.2026 | 2026-07-01 or 2026.5
    field 10 20 --date tomorrow → 'tomorrow' | 2026-07-01 or 2026.5
    field 10 20 --date 1200-01-01 → 1200-01-01 | 1678 to 2262
    field 10 20 --format xml → 'xml' | 'text' and 'json'
    calibrate fit x.csv --location 48 → '48' | latitude,longitude | 52.5,13.4,80
    calibrate fit x.csv --location nowhere → 'nowhere' | 52.5,13.4,80
    calibrate fit x.csv --location 91,10 → latitude 91.0 | -90 to 90
    calibrate fit x.csv --location 10,200 → longitude 200.0 | write -160.0
    calibrate fit x.csv --location 1,2,3,4 → latitude,longitude
    calibrate fit x.csv --location 10,20,2e9 → altitude | metres above the ellipsoid
    heading --mount forward,backward,up → right-handed | forward,left,up
    heading --mount forward,right,up → right-handed
    heading --mount forward,forward,up → right-handed
    heading --mount up → directions of x, y and z
    heading --mount nord,ost,up → directions of x, y and z
    heading --format nmea --sentences XYZ → HDG=4,HDT=1,RMC
    heading --format nmea --sentences HDG=0 → 0.01 to 50
    heading --rate 48,5 → '48,5' | decimal point | 48.5
    heading --rate 5Hz → '5Hz' | expected a number without 'Hz': 5
    heading --rate fast → 'fast' | expected a number
    heading --rate 99 → --rate 99 | 0.01 to 50
    heading --rate 0 → --rate 0 | 0.01 to 50
    heading --rate -1 → '-1' | not negative
    heading --rate nan → --rate nan | 0.01 to 50
    heading --count 0 → --count 0 | 1 or more
    heading --count -5 → '-5' | not negative
    heading --count 1.5 → '1.5' | expected a whole number
    heading --count many → 'many' | expected a number
    location --rate 100 → --rate 100 | 0.01 to 50
    location --count x → 'x' | expected a number
    record $F/a.mcap --simulate --reserve lots → 'lots' | expected a number
    record $F/a.mcap --simulate --duration 0 → --duration | 0
    probe --measure 0 → --measure | 1 to 600 seconds
    calibrate level --seconds 0 → --seconds 0 | 1 to 600
    calibrate rollback seven → 'seven' | expected a number
    calibrate rollback -1 → '-1' | not negative
    serve --gpsd-port 99999 → --gpsd-port 99999 | 1 to 65535
    serve --gpsd-port x → 'x' | expected a number
    serve --http-port -1 → '-1' | not negative
    heading --gpsd host:port → 'host:port' | localhost:2947
    """,
    """
    replay nowhere.csv → nowhere.csv | No such file
    replay $F → cannot be read | folder
    replay $F/word.csv → word.csv:3: column my: 'zwei' | microtesla
    replay $F/short.csv → short.csv:3: 2 cells; expected 4 as in the header
    replay $F/header.csv → nothing was replayed: the file has no samples
    replay $F/zero.csv → the file is empty | a header line such as t,gx
    replay $F/names.csv → no such column | t, the time in seconds
    replay $F/back.csv → time goes back from 1.0 s to 0.5 s
    replay $F/twice.csv → column mx: duplicate column | each column once
    replay $F/two.csv → column mz | mx my mz together
    replay $F/tab.csv → tabs between the columns; expected commas
    replay $F/semicolon.csv → semicolons between the columns | expected commas
    replay $F/wide.csv → UTF-16 text; expected text in UTF-8
    replay $F/random.bin → no receiver message was found | expected NMEA 0183
    replay $F/good.csv --date yesterday → 'yesterday' | 2026-07-01
    replay $F/good.csv --events $F/none/x → none/x: cannot write | create its folder
    heading --replay nowhere.csv → nowhere.csv | No such file
    heading --replay $F/header.csv → no heading in this recording
    heading --replay $F/good.csv --calibration nowhere.json → nowhere.json | no such file
    heading --replay $F/good.csv --calibration $F/cut.json → not valid JSON: line 1
    heading --replay $F/good.csv --calibration $F/object.json → 'softIron' is missing
    heading --simulate --count 1 --truth $F/none/t → none/t: cannot write | create its folder
    report nowhere.mcap → nowhere.mcap
    report $F/random.bin → nothing to report: no receiver message was found
    report $F/header.csv → nothing to report: the file has no samples
    report $F/cut.json → not a calibration: it is not valid JSON
    report $F/good.csv --output $F/none/x.html → none/x.html: cannot create | create its folder
    export nowhere.mcap $F/x.csv → nowhere.mcap
    export $F/header.csv $F/x.gpx → header.csv
    export $F/good.csv $F/none/x.csv → none/x.csv: cannot write | create its folder
    decode nowhere.ubx → nowhere.ubx: cannot be read: No such file
    decode $F → cannot be read: it is a folder
    decode $F/zero.csv → empty: no receiver message to decode
    decode $F/random.bin → no receiver message was decoded | expected NMEA 0183
    decode $F/good.csv → no receiver message was decoded
    field 10 20 --model nowhere.cof → nowhere.cof: cannot be read: No such file
    field 10 20 --model $F/good.csv → good.csv:1: invalid line of coefficients | epoch
    calibrate fit nowhere.csv → nowhere.csv: cannot be read: No such file
    calibrate fit $F/word.csv → word.csv:3: column my: 'zwei'
    calibrate fit $F/header.csv → too few field samples: 0, at least 20 are needed
    calibrate fit $F/two.csv → column mz
    calibrate load 45 → 45: cannot be read: No such file
    calibrate mount up → up: cannot be read: No such file
    calibrate deviation x → x: cannot be read: No such file
    calibrate accelerometer $F/word.csv → word.csv:3: column my: 'zwei'
    calibrate guide --simulate --json $F/none/x.json → none/x.json | cannot be written
    calibrate history → no calibration is stored | make one with lodestar calibrate
    calibrate rollback 999 → no calibration is stored | make one with lodestar calibrate
    calibrate import nowhere.json → no board is attached | name the board with --board
    record $F/none/a.mcap --simulate → none/a.mcap: cannot create | create its folder
    """,
    """
    heading --board nowhere.yaml → nowhere.yaml | neither a file nor a board in
    heading --board $F → cannot be read: it is a folder
    heading --board $F/random.bin → cannot be read: not UTF-8 text, line 1
    heading --board $F/part.yaml → part.yaml:3:5: unknown key 'part'; allowed: chip
    heading --board $F/scalar.yaml → scalar.yaml:2:10: sensors: '3'; allowed: a list
    heading --board $F/indent.yaml → indent.yaml:2:10: not YAML
    heading --board $F/key.yaml → key.yaml:2:1: unknown key 'sensor'; allowed: board
    heading --board $F/dup.yaml → duplicate key: board; allowed: each key once
    heading --board $F/mount.yaml → mount.yaml:2:8: mount: 'up'; allowed: {x: …
    heading --board $F/baud.yaml → receiver.baud: '12345'; allowed: 4800, 9600
    heading --board $F/rate.yaml → receiver.rate: 'fast'; allowed: solutions a second
    heading --board $F/sentences.yaml → receiver.sentences: 'XYZ'; allowed: GGA, GLL
    heading --board $F/chip.yaml → chip.yaml:2 | LSM303X
    heading --board $F/address.yaml → address.yaml:2 | 0x99
    heading --board $F/bus.yaml → bus.yaml:2 | i2c1
    heading --board $F/slow.yaml → slow.yaml:2 | rate | -5
    doctor --board nowhere.yaml → nowhere.yaml | neither a file nor a board in
    serve --config nowhere.yaml → nowhere.yaml: cannot be read: No such file
    serve --config $F/typo.yaml → typo.yaml:2: unknown key 'http-prt'; allowed
    serve --config $F/port.yaml → port.yaml:1: gpsd-port: '99999'; allowed: 1 to 65535
    serve --config $F/list.yaml → list.yaml:1: 'gpsd-port' has no value
    serve --config $F/random.bin → cannot be read: not UTF-8 text, line 1
    token revoke nobody → No such file or directory; start the daemon, or name its folder
    receiver show → no receiver: give --port, such as --port /dev/ttyUSB0
    receiver show --port /dev/nowhere → /dev/nowhere: no such device; check the name
    receiver show --port /dev/null → /dev/null | not a serial port
    receiver show --port gpsd://localhost → gpsd has the receiver; stop gpsd
    receiver set → nothing to set: give an option, such as --rate 5
    receiver set --port /dev/x --rate 5Hz → --rate '5Hz': expected solutions a second
    receiver set --port /dev/x --model boat → --model 'boat': expected one of portable
    receiver set --port /dev/x --systems gps,moon → expected some of gps, sbas, galileo
    receiver set --port /dev/x --elevation-mask 100 → '100': expected degrees from 0 to 90
    receiver set --port /dev/x --set-baud 1234 → --set-baud 1234: expected one of 1200
    receiver set --port /dev/x --base fixed,91,0,0 → expected no, survey,SECONDS[,METRES]
    receiver set --port /dev/x --sentences GGA,FOO → expected some of GGA, GLL
    receiver set --port /dev/x --two-antennas yes → 'yes': expected on or off
    receiver set --port /dev/x --messages rtcm → 'rtcm': expected one of nmea
    receiver save --port /dev/x --baud 96 → --baud 96: expected one of 1200
    corrections → no source: give one, such as ntrip://HOST/MOUNT
    corrections nowhere:2101 → nowhere:2101: cannot be read: No such file
    corrections ntrip://127.0.0.1:1 → connection refused; check that a server listens there
    corrections http://x → 'http://x': expected a file | ntrip://HOST[:PORT]/MOUNT
    heading --gpsd 127.0.0.1:1 → gpsd://127.0.0.1:1: connection refused: is gpsd running?
    """,
  ]

  @Test("a mistake is named with its reason and an example", arguments: tables)
  func messages(table: String) throws {
    let files = try MistakenFiles()
    for row in table.split(separator: "\n") {
      let parts = row.replacing("$F", with: files.folder.path).split(separator: " → ")
      let line = try #require(parts.count == 2 ? parts[0] : nil, "\(row)")
      let run = try lodestar.run(
        line.split(separator: " ").map(String.init),
        environment: ["LODESTAR_STATE": files.folder.path + "/state"])
      #expect(run.exited && run.status != 0, "\(line): \(run.status)")
      #expect(run.errors.hasPrefix("lodestar: "), "\(line): \(run.errors)")
      for words in parts[1].split(separator: " | ") {
        #expect(run.errors.contains(words), "\(line): \(run.errors)")
      }
      let unwanted = ["LODESTAR_STATE", "Fatal", ".swift"]
      #expect(!unwanted.contains { run.errors.contains($0) }, "\(line): \(run.errors)")
    }
  }

  @Test("the tables have 150 mistakes and more, none twice")
  func count() {
    let rows = Self.tables.joined(separator: "\n").split(separator: "\n")
    let lines = rows.compactMap { $0.split(separator: " → ").first }
    #expect(lines.count >= 150 && Set(lines).count == lines.count)
  }
}

/// A folder of files with one mistake each.
private struct MistakenFiles {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let texts: [(name: String, text: String)] = [
      ("good.csv", "t,mx,my,mz\n0,20,0,40\n0.1,20,0,40\n"),
      ("word.csv", "t,mx,my,mz\n0,20,0,40\n0.1,20,zwei,40\n"),
      ("short.csv", "t,mx,my,mz\n0,20,0,40\n0.1,20\n"),
      ("header.csv", "t,mx,my,mz\n"), ("zero.csv", ""),
      ("names.csv", "time,x,y,z\n0,20,0,40\n"),
      ("back.csv", "t,mx,my,mz\n1,20,0,40\n0.5,20,0,40\n"),
      ("twice.csv", "t,mx,mx,mz\n1,20,0,40\n"), ("two.csv", "t,mx,my\n1,20,0\n"),
      ("tab.csv", "t\tmx\tmy\tmz\n1\t20\t0\t40\n"), ("semicolon.csv", "t;mx;my;mz\n0;1;2;3\n"),
      ("wide.csv", "t\0,\0m\0x\0\n\0"), ("cut.json", "{\"a\":"), ("object.json", "{}"),
      ("part.yaml", "board: B\nsensors:\n  - part: LSM303X\n    bus: /dev/i2c-1\n"),
      ("scalar.yaml", "board: B\nsensors: 3\n"), ("indent.yaml", "board: B\n  sensors:\n - x\n"),
      ("key.yaml", "board: B\nsensor: []\n"), ("dup.yaml", "board: B\nboard: C\n"),
      ("mount.yaml", "board: B\nmount: up\n"),
      ("baud.yaml", "board: B\nreceiver: {port: /dev/ttyS0, baud: 12345}\n"),
      ("rate.yaml", "board: B\nreceiver: {port: /dev/ttyS0, rate: fast}\n"),
      ("sentences.yaml", "board: B\nreceiver: {port: /dev/ttyS0, sentences: [GGA, XYZ]}\n"),
      ("chip.yaml", "board: B\nsensors: [{chip: LSM303X, bus: /dev/i2c-1}]\n"),
      ("address.yaml", "board: B\nsensors: [{chip: LIS3MDL, bus: /dev/i2c-1, address: 0x99}]\n"),
      ("bus.yaml", "board: B\nsensors: [{chip: LIS3MDL, bus: i2c1, address: 0x1e}]\n"),
      (
        "slow.yaml",
        "board: B\nsensors: [{chip: LIS3MDL, bus: /dev/i2c-1, address: 0x1e, rate: -5}]\n"
      ),
      ("typo.yaml", "gpsd-port: 0\nhttp-prt: 8080\n"), ("port.yaml", "gpsd-port: 99999\n"),
      ("list.yaml", "gpsd-port: [1]\n"),
    ]
    for (name, text) in texts { try folder.write(text, "/\(name)") }
    let bytes = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try folder.write(Data(bytes), "/random.bin")
  }
}
