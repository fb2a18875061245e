import Chips
import Quantities
import Simulation
import Testing

@Suite("WitMotion's serial protocol", .timeLimit(.minutes(30)))
struct WT901Tests {
  private let surroundings = FixedSurroundings()

  private func line(
    baud: Int = 9600
  ) -> (EmulatedSerialLine, EmulatedWT901) {
    let device = EmulatedWT901(surroundings: surroundings, baud: baud)
    return (EmulatedSerialLine(device), device)
  }

  private func samples(
    _ driver: inout WT901<EmulatedSerialLine>, _ line: EmulatedSerialLine, seconds: Double
  ) -> [InertialReading] {
    var found: [InertialReading] = []
    let end = line.now.advanced(bySeconds: seconds)
    while line.now < end {
      line.wait(nanoseconds: 5_000_000)
      do throws(ChipError) { _ = try driver.readInertia { found.append($0) } } catch { continue }
    }
    return found
  }

  private func frames(_ bytes: [UInt8]) -> (frames: [WitMotionFrame], stray: Int) {
    var framer = WitMotionFramer()
    return (bytes.compactMap { framer.push($0) }, framer.strayBytes)
  }

  /// The data sheet's formulas by hand: 2048 counts a g, 16.384 a degree a second, 32,768 a half
  /// turn.
  @Test("decodes each frame by the data sheet's formulas")
  func decoding() throws {
    let bytes: [UInt8] = [
      0x55, 0x51, 0x00, 0x08, 0x00, 0xF8, 0x00, 0x10, 0xC4, 0x09, 0x83,
      0x55, 0x52, 0x00, 0x10, 0x00, 0xF0, 0x01, 0x00, 0xC4, 0x09, 0x75,
      0x55, 0x54, 0x68, 0x01, 0x69, 0x00, 0x86, 0xFF, 0x00, 0x00, 0x00,
    ]
    var checked = bytes
    for frame in 0..<3 {
      checked[11 * frame + 10] = bytes[11 * frame..<11 * frame + 10].reduce(0, &+)
    }
    let found = frames(checked)
    #expect(found.frames.map(\.kind) == [0x51, 0x52, 0x54] && found.stray == 0)
    let force = try #require(found.frames[0].force.value).metresPerSecondSquared / 9.806_65
    #expect(((force - SIMD3(1, -1, 2)) * (force - SIMD3(1, -1, 2))).sum() < 1e-18)
    let rate = try #require(found.frames[1].rate.value).radiansPerSecond * (180 / .pi)
    #expect(abs(rate.x - 250) < 1e-9 && abs(rate.y + 250) < 1e-9)
    // The data sheet's example of a field: 360, 105; and a negative one.
    let field = try #require(found.frames[2].field.value).microtesla
    #expect(abs(field.x - 36) < 1e-9 && abs(field.y - 10.5) < 1e-9 && abs(field.z + 12.2) < 1e-9)
  }

  @Test("every split of the stream and every damaged byte leaves the other frames")
  func damage() throws {
    let (line, device) = line()
    surroundings.specificForce = SIMD3(1, 2, 9.7)
    // Bytes of 0x55 within frames too.
    surroundings.field = SIMD3(Double(0x5155) / 10 - 2000, 8.5, 8.5)
    line.wait(nanoseconds: 1_000_000_000)
    let bytes = device.output(at: line.now)
    let whole = frames(bytes).frames
    #expect(whole.count == 40)
    for place in 0..<88 {
      var lost = bytes
      lost.remove(at: place)
      #expect(frames(lost).frames.suffix(30) == whole.suffix(30))
      #expect(frames(lost).frames.allSatisfy { whole.contains($0) })
      var changed = bytes
      changed[place] ^= 0x10
      #expect(frames(changed).frames.count >= 38)
      #expect(frames(changed).frames.allSatisfy { whole.contains($0) })
      #expect(frames(Array(bytes[place...])).frames.count >= 40 - place / 11 - 2)
      #expect(frames([0x55, 0x55, 0x51] + bytes).frames.count >= 39)
    }
  }

  @Test("is listened to only, and measures its rate")
  func listening() throws {
    let (line, device) = line()
    surroundings.angularRate = SIMD3(0.5, -1, 2)
    surroundings.field = SIMD3(20, -30, 40)
    var driver = WT901(port: line, settings: ChipSettings())
    try driver.start()
    #expect(driver.rateHertz == 10 && line.written.isEmpty)
    let before = device.samples
    let found = samples(&driver, line, seconds: 3)
    #expect(abs(found.count - (device.samples - before)) <= 1)
    let last = try #require(found.last)
    let rate = try #require(last.angularRate?.value).radiansPerSecond - SIMD3(0.5, -1, 2)
    #expect((rate * rate).sum() < 1e-5)
    #expect(last.field?.value?.microtesla == SIMD3(20, -30, 40))
    #expect(found.allSatisfy { $0.specificForce != nil && $0.field != nil && $0.attitude == nil })
  }

