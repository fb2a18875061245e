import Chips
import Configuration
import Foundation
import Quantities
import TestSupport
import Testing

@Suite("Board files", .timeLimit(.minutes(30)))
struct BoardFileTests {
  @Test("every file in Boards is valid and has a name")
  func allBoards() throws {
    let folder = SharedData.repository.appendingPathComponent("Boards")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 2)
    for file in files {
      let board = try Board(path: folder.appendingPathComponent(file).path)
      #expect(!board.name.isEmpty)
    }
  }

  @Test("a guessed mount is said at the start, a stated one is not")
  func guessed() throws {
    let folder = SharedData.repository.appendingPathComponent("Boards")
    let puck = try Board(path: folder.appendingPathComponent("gps-puck-qmc5883l.yaml").path)
    let notice = try #require(puck.guessedMountNotice)
    #expect(notice.contains("guess") && notice.contains("axes: stated"))
    let hat = try Board(path: folder.appendingPathComponent("sense-hat.yaml").path)
    #expect(hat.guessedMountNotice == nil)
  }

  @Test("mount, trim and receiver are read")
  func whole() throws {
    let board = try Board(
      yaml: """
        board: Mast head
        mount: {x: right, y: forward, z: up}
        trim: {heading: -3.5, roll: 2}
        receiver: {port: /dev/ttyS1, baud: 38400}
        """, path: "b.yaml")
    #expect(board.name == "Mast head")
    #expect(board.mount.rotation == AxisMount(x: .right, y: .forward, z: .up)?.rotation)
    #expect(abs(board.trim.heading.degrees + 3.5) < 1e-12)
    #expect(abs(board.trim.roll.degrees - 2) < 1e-12)
    #expect(board.receiver == Board.Receiver(port: "/dev/ttyS1", baud: 38_400))
  }

  @Test("sensors are read with bus, address, mount, rate, ranges, latency and data-ready line")
  func sensors() throws {
    let board = try Board(
      yaml: """
        board: B
        mount: auto
        sensors:
          - chip: MPU-6050
            bus: i2c-3
            address: 0x69
            rate: 250
            rotation-range: 1000
            force-range: 8
            data-ready: GPIO17
          - {chip: QMC5883L, latency: 0.004, field-range: 200, mount: {rotation: {heading: 90}}}
        """, path: "b.yaml")
    #expect(board.mount == .automatic && board.hasUnknownMount)
    let (unit, compass) = (try #require(board.sensors.first), try #require(board.sensors.last))
    #expect(unit.chip == .mpu6050 && unit.bus == "/dev/i2c-3" && unit.address == 0x69)
    #expect(unit.settings.rateHertz == 250)
    #expect(unit.dataReadyLine == "GPIO17" && unit.settings.drivesDataReadyLine)
    let range = try #require(unit.settings.angularRateRadiansPerSecond)
    #expect(abs(range - 17.453_292_5) < 1e-6)
    #expect(unit.settings.specificForceMetresPerSecondSquared == 8 * 9.806_65)
    #expect(compass.address == 0x0D && compass.bus == "/dev/i2c-1")
    #expect(compass.latencySeconds == 0.004 && compass.settings.fieldMicrotesla == 200)
    // Turned clockwise by 90 degrees from x forward: x points right.
    let x = try #require(compass.mount.rotation).rotate(SIMD3(1, 0, 0))
    #expect((x - SIMD3(0, 1, 0)).length < 1e-12)
  }

  @Test("a receiver's set-up and corrections are read, and written unchanged")
  func receiverSetUp() throws {
    let board = try Board(
      yaml: """
        board: B
        receiver:
          port: /dev/ttyACM0
          set-up: no
          rate: 5
          model: airborne-2g
          messages: both
          sentences: [GGA, RMC]
          systems: [gps, galileo]
          elevation-mask: 7.5
          base: {latitude: 47.5, longitude: -8.25, height: 499.6}
          two-antennas: true
          set-baud: 115200
          corrections: tcp://[::1]:2101
          rtcm-output: base's.rtcm3
          antenna: {forward: -2.5, up: 8}
          baseline: 90
        """, path: "b.yaml")
    let receiver = try #require(board.receiver)
    #expect(receiver.setUp.manner == .no && !receiver.setUp.isWanted)
    #expect(receiver.setUp.rateHertz == 5 && receiver.setUp.model == .airborne2g)
    #expect(receiver.setUp.messages == .both && receiver.setUp.baud == 115_200)
    #expect(receiver.setUp.sentences == [.gga, .rmc])
    #expect(receiver.setUp.systems == [.gps, .galileo] && receiver.setUp.maskDegrees == 7.5)
    #expect(receiver.setUp.base == .fixed(latitude: 47.5, longitude: -8.25, height: 499.6))
    #expect(receiver.setUp.sendsHeading == true)
    #expect(receiver.corrections == .tcp(host: "::1", port: 2101))
    #expect(receiver.correctionsOutput == .file("base's.rtcm3"))
    #expect(receiver.antenna == Board.AntennaPlace(forward: -2.5, right: 0, up: 8))
    #expect(receiver.baseline == Board.Baseline(direction: Angle(degrees: 90)))
    let read = try Board(yaml: board.yaml, path: "b.yaml")
    #expect(read == board)
  }

  @Test(
    "a source of corrections is read with its settings, and written as it was read",
    arguments: [
      ("base.rtcm3", Board.CorrectionSource.file("base.rtcm3")),
      ("{source: 'tcp://a:2102', timeout: 10}", timed(.tcp(host: "a", port: 2102), 10)),
      ("{source: /dev/ttyUSB1, baud: 57600}", .serial("/dev/ttyUSB1", baud: 57_600)),
      (
        "ntrip://caster.example/BASE",
        .ntrip(NTRIPSource(host: "caster.example", mountPoint: .named("BASE")))
      ),
      (
        "{source: 'ntrip://[::1]:2103', mount-point: nearest, version: 1, send-position: 5}",
        .ntrip(nearest)
      ),
      (
        "{source: 'ntrips://c:443/B', credentials: /etc/c, certificates: /etc/p}", .ntrip(encrypted)
      ),
    ] as [(String, Board.CorrectionSource)])
  func corrections(value: String, source: Board.CorrectionSource) throws {
    let board = try Board(
      yaml: "board: B\nreceiver: {port: /dev/x, corrections: \(value)}\n", path: "b.yaml")
    #expect(board.receiver?.corrections == source)
    let read = try Board(yaml: board.yaml, path: "b.yaml")
    #expect(read == board, "\(board.yaml)")
  }

  private static func timed(
    _ source: Board.CorrectionSource, _ seconds: Double
  ) -> Board.CorrectionSource {
    var source = source
    source.timeoutSeconds = seconds
    return source
  }

  private static var nearest: NTRIPSource {
    var source = NTRIPSource(host: "::1", port: 2103, mountPoint: .nearest)
    source.version = .one
    source.positionIntervalSeconds = 5
    return source
  }

  private static var encrypted: NTRIPSource {
    var source = NTRIPSource(
      host: "c", port: 443, isEncrypted: true, mountPoint: .named("B"))
    (source.credentialsPath, source.certificatesPath) = ("/etc/c", "/etc/p")
    return source
  }

  @Test(
    "a wrong source of corrections is refused with what is expected",
    arguments: [
      ("'ntrip://user:secret@c/B'", "credentials: a file"), ("'ntrip://c'", "mount-point: nearest"),
      ("'ntrips://c/B'", "ntrips://HOST:PORT/MOUNT"), ("'ntrip://c:0/B'", "HOST[:PORT]"),
      ("'ntrip://c/B C'", "HOST[:PORT]"), ("'ntrip://c\\/B'", "HOST[:PORT]"),
      ("/dev/ttyUSB0", "baud"), ("{source: /dev/x, baud: 9600}", "another port"),
      ("{source: 'ntrip://c/B', mount-point: A}", "one of the two"),
      ("{source: 'ntrip://c', mount-point: 'a b'}", "lodestar corrections --list"),
      ("{source: 'ntrip://c/B', certificates: x}", "ntrips://"),
      ("{source: 'ntrip://c/B', baud: 9600}", "no baud rate"),
      ("{source: 'ntrip://c/B', version: 3}", "1, 2"),
      ("{source: 'ntrip://c/B', send-position: 0}", "1.0 to 3600.0"),
      ("{source: 'tcp://c:1', credentials: x}", "ntrip://HOST"),
      ("{source: x, timeout: 5}", "no timeout"), ("{baud: 9600}", "source: "),
      ("{source: x, user: y}", "mount-point"), ("'udp://:1'", "tcp://HOST:PORT"),
    ])
  func wrongCorrections(value: String, words: String) {
    let thrown = thrownError(BoardFileError.self) {
      try Board(
        yaml: "board: B\nreceiver: {port: /dev/x, corrections: \(value)}\n", path: "b.yaml")
    }
    #expect(thrown.map { "\($0)".contains(words) } == true, "\(thrown.map { "\($0)" } ?? "read")")
    #expect(thrown.map { "\($0)".contains("secret") } == false)
  }

  @Test(
    "a receiver is configured only where a key requests it",
    arguments: [
      ("baud: 9600", false), ("corrections: x", false), ("rate: 2", true), ("model: sea", true),
      ("messages: ubx", true), ("set-baud: 9600", true), ("set-up: temporary", true),
      ("set-up: save", true), ("set-up: no", false), ("sentences: [GGA]", true),
      ("systems: [gps]", true), ("elevation-mask: 5", true), ("base: no", true),
      ("base: {survey: 60, accuracy: 2}", true), ("two-antennas: false", true),
      ("set-up: 'no', rate: 3", false),
    ])
  func wanted(keys: String, isWanted: Bool) throws {
    let board = try Board(
      yaml: "board: B\nreceiver: {port: /dev/x, \(keys)}\n", path: "b.yaml")
    #expect(board.receiver?.setUp.isWanted == isWanted)
  }

  @Test(
    "a wrong setting of a receiver is refused with what is expected",
    arguments: [
      ("sentences: GGA", "a list of"), ("sentences: [XYZ]", "GGA, GLL"),
      ("systems: [gps, loran]", "navic"), ("systems: [sbas]", "galileo"), ("systems: []", "gps"),
      ("elevation-mask: 91", "0.0 to 60.0"), ("base: yes", "survey"),
      ("base: {survey: 60, accuracy: 0}", "0.001"),
      ("base: {survey: 60, accuracy: 2, height: 1}", "survey"),
      ("base: {latitude: 91, longitude: 0, height: 0}", "90.0"),
      ("base: {latitude: 1, longitude: 0}", "height"), ("two-antennas: 2", "true"),
    ])
  func wrongSettings(key: String, words: String) {
    let thrown = thrownError(BoardFileError.self) {
      try Board(yaml: "board: B\nreceiver:\n  port: /dev/x\n  \(key)\n", path: "b.yaml")
    }
    #expect(thrown.map { "\($0)".contains(words) } == true, "\(thrown.map { "\($0)" } ?? "read")")
  }

  @Test("a written board file reads back as the same board")
  func writing() throws {
    var unit = Board.Sensor(chip: .mpu9250, bus: "/dev/i2c-4", address: 0x69)
    unit.settings.rateHertz = 200
    unit.dataReadyLine = "it's: #1"
    unit.settings.drivesDataReadyLine = true
    unit.latencySeconds = 0.0125
    var compass = Board.Sensor(chip: .ak8963)
    compass.mount = .axes(try #require(AxisMount(x: .left, y: .forward, z: .down)))
    compass.settings.fieldMicrotesla = 4900
    var receiver = Board.Receiver(port: "/dev/ttyUSB0", baud: 38_400)
    receiver.pulse = Board.Pulse(source: "it's: #2", edge: .falling, messageDelaySeconds: 1.25)
    let board = Board(
      name: "Bob's: board", mount: .automatic,
      sensors: [unit, compass, Board.Sensor(chip: .ms5611)],
      receiver: receiver)
    let read = try Board(yaml: board.yaml, path: "b.yaml")
    #expect(read.sensors == board.sensors)
    #expect(read == board)
  }

  @Test("a chip on SPI is named by its device, without an address")
  func spi() throws {
    let board = try Board(
      yaml: """
        board: B
        sensors:
          - {chip: ICM-20948, bus: /dev/spidev0.0}
          - {chip: BMP388, bus: spidev0.1, spi-clock: 500000}

        """, path: "b.yaml")
    #expect(board.sensors.map(\.bus) == ["/dev/spidev0.0", "/dev/spidev0.1"])
    #expect(board.sensors.map(\.address) == [0, 0])
    #expect(board.sensors.map(\.spiHertz) == [nil, 500_000])
    #expect(try Board(yaml: board.yaml, path: "b.yaml") == board)
  }

  @Test("a chip of a kernel driver is named by the kernel's name and what it measures")
  func kernelChips() throws {
    let board = try Board(
      yaml: """
        board: B
        sensors:
          - {kernel: lsm6dsox, measures: inertia, rate: 104}
          - {kernel: dps310, measures: pressure, bus: /dev/i2c-1, address: 0x77}
          - {kernel: mpu9250, measures: inertia, bus: spi0.0}
          - {kernel: mpu9250, measures: field, bus: spi0.0}

        """, path: "b.yaml")
    #expect(
      board.sensors.map(\.chip) == [
        .ofKernel("lsm6dsox", .inertia), .ofKernel("dps310", .pressure),
        .ofKernel("mpu9250", .inertia), .ofKernel("mpu9250", .field),
      ])
    #expect(board.sensors.map(\.bus) == [Board.anyPlace, "/dev/i2c-1", "spi0.0", "spi0.0"])
    #expect(board.sensors.map(\.address) == [0, 0x77, 0, 0])
    #expect(board.sensors[0].settings.rateHertz == 104)
    #expect(try Board(yaml: board.yaml, path: "b.yaml") == board)
  }

  @Test("a pulse is a source alone, or a source with edge and delay")
  func pulse() throws {
    func pulse(_ text: String) throws -> Board.Pulse? {
      let yaml = "board: B\nreceiver: {port: /dev/x, pps: \(text)}\n"
      let board = try Board(yaml: yaml, path: "b.yaml")
      let again = try Board(yaml: board.yaml, path: "b.yaml")
      #expect(again == board)
      return board.receiver?.pulse
    }
    let plain = try pulse("/dev/pps0")
    #expect(plain == Board.Pulse(source: "/dev/pps0"))
    let detailed = try pulse("{source: GPIO18, edge: rising, delay: -0.2}")
    #expect(
      detailed == Board.Pulse(source: "GPIO18", edge: .rising, messageDelaySeconds: -0.2))
  }

  @Test("the trim is applied after the mount: heading clockwise")
  func trim() throws {
    let board = try Board(yaml: "board: B\ntrim: {heading: 90}\n", path: "b.yaml")
    // The sensor's x axis points forward by its mount; trimmed by 90 degrees it points right.
    let x = board.mounting.rotate(SIMD3(1, 0, 0))
    #expect((x - SIMD3(0, 1, 0)).length < 1e-12)
  }

  /// Text, line, column, and a part of the allowed values in the message.
  private static let badFiles: [(String, Int, Int, String)] = [
    ("", 1, 1, "board"),
    ("- a\n", 1, 1, "board, mount, trim, axes, sensors, receiver"),
    ("mount: {x: forward, y: left, z: up}\n", 1, 1, "board: NAME"),
    ("board: B\nmout: {}\n", 2, 1, "board, mount, trim, axes, sensors, receiver"),
    ("board: B\nmount: {x: forwards, y: left, z: up}\n", 2, 12, "forward, backward"),
    ("board: B\nmount: {x: forward, y: left}\n", 2, 8, "x, y and z"),
    ("board: B\nmount:\n  x: forward\n  y: right\n  z: up\n", 3, 3, "cross product"),
    ("board: B\ntrim: {roll: much}\n", 2, 14, "-180 to 180"),
    ("board: B\nreceiver: {port: /dev/x, baud: 1234}\n", 2, 32, "9600"),
    ("board: B\nreceiver: {baud: 9600}\n", 2, 11, "port"),
    ("board: B\nreceiver: {port: /dev/x, pps: {edge: up}}\n", 2, 31, "source"),
    ("board: B\nreceiver: {port: /dev/x, pps: {source: G, edge: up}}\n", 2, 49, "rising"),
    ("board: B\nreceiver: {port: /dev/x, pps: {source: G, delay: 3}}\n", 2, 50, "2.5"),
    ("board: B\nreceiver: {port: x, rate: 50}\n", 2, 27, "25"),
    ("board: B\nreceiver: {port: x, model: boat}\n", 2, 28, "airborne-4g, wrist"),
    ("board: B\nreceiver: {port: x, set-up: yes}\n", 2, 29, "no, temporary, save"),
    ("board: B\nreceiver: {port: x, messages: rtcm}\n", 2, 31, "nmea, ubx, both"),
    ("board: B\nreceiver: {port: x, corrections: 'tcp://h'}\n", 2, 34, "tcp://HOST:PORT"),
    ("board: B\nreceiver: {port: x, corrections: 'http://h:1'}\n", 2, 34, "tcp://HOST:PORT"),
    ("board: B\nreceiver: {port: x, rtcm-output: 'tcp://:1'}\n", 2, 34, "tcp://HOST:PORT"),
    ("board: B\nreceiver: {port: x, antenna: {high: 3}}\n", 2, 31, "forward, right, up"),
    ("board: B\nreceiver: {port: x, antenna: {up: 300}}\n", 2, 35, "from -100.0 to 100.0"),
    ("board: B\nreceiver: {port: x, baseline: port}\n", 2, 31, "-180.0 to 360.0"),
    ("board: B\nreceiver: {port: x, baseline: {heading: 3}}\n", 2, 32, "direction, length"),
    ("board: B\nreceiver: {port: x, baseline: {length: 0}}\n", 2, 40, "from 0.1 to 200.0"),
    ("board: B\n  mount: x\n", 2, 8, "YAML"),
    ("board: B\nmount: sideways\n", 2, 8, "auto"),
    ("board: B\nmount: {rotation: {yaw: 3}}\n", 2, 20, "heading, pitch, roll"),
    ("board: B\nsensors: {chip: BMP280}\n", 2, 10, "one line a chip"),
    ("board: B\nsensors:\n  - {address: 0x76}\n", 3, 5, "BMP280"),
    ("board: B\nsensors:\n  - {chip: BMP208}\n", 3, 12, "BMP280"),
    ("board: B\nsensors:\n  - {chip: BMP280, address: 0x78}\n", 3, 29, "0x76, 0x77"),
    ("board: B\nsensors:\n  - {chip: BMP280, bus: spi-0}\n", 3, 25, "/dev/i2c-N"),
    ("board: B\nsensors:\n  - {chip: BMP280, rate: fast}\n", 3, 26, "2000.0"),
    ("board: B\nsensors:\n  - {chip: BMP280}\n  - {chip: BME280}\n", 4, 5, "one chip an address"),
    ("board: B\nsensors:\n  - {chip: QMC5883L, bus: spidev0.0}\n", 3, 27, "an I2C bus"),
    ("board: B\nsensors:\n  - {chip: AK09916, bus: spidev0.0}\n", 3, 26, "wired by I2C"),
    (
      "board: B\nsensors:\n  - {chip: BMP388, bus: spidev0.0, address: 0x76}\n", 3, 45,
      "chip select"
    ),
    ("board: B\nsensors:\n  - {chip: BMP388, spi-clock: 1000}\n", 3, 31, "/dev/spidevN.M"),
    ("board: B\nsensors:\n  - {kernel: dps310}\n", 3, 5, "field, inertia or pressure"),
    ("board: B\nsensors:\n  - {kernel: a, measures: b}\n", 3, 27, "pressure"),
    ("board: B\nsensors:\n  - {chip: BMP280, kernel: a}\n", 3, 12, "one of the two"),
    ("board: B\nsensors:\n  - {chip: BMP280, measures: field}\n", 3, 30, "kernel"),
  ]

  @Test(
    "an invalid file is refused with line, column and the allowed values",
    arguments: badFiles)
  func refusals(yaml: String, line: Int, column: Int, allowed: String) {
    var caught: BoardFileError?
    do { _ = try Board(yaml: yaml, path: "b.yaml") } catch { caught = error }
    guard case .refused(_, let l, let c, _, let text) = caught else {
      Issue.record("not refused: \(String(describing: caught))")
      return
    }
    #expect(l == line && c == column, "\(l):\(c)")
    #expect(text.contains(allowed), "\(text)")
  }

  @Test("a file that is too large for a configuration is refused with the reason")
  func tooLarge() {
    func tooLarge(_ bytes: Int) -> String {
      "larger than \(bytes) bytes, the limit for a file of this kind"
    }
    #expect(throws: BoardFileError.unreadable(path: "/dev/zero", reason: tooLarge(1 << 20))) {
      _ = try Board(path: "/dev/zero")
    }
    #expect(throws: PolicyError.unreadable(path: "/dev/zero", reason: tooLarge(1 << 20))) {
      _ = try Policy.load(environment: ["LODESTAR_POLICY": "/dev/zero"], folder: "/nonexistent")
    }
    #expect(throws: RegionsFileError.unreadable(path: "/dev/zero", reason: tooLarge(16 << 20))) {
      _ = try RegionsFile(path: "/dev/zero")
    }
  }

  @Test("a missing file is reported with its path")
  func missing() throws {
    let file = try TemporaryFile(Data([0x62, 0x3A, 0x0A, 0xC3, 0x28]), suffix: ".yaml")
    #expect(
      throws: BoardFileError.unreadable(path: file.path, reason: "not UTF-8 text, line 2")
    ) { try Board(path: file.path) }
    #expect(throws: BoardFileError.self) { try Board(path: "/dev/zero") }
    #expect(throws: BoardFileError.unreadable(path: "/nowhere.yaml", reason: "no such file")) {
      _ = try Board(path: "/nowhere.yaml")
    }
  }

  @Test(
    "a text with line ends, control characters or the marks of YAML is written as it was read",
    arguments: [
      "a\nb", "\n", "a\r\nb", "\u{7}\u{1B}[2J", "\u{85}\u{2028}\u{FEFF}", "\"\\U\u{1}\"",
      "x: y # z",
      "*a", "~", " ", "é\u{1F600}",
    ])
  func texts(text: String) throws {
    var board = Board(name: text, sensors: [Board.Sensor(chip: .bmp280, bus: "/dev/i2c-\(text)")])
    board.sensors[0].dataReadyLine = text
    board.sensors[0].settings.drivesDataReadyLine = true
    board.receiver = Board.Receiver(port: text)
    board.receiver?.corrections = .file(text)
    let read = try Board(yaml: board.yaml, path: "b.yaml")
    #expect(read == board)
  }

  @Test(
    "a host in double brackets and an address of base 60 are refused",
    arguments: [
      "board: B\nreceiver: {port: x, corrections: 'tcp://[[a]]:80'}\n",
      "board: B\nsensors:\n  - {chip: BMP280, address: 1:1:1:1:1:1:1:1:1:1:1:1:1}\n",
    ])
  func hostile(yaml: String) {
    #expect(throws: BoardFileError.self) { try Board(yaml: yaml, path: "b.yaml") }
  }
}
