import Chips
import Quantities
import Simulation
import Testing

@Suite("BNO085", .timeLimit(.minutes(30)))
struct BNO08xTests {
  private let surroundings = FixedSurroundings()

  private func onBus(
    _ settings: ChipSettings = ChipSettings()
  ) -> (EmulatedBus, EmulatedBNO08x, BNO08x<EmulatedBus>) {
    let bus = EmulatedBus()
    let chip = EmulatedBNO08x(surroundings: surroundings)
    bus.place(chip, at: 0x4B)
    return (bus, chip, BNO08x(bus: bus, address: 0x4B, settings: settings))
  }

  @Test("resets the hub, asks for the product and switches the raw reports on at the rate")
  func start() throws {
    for (wish, rate) in [(nil, 100.0), (200.0, 200), (5000, 400)] {
      var (bus, chip, driver) = onBus(ChipSettings(rateHertz: wish))
      try driver.start()
      #expect(abs(driver.rateHertz - rate) < 0.01)
      #expect(chip.commands.first?.channel == 1 && chip.commands.first?.payload == [1])
      #expect(chip.commands[1].payload == [0xF9, 0])
      let features = chip.commands.filter { $0.payload[0] == 0xFD }.map(\.payload)
      #expect(features.map { $0[1] } == [0x07, 0x01, 0x0F])
      let interval = UInt32(bounded: 1e6 / rate)
      #expect(features.allSatisfy { $0.count == 17 && $0[5] == UInt8(interval & 0xFF) })
      var count = 0
      let begin = bus.now
      for _ in 0..<200 {
        bus.wait(nanoseconds: 5_000_000)
        #expect(try driver.readInertia { _ in count += 1 } == 0)
      }
      #expect(abs(Double(count) - bus.now.seconds(since: begin) * rate) <= 4)
    }
  }

  @Test("is waited for while it boots, and one that never answers is an error within a second")
  func booting() throws {
    for milliseconds: UInt64 in [0, 30, 89, 200] {
      var (bus, chip, driver) = onBus()
      bus.wait(nanoseconds: 1_000_000)
      chip.losePower(at: bus.now)
      bus.wait(nanoseconds: milliseconds * 1_000_000)
      try driver.start()
      bus.wait(nanoseconds: 50_000_000)
      var count = 0
      _ = try driver.readInertia { _ in count += 1 }
      #expect(count >= 4, "\(milliseconds) ms after its power")
    }
    var (bus, _, driver) = onBus()
    bus.faults.absent = [0x4B]
    let error = refusal { try driver.start() }
    #expect(error?.kind == .bus(BusError(.noAnswer, device: bus.name, address: 0x4B)))
    #expect(bus.now.seconds(since: Timestamp(nanoseconds: 0)) < 1)
  }

  @Test("each sample has rate, force and field of one instant")
  func samples() throws {
    var (bus, _, driver) = onBus()
    surroundings.angularRate = SIMD3(0.5, -1, 2)
    surroundings.field = SIMD3(20, -30, 40)
    try driver.start()
    bus.wait(nanoseconds: 35_000_000)
    var readings: [InertialReading] = []
    _ = try driver.readInertia { readings.append($0) }
    #expect(readings.count >= 3)
    let last = try #require(readings.last)
    #expect(last.angularRate?.value?.radiansPerSecond == SIMD3(0.5, -1, 2))
    #expect(last.field?.value?.microtesla == SIMD3(20, -30, 40))
    #expect(last.specificForce?.value?.metresPerSecondSquared.z == 9.80859375)
  }

  @Test("a hub that restarts by itself is noticed and set up again")
  func restart() throws {
    var (bus, chip, driver) = onBus()
    try driver.start()
    bus.wait(nanoseconds: 50_000_000)
    #expect(try driver.holdsConfiguration())
    chip.losePower(at: bus.now)
    bus.wait(nanoseconds: 100_000_000)
    var count = 0
    _ = try driver.readInertia { _ in count += 1 }
    #expect(count == 0)
    #expect(try !driver.holdsConfiguration())
    try driver.start()
    bus.wait(nanoseconds: 50_000_000)
    _ = try driver.readInertia { _ in count += 1 }
    #expect(count >= 4)
    #expect(try driver.holdsConfiguration())
  }

  @Test("samples that the hub dropped as they were not read in time are counted")
  func losses() throws {
    var (bus, _, driver) = onBus()
    try driver.start()
    var (count, lost) = (0, 0)
    let begin = bus.now
    for wait in [10, 1500, 10, 2000, 10] {
      bus.wait(nanoseconds: UInt64(wait) * 1_000_000)
      for _ in 0..<3 { lost += try driver.readInertia { _ in count += 1 } }
    }
    #expect(lost > 150)
    #expect(abs(Double(count + lost) - bus.now.seconds(since: begin) * 100) <= 3)
  }