  @Test(
    "a module that sends fewer or more frames a sample is read too",
    arguments: [
      [UInt8(0x51), 0x52], [0x50, 0x51, 0x52, 0x53, 0x54, 0x56, 0x57, 0x59], [0x52],
    ])
  func contents(_ content: [UInt8]) throws {
    let (line, device) = line()
    device.content = content
    var driver = WT901(port: line, settings: ChipSettings())
    try driver.start()
    let found = samples(&driver, line, seconds: 2)
    #expect(found.count >= 19 && found.count <= 21)
    #expect(found.allSatisfy { $0.angularRate != nil })
    #expect(found.allSatisfy { ($0.field != nil) == content.contains(0x54) })
  }

  @Test("a wanted rate is set by unlocking, as far as the line has time, and not stored")
  func rate() throws {
    for (baud, wish, code, rate) in [
      (9600, 100.0, UInt8(0x06), 10.0), (115_200, 100, 0x09, 100), (115_200, 50, 0x08, 50),
      (230_400, 1000, 0x0B, 200),
    ] {
      let (line, device) = line(baud: baud)
      var driver = WT901(port: line, settings: ChipSettings(rateHertz: wish))
      try driver.start()
      #expect(
        device.commands == [[0xFF, 0xAA, 0x69, 0x88, 0xB5], [0xFF, 0xAA, 0x03, code, 0x00]])
      #expect(driver.rateHertz == rate)
      #expect(Double(samples(&driver, line, seconds: 1).count) >= 0.9 * rate)
    }
  }

  @Test("a value at the end of the range is marked")
  func rails() throws {
    let (line, _) = line()
    surroundings.specificForce = SIMD3(0, 200, 0)
    surroundings.angularRate = SIMD3(0, 0, -40)
    var driver = WT901(port: line, settings: ChipSettings())
    try driver.start()
    let last = try #require(samples(&driver, line, seconds: 1).last)
    #expect(last.specificForce?.value == nil && last.angularRate?.value == nil)
    let force = try #require(last.specificForce?.clippedValue).metresPerSecondSquared
    #expect(abs(force.y - 16 * 9.806_65) < 0.1 && abs(force.z) < 0.1)
    let rate = try #require(last.angularRate?.clippedValue).radiansPerSecond
    #expect(abs(rate.z + 2000 * .pi / 180) < 0.01)
  }

  @Test("a silent line or another speed is an error that names the speed; faults do not end it")
  func faults() throws {
    let (line, _) = line()
    line.setBaud(115_200)
    var driver = WT901(port: line, settings: ChipSettings())
    let text = try #require(refusal { try driver.start() }?.description)
    #expect(text.contains("115200 baud") && text.contains(line.name))
    line.setBaud(9600)
    try driver.start()
    for index in line.transfers..<line.transfers + 200 where index % 3 == 0 {
      line.failing[index] = .failed("reading")
    }
    #expect(samples(&driver, line, seconds: 3).count >= 25)
    line.isCut = true
    #expect(samples(&driver, line, seconds: 1).isEmpty)
    line.isCut = false
    #expect(samples(&driver, line, seconds: 1).count >= 9)
  }

  @Test("its own attitude by angles or quaternion, from east, north and up")
  func attitude() throws {
    var settings = ChipSettings()
    settings.usesOwnAttitude = true
    // y points forward: at a yaw of 30 degrees to the left of north it points at a heading of 330
    // degrees.
    let half = 15.0 * Double.pi / 180
    for isQuaternion in [false, true] {
      let (line, device) = line()
      device.angles = SIMD3(0, 0, 30)
      device.quaternion = SIMD4(Double.cos(half), 0, 0, Double.sin(half))
      if isQuaternion {
        device.content = [0x51, 0x52, 0x53, 0x54, 0x59]
        device.angles = SIMD3(0, 0, -90)
      }
      var driver = WT901(port: line, settings: settings)
      try driver.start()
      let found = samples(&driver, line, seconds: 1)
      #expect(found.count >= 9 && found.allSatisfy { $0.angularRate == nil && $0.field == nil })
      let forward = try #require(found.last?.attitude).rotation.rotate(SIMD3(0, 1, 0))
      #expect(abs(forward.x - Double.cos(2 * half)) < 1e-3)
      #expect(abs(forward.y + Double.sin(2 * half)) < 1e-3)
    }
  }
}

extension Double {
  fileprivate static func sin(_ x: Double) -> Double {
    // Enough terms for angles below one.
    x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
  }
  fileprivate static func cos(_ x: Double) -> Double { (1 - sin(x) * sin(x)).squareRoot() }
}
