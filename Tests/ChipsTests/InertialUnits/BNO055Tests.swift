import Chips
import Quantities
import Simulation
import Testing

@Suite("BNO055", .timeLimit(.minutes(30)))
struct BNO055Tests {
  private let surroundings = FixedSurroundings()

  private func onBus(
    _ settings: ChipSettings = ChipSettings()
  ) -> (EmulatedBus, EmulatedBNO055, BNO055<EmulatedBus>) {
    let bus = EmulatedBus()
    let chip = EmulatedBNO055(surroundings: surroundings)
    bus.place(chip, at: 0x29)
    return (bus, chip, BNO055(bus: bus, address: 0x29, settings: settings))
  }

  @Test("sets ranges, units and the mode of raw samples, and leaves the first page selected")
  func configuration() throws {
    var (_, chip, driver) = onBus()
    try driver.start()
    // ±8 g and ±1000 degrees a second by default.
    #expect(chip.registers[0x88] == 0x0E && chip.registers[0x8A] == 0x19)
    #expect(chip.registers[0x89] == 0x1D && chip.registers[0x3B] == 0x82)
    #expect(chip.registers[0x3D] == 0x07 && chip.registers[0x07] == 0)
    #expect(try driver.holdsConfiguration())
  }

  @Test("is waited for while it boots, and one that never answers is an error within a second")
  func booting() throws {
    for milliseconds: UInt64 in [0, 100, 399, 500] {
      var (bus, chip, driver) = onBus()
      bus.wait(nanoseconds: 1_000_000)
      chip.losePower(at: bus.now)
      bus.wait(nanoseconds: milliseconds * 1_000_000)
      try driver.start()
      #expect(try driver.holdsConfiguration())
    }
    var (bus, _, driver) = onBus()
    bus.faults.absent = [0x29]
    let error = refusal { try driver.start() }
    #expect(error?.kind == .bus(BusError(.noAnswer, device: bus.name, address: 0x29)))
    #expect(bus.now.seconds(since: Timestamp(nanoseconds: 0)) < 1)
  }

  @Test("is started from any mode and page that another program left")
  func leftBehind() throws {
    for (page, mode) in [(UInt8(1), UInt8(0x0C)), (1, 0), (0, 0x0C), (0, 0x08)] {
      var (bus, chip, driver) = onBus()
      try bus.write(mode, to: 0x3D, of: 0x29)
      try bus.write(page, to: 0x07, of: 0x29)
      try driver.start()
      #expect(chip.registers[0x3D] == 0x07 && chip.registers[0x88] == 0x0E)
    }
  }

