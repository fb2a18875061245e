import Configuration
import Doctor
import Quantities
import Testing

@Suite("Doctor: observed sensors", .timeLimit(.minutes(30)))
struct LiveDoctorTests {
  /// Five seconds of a board with an inertial unit at 100 samples a second, the others at 25.
  private func observed(
    expected: Set<LiveHealth.Kind> = [], _ change: (Int, inout SensorSamples) -> Void = { _, _ in }
  ) throws -> LiveHealth {
    let start = Timestamp(nanoseconds: 1_000_000_000)
    var meter = LiveMeter(start: start)
    for step in 0..<500 {
      let now = start.advanced(bySeconds: Double(step) * 0.01)
      // Noise, as every sensor has.
      let noise = Double(step % 7) * 0.01
      var row = SensorSamples(timestamp: now)
      row.inertial = InertialSample(
        timestamp: now, angularRate: AngularRate(components: SIMD3(noise, 0, 0)),
        specificForce: SpecificForce(components: SIMD3(noise, 0, 9.81)))
      if step % 4 == 0 {
        row.field = FieldSample(
          timestamp: now, field: MagneticField(microtesla: SIMD3(20 + noise, 0, 40)))
        row.pressure = PressureSample(timestamp: now, hectopascal: 1013 + noise)
      }
      change(step, &row)
      meter.add(row, now: now)
    }
    return meter.health(until: start.advanced(bySeconds: 5), expected: expected)
  }

  private func identifiers(_ health: LiveHealth, board: Board? = nil) throws -> [String] {
    let fake = try FakeMachine()
    return fake.findings(.live) { machine in
      machine.health = health
      if let board { with(board)(&machine) }
    }.map(\.identifier)
  }

  @Test("a board that delivers has no problem, and its rates are shown")
  func good() throws {
    let fake = try FakeMachine()
    #expect(fake.findings(.live).isEmpty)
    let health = try observed()
    let finding = try #require(fake.findings(.live) { $0.health = health }.first)
    #expect(finding.severity == .ok)
    #expect(finding.what == "inertial unit 100/s, magnetometer 25/s, barometer 25/s")
  }

  @Test("a source that cannot be opened is a fault with its reason")
  func noSource() throws {
    var health = LiveHealth(seconds: 0)
    health.fault = "no sensor found"
    #expect(try identifiers(health) == ["live-no-source"])
  }