  @Test("a report that the hub does not have is an error that names it")
  func absentReport() throws {
    var (_, chip, driver) = onBus()
    chip.absentReports = [0x0F]
    #expect(refusal { try driver.start() }?.description.contains("0x0F") == true)
  }

  @Test("is recognised by a packet's header that waits, without a write")
  func recognition() throws {
    let (bus, _, driver) = onBus()
    bus.wait(nanoseconds: 50_000_000)
    try driver.recognise()
    #expect(bus.writes == 0)
    // The same header twice changes nothing for the start.
    try driver.recognise()
    var started = driver
    try started.start()
    bus.place(RegisterFile(defaults: [:], writable: [:]), at: 0x4B)
    #expect(refusal { try driver.recognise() } != nil)
  }

  @Test("the hub's attitude has the module's accuracy, and none where the hub calls it unreliable")
  func attitude() throws {
    var settings = ChipSettings()
    settings.usesOwnAttitude = true
    for accuracy in [UInt8(3), 0] {
      var (bus, chip, driver) = onBus(settings)
      chip.accuracy = accuracy
      // A quarter turn to the left: x, which pointed east, points north.
      chip.quaternion = SIMD4(0, 0, 0.5.squareRoot(), 0.5.squareRoot())
      chip.headingAccuracy = 0.125
      try driver.start()
      bus.wait(nanoseconds: 30_000_000)
      var readings: [InertialReading] = []
      _ = try driver.readInertia { readings.append($0) }
      let last = try #require(readings.last)
      #expect(last.angularRate == nil && last.field == nil)
      guard accuracy > 0 else {
        #expect(last.attitude == nil)
        continue
      }
      let attitude = try #require(last.attitude)
      #expect(attitude.accuracy?.radians == 0.125)
      let forward = attitude.rotation.rotate(SIMD3(1, 0, 0))
      #expect(abs(forward.x - 1) < 1e-3 && abs(forward.y) < 1e-3 && abs(forward.z) < 1e-3)
    }
  }

  // MARK: Over a serial port

  private func onLine() -> (EmulatedSerialLine, EmulatedBNO08xLine) {
    let device = EmulatedBNO08xLine(EmulatedBNO08x(surroundings: surroundings))
    return (EmulatedSerialLine(device), device)
  }

  private func samples(
    _ driver: inout BNO08x<SHTPSerialBus<EmulatedSerialLine>>, _ line: EmulatedSerialLine,
    seconds: Double
  ) -> [InertialReading] {
    var found: [InertialReading] = []
    let end = line.now.advanced(bySeconds: seconds)
    while line.now < end {
      line.wait(nanoseconds: 2_000_000)
      do throws(ChipError) {
        _ = try driver.readInertia { found.append($0) }
      } catch {
        continue
      }
    }
    return found
  }

  @Test("the same driver reads it over a serial port, with escaped bytes")
  func serial() throws {
    let (line, device) = onLine()
    // Counts of 0x7E7D and 0x7D7E.
    surroundings.angularRate = SIMD3(Double(0x0E7D) / 512, Double(0x0D7E) / 512, 0)
    surroundings.field = SIMD3(Double(0x7E) / 16, Double(0x7D) / 16, 0)
    var driver = BNO08x(bus: SHTPSerialBus(line), address: 0x4A, settings: ChipSettings())
    try driver.start()
    #expect(device.overruns == 0)
    let found = samples(&driver, line, seconds: 1)
    #expect(found.count >= 98 && found.count <= 101)
    #expect(
      found.allSatisfy { $0.angularRate?.value?.radiansPerSecond == surroundings.angularRate })
    let fields = found.compactMap { $0.field?.value?.microtesla }
    #expect(fields.count >= 97 && fields.allSatisfy { $0 == surroundings.field })
  }

  @Test("changed and lost bytes of the line cost single samples and give no false ones")
  func damage() throws {
    let (line, _) = onLine()
    surroundings.angularRate = SIMD3(0.5, -1, 2)
    var driver = BNO08x(bus: SHTPSerialBus(line), address: 0x4A, settings: ChipSettings())
    try driver.start()
    // Of the framing bytes and headers, whose damage shows: SHTP has no checksum of the payload.
    line.disturb = { index, byte in
      guard byte == 0x7E, index % 37 == 0 else { return byte }
      return index % 2 == 0 ? nil : 0x11
    }
    let found = samples(&driver, line, seconds: 5)
    #expect(found.count > 300)
    #expect(found.allSatisfy { $0.angularRate?.value?.radiansPerSecond == SIMD3(0.5, -1, 2) })
    line.disturb = nil
    #expect(samples(&driver, line, seconds: 1).count >= 98)
  }
}