  @Test("reads two's complement with the low byte first: acceleration, field, angular rate")
  func decoding() throws {
    let bytes = RegisterBytes([
      0xD5, 0x03, 0x2B, 0xFC, 0x01, 0x00, 0x40, 0x01, 0xC0, 0xFE, 0x10, 0x00, 0x34, 0x12, 0xCC,
      0xED, 0x01, 0x00,
    ])
    let reading = BNO055<NoBus>.decode(bytes, gyroscope: .degrees2000, accelerometer: .g4)
    #expect(
      reading.specificForce?.value?.metresPerSecondSquared == SIMD3(9.81, -9.81, 0.01))
    #expect(reading.field?.value?.microtesla == SIMD3(20, -20, 1))
    let rate = try #require(reading.angularRate?.value).radiansPerSecond * (180 / .pi)
    #expect(abs((rate - SIMD3(4660.0, -4660, 1) * (2000.0 / 32_768)).sum()) < 1e-9)
    #expect(rate.x > 284 && rate.y < -284)
  }

  @Test("gives a field only when it is new, twenty times a second")
  func fieldRate() throws {
    var (bus, _, driver) = onBus()
    try driver.start()
    let begin = bus.now
    var (samples, fields) = (0, 0)
    for _ in 0..<2500 {
      bus.wait(nanoseconds: 2_000_000)
      _ = try driver.readInertia {
        samples += 1
        if $0.field != nil { fields += 1 }
      }
    }
    let seconds = bus.now.seconds(since: begin)
    #expect(abs(Double(samples) - 100 * seconds) <= 3)
    #expect(abs(Double(fields) - 20 * seconds) <= 2)
  }

  // MARK: Its own attitude

  private var fused: ChipSettings {
    var settings = ChipSettings()
    settings.usesOwnAttitude = true
    return settings
  }

  @Test(
    "its own attitude is east, north and up turned to north, east and down, and no sample besides")
  func attitude() throws {
    var (bus, chip, driver) = onBus(fused)
    // x east, y north: x points at a heading of 90 degrees. Then a quarter turn clockwise as seen
    // from above.
    let half = 0.5.squareRoot()
    for (quaternion, heading) in [(SIMD4(1.0, 0, 0, 0), 90.0), (SIMD4(half, 0, 0, -half), 180)] {
      chip.quaternion = quaternion
      try driver.start()
      #expect(chip.registers[0x3D] == 0x0C)
      var readings: [InertialReading] = []
      for _ in 0..<20 {
        bus.wait(nanoseconds: 5_000_000)
        _ = try driver.readInertia { readings.append($0) }
      }
      let last = try #require(readings.last)
      #expect(last.angularRate == nil && last.specificForce == nil && last.field == nil)
      let forward = try #require(last.attitude).rotation.rotate(SIMD3(1, 0, 0))
      let up = try #require(last.attitude).rotation.rotate(SIMD3(0, 0, 1))
      let north = SIMD3(heading == 90 ? 0 : -1.0, heading == 90 ? 1.0 : 0, 0)
      #expect(((forward - north) * (forward - north)).sum() < 1e-6)
      #expect(abs(up.z + 1) < 1e-6)
    }
  }

  @Test("an uncalibrated attitude or a torn quaternion is not delivered")
  func uncalibrated() throws {
    for state in [UInt8(0x3F), 0xFC, 0x00] {
      var (bus, chip, driver) = onBus(fused)
      chip.calibration = state
      try driver.start()
      bus.wait(nanoseconds: 50_000_000)
      var readings: [InertialReading] = []
      _ = try driver.readInertia { readings.append($0) }
      #expect(readings.count == 1 && readings[0].attitude == nil)
    }
    let torn = RegisterBytes([0x00, 0x40, 0x00, 0x40, 0, 0, 0, 0])
    #expect(BNO055<NoBus>.attitude(torn) == nil)
  }

  // MARK: Over a serial port

  private func onLine() -> (EmulatedSerialLine, EmulatedBNO055Line) {
    let device = EmulatedBNO055Line(EmulatedBNO055(surroundings: surroundings))
    return (EmulatedSerialLine(device), device)
  }

  private func samples(
    _ driver: inout BNO055<BNO055SerialBus<EmulatedSerialLine>>, _ line: EmulatedSerialLine,
    seconds: Double
  ) throws -> [InertialReading] {
    var found: [InertialReading] = []
    let end = line.now.advanced(bySeconds: seconds)
    while line.now < end {
      line.wait(nanoseconds: 1_000_000)
      do throws(ChipError) {
        _ = try driver.readInertia { found.append($0) }
      } catch {
        guard case .bus = error.kind else { throw error }
      }
    }
    return found
  }

  @Test("the same driver reads it over a serial port, a hundred times a second")
  func serial() throws {
    let (line, device) = onLine()
    surroundings.angularRate = SIMD3(0.5, -0.25, 1)
    var driver = BNO055(
      bus: BNO055SerialBus(line), address: 0x28,
      settings: ChipSettings(specificForceMetresPerSecondSquared: 150))
    try driver.start()
    #expect(device.overruns == 0 && device.chip.registers[0x88] == 0x0F)
    let found = try samples(&driver, line, seconds: 1)
    #expect(found.count >= 99 && found.count <= 101)
    let last = try #require(found.last)
    let rate = try #require(last.angularRate?.value?.radiansPerSecond)
    #expect(((rate - SIMD3(0.5, -0.25, 1)) * (rate - SIMD3(0.5, -0.25, 1))).sum() < 1e-5)
    #expect(try #require(last.specificForce?.value).metresPerSecondSquared.z > 9.79)
    #expect(found.contains { $0.field != nil })
  }

  @Test("a refused command is sent again, and a chip that stays busy is an error with its status")
  func refusals() throws {
    let (line, device) = onLine()
    var driver = BNO055(bus: BNO055SerialBus(line), address: 0x28, settings: ChipSettings())
    device.refusals = [0x07, 0x0A]
    try driver.start()
    device.refusals = [0x02, 0x02, 0x02]
    let error = refusal { _ = try driver.holdsConfiguration() }
    #expect(error?.description.contains("0x02") == true)
    #expect(try driver.holdsConfiguration())
  }

  @Test("a fault of each transfer and each lost or changed byte ends in no false sample")
  func serialFaults() throws {
    let (clean, _) = onLine()
    var driver = BNO055(bus: BNO055SerialBus(clean), address: 0x28, settings: ChipSettings())
    try driver.start()
    let startTransfers = clean.transfers
    _ = try samples(&driver, clean, seconds: 0.1)
    for index in 0..<clean.transfers {
      let (line, _) = onLine()
      line.failing = [index: .disconnected]
      var driver = BNO055(bus: BNO055SerialBus(line), address: 0x28, settings: ChipSettings())
      if index < startTransfers {
        #expect(throws: ChipError.self) { try driver.start() }
        try driver.start()
      } else {
        try driver.start()
      }
      #expect(try samples(&driver, line, seconds: 0.3).count >= 25, "transfer \(index)")
    }
    for lost in 0..<60 {
      for isLost in [true, false] {
        let (line, _) = onLine()
        var driver = BNO055(bus: BNO055SerialBus(line), address: 0x28, settings: ChipSettings())
        try driver.start()
        _ = try samples(&driver, line, seconds: 0.05)
        var seen: Int?
        line.disturb = { index, byte in
          if seen == nil { seen = index }
          guard index - (seen ?? 0) == lost else { return byte }
          return isLost ? nil : byte == 0xBB ? 0x13 : byte
        }
        let found = try samples(&driver, line, seconds: 0.4)
        #expect(found.count >= 20, "byte \(lost)")
        for reading in found {
          let force = try #require(reading.specificForce?.value).metresPerSecondSquared
          #expect(abs(force.z - 9.81) < 0.05, "byte \(lost)")
        }
      }
    }
  }

  @Test("a silent line is an error, and the chip is read again after a brown-out")
  func silence() throws {
    let (line, device) = onLine()
    var driver = BNO055(bus: BNO055SerialBus(line), address: 0x28, settings: ChipSettings())
    line.isCut = true
    #expect(refusal { try driver.start() }?.kind == .bus(BusError(.noAnswer, device: line.name)))
    line.isCut = false
    try driver.start()
    device.losePower(at: line.now)
    #expect(try samples(&driver, line, seconds: 0.7).isEmpty)
    #expect(try !driver.holdsConfiguration())
    try driver.start()
    #expect(try samples(&driver, line, seconds: 0.2).count > 15)
  }
}