  @Test("a lost chip and a lost receiver are faults with their reasons")
  func chipLost() throws {
    var health = try observed(expected: [.magnetometer]) { _, row in row.field = nil }
    health.receiver = .init(place: "/dev/serial0", epochs: 0)
    health.add(
      device: "LIS3MDL at 0x1E of /dev/i2c-1", .magnetometer, fault: "no answer", losses: nil)
    health.addReceiver(fault: "unplugged", losses: nil)
    #expect(
      health.lostChips == [
        .init(.magnetometer, name: "LIS3MDL at 0x1E of /dev/i2c-1", fault: "no answer")
      ])
    #expect(health.receiver?.fault == "unplugged")
    #expect(try identifiers(health) == ["live-chip-lost", "live-receiver"])
  }

  @Test("a lost device of the network has no advice about resistors, a lost chip has")
  func lostDevice() throws {
    for (name, isChip) in [("LIS3MDL at 0x1E of /dev/i2c-1", true), ("tcp://boat:10110", false)] {
      var health = try observed()
      health.lostChips = [.init(isChip ? .magnetometer : nil, name: name, fault: "silent")]
      let found = try FakeMachine().findings(.live) { $0.health = health }
      let lost = try #require(found.first { $0.identifier == "live-chip-lost" })
      let advice = lost.remedy?.commands.joined() ?? ""
      #expect(
        advice.contains("pull-up") == isChip && advice.contains("ping") != isChip, "\(advice)")
    }
  }

  @Test("axes or a unit that physics contradicts are a fault with what fits")
  func contradicted() throws {
    var health = try observed()
    health.contradiction = .scale(.force, factor: 9.806_65)
    let found = try FakeMachine().findings(.live) { $0.health = health }
    #expect(found.map(\.identifier) == ["live-contradicted"])
    #expect(found.first?.what.contains("look like g") == true)
  }

  @Test("a device that is lost again and again is a warning, and one that is lost now a fault too")
  func unsteady() throws {
    let chip = "MPU-6050 at 0x68 of /dev/i2c-1"
    let figures = "lost 5 times in the last hour, in service 80 % of it"
    var health = try observed()
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    #expect(try identifiers(health) == ["live"])
    let fake = try FakeMachine()
    var steady = health
    steady.add(device: chip, .inertialUnit, fault: nil, losses: figures)
    steady.addReceiver(fault: nil, losses: figures)
    let found = fake.findings(.live) { $0.health = steady }
    #expect(found.map(\.identifier) == ["live-unsteady", "live-unsteady"])
    #expect(found.map(\.severity) == [.warning, .warning])
    #expect(found.map(\.what) == ["\(chip) \(figures)", "receiver \(figures)"])
    var lost = health
    lost.add(device: chip, .inertialUnit, fault: "no answer", losses: figures)
    lost.addReceiver(fault: "silent for 20 s", losses: nil)
    #expect(lost.lostChips == [.init(.inertialUnit, name: chip, fault: "no answer")])
    #expect(lost.receiver?.fault == "silent for 20 s")
    #expect(try identifiers(lost) == ["live-chip-lost", "live-unsteady", "live-receiver"])
  }

  @Test("an expected sensor without a sample is a fault")
  func silent() throws {
    let health = try observed(expected: [.magnetometer]) { _, row in row.field = nil }
    #expect(try identifiers(health) == ["live-chip-silent"])
    #expect(try identifiers(observed { _, row in row.field = nil }) == ["live"])
  }

  @Test("a rate far below the usual one, or below half of the board file's, is a warning")
  func slow() throws {
    let health = try observed { step, row in if step % 60 != 0 { row.field = nil } }
    #expect(try identifiers(health) == ["live-slow"])
    var board = Board(name: "test", sensors: [Board.Sensor(chip: .lis3mdl)])
    board.sensors[0].settings.rateHertz = 80
    #expect(try identifiers(observed(), board: board) == ["live-slow"])
    board.sensors[0].settings.rateHertz = 25
    #expect(try identifiers(observed(), board: board) == ["live"])
  }

  @Test("a gap between samples is a warning with its length")
  func gaps() throws {
    let health = try observed { step, row in if (200..<240).contains(step) { row.inertial = nil } }
    #expect(try identifiers(health) == ["live-gaps"])
    #expect(health.streams[.inertialUnit]?.longestGap ?? 0 > 0.4)
  }

  @Test("the time in which a chip starts is no gap; a longer one is, from the start")
  func start() throws {
    let started = try observed { step, row in if step < 90 { row.inertial = nil } }
    #expect(try identifiers(started) == ["live"])
    let late = try observed { step, row in if step < 140 { row.inertial = nil } }
    #expect(try identifiers(late) == ["live-gaps"])
    #expect(abs((late.streams[.inertialUnit]?.longestGap ?? 0) - 1.4) < 0.02)
  }

  @Test("samples that are all equal are a fault; those of a still barometer are not")
  func constant() throws {
    let health = try observed { _, row in
      if let field = row.field {
        row.field?.field = MagneticField(microtesla: SIMD3(20, 0, 40))
        row.pressure = PressureSample(timestamp: field.timestamp, hectopascal: 1013)
      }
    }
    #expect(try identifiers(health) == ["live-constant"])
  }

  @Test("a field of zero is a fault, and one beside a magnet a warning")
  func field() throws {
    let none = try observed { step, row in
      row.field?.field = MagneticField(microtesla: SIMD3(Double(step % 3) * 0.1, 0, 0))
    }
    #expect(try identifiers(none) == ["live-no-field"])
    let strong = try observed { step, row in
      row.field?.field = MagneticField(microtesla: SIMD3(400 + Double(step % 3), 0, 0))
    }
    #expect(try identifiers(strong) == ["live-saturated"])
  }

  @Test("an inertial unit at the limit of its range is a warning")
  func saturated() throws {
    let limit = 4.36
    let health = try observed { step, row in
      // A fast turn with a flat top.
      if (100..<130).contains(step) {
        row.inertial?.angularRate = AngularRate(components: SIMD3(limit, 0, 0))
      }
    }
    #expect(try identifiers(health) == ["live-saturated"])
  }

  @Test("a receiver that is silent or lost is a fault, one with bad sentences a warning")
  func receiver() throws {
    var health = try observed()
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    #expect(try identifiers(health) == ["live"])
    health.receiver = .init(place: "/dev/serial0", epochs: 0)
    #expect(try identifiers(health) == ["live-receiver"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5, fault: "unplugged")
    #expect(try identifiers(health) == ["live-receiver"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5, rejected: 4)
    #expect(try identifiers(health) == ["live-sentences"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5, others: ["AI is 25 m from GP"])
    #expect(try identifiers(health) == ["live-sources"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    health.receiver?.untrusted = "AI frozen: its time stands still"
    #expect(try identifiers(health) == ["live-source-untrusted"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    health.receiver?.signals = "antenna open"
    #expect(try identifiers(health) == ["live-signals"])
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    health.receiver?.setUp = "not set: rate 20 Hz: refused"
    #expect(try identifiers(health) == ["live-set-up"])
  }

  @Test("two antennas that are swapped or have another baseline are a fault with its remedy")
  func antennas() throws {
    var health = try observed()
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    #expect(try identifiers(health) == ["live"])
    health.antennaFault = .swapped
    #expect(try identifiers(health) == ["live-antennas"])
    health.antennaFault = .length(reportedMetres: 1.3, configuredMetres: 1)
    #expect(try identifiers(health) == ["live-antennas"])
    #expect(health.antennaFault?.description.contains("1.3 m apart") == true)
    health.antennaFault = .turned(Angle(degrees: 91.4))
    #expect(health.antennaFault?.remedy.contains("add 91 ") == true)
  }

  @Test("corrections that do not come are a warning with the reason, and the fix is shown")
  func corrections() throws {
    var health = try observed()
    health.receiver = .init(place: "/dev/serial0", epochs: 5)
    health.corrections = .init(messages: 7)
    health.fixKind = .rtkFloat
    let found = try FakeMachine().findings(.live) { [health] in $0.health = health }
    #expect(found.map(\.identifier) == ["live"])
    let words = "receiver at /dev/serial0, RTK float, 7 messages of corrections"
    #expect(found.first?.what.hasSuffix(words) == true, "\(found)")
    health.corrections?.messages = 0
    #expect(try identifiers(health) == ["live-corrections"])
    health.corrections = .init(fault: "wrong password")
    #expect(try identifiers(health) == ["live-corrections"])
  }

  @Test("a bus that is read late and a clock that steps are warnings")
  func timing() throws {
    var health = try observed()
    health.worstLateness = 0.2
    health.clockStep = -3
    #expect(try identifiers(health) == ["live-late", "live-clock"])
    health.worstLateness = 0.002
    health.clockStep = 0.001
    #expect(try identifiers(health) == ["live"])
  }
}
