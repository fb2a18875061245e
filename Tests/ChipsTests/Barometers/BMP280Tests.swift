import Chips
import Quantities
import Simulation
import Testing

@Suite("BMP280 and BME280", .timeLimit(.minutes(30)))
struct BMP280Tests {
  let bus = EmulatedBus()
  let surroundings = FixedSurroundings()

  func driver(
    _ chip: EmulatedBMP280, _ variant: BMP280Variant = .bmp280, hertz: Double? = nil
  ) -> BMP280<EmulatedBus> {
    bus.place(chip, at: 0x76)
    return BMP280(
      bus: bus, address: 0x76, variant: variant, settings: ChipSettings(rateHertz: hertz))
  }

  func kind(_ body: () throws(ChipError) -> Void) -> ChipError.Kind? {
    do throws(ChipError) { try body() } catch { return error.kind }
    return nil
  }

  @Test("takes the identities of samples for a BMP280's", arguments: [UInt8(0x56), 0x57, 0x58])
  func samples(identity: UInt8) throws {
    let chip = EmulatedBMP280(surroundings: surroundings, variant: .bmp280)
    chip.registers[0xD0] = identity
    var driver = driver(chip)
    try driver.start()
  }

  @Test("refuses missing or impossible factory coefficients")
  func factoryData() {
    var zero = BMP280Element()
    (zero.temperature, zero.pressure) = ([0, 0, 0], [Int](repeating: 0, count: 9))
    var ones = BMP280Element()
    (ones.temperature, ones.pressure) = ([-1, -1, -1], [Int](repeating: -1, count: 9))
    var divisor = BMP280Element()
    divisor.pressure[0] = 0
    var reference = BMP280Element()
    reference.temperature[0] = 0
    let expected: [(BMP280Element, ChipError.Kind)] = [
      (zero, .constantBytes(0x00)), (ones, .constantBytes(0xFF)),
      (divisor, .badFactoryData("dig_P1 is 0")), (reference, .badFactoryData("dig_T1 is 0")),
    ]
    for (element, fault) in expected {
      var driver = driver(
        EmulatedBMP280(surroundings: surroundings, variant: .bmp280, element: element))
      #expect(kind { () throws(ChipError) in try driver.start() } == fault)
    }
  }

  @Test("averages and filters as much as the rate permits")
  func settings() throws {
    // ctrl_meas (tables 20 to 22) and config: coefficient by table 6 and t_sb.
    let expected: [(hertz: Double, control: UInt8, configuration: UInt8)] = [
      (1, 0x54, 0xA0), (10, 0x54, 0xA4), (18, 0x54, 0xA4), (25, 0x30, 0xA8), (50, 0x2C, 0xAC),
      (90, 0x28, 0xB0), (120, 0x24, 0xB0), (1000, 0x24, 0xB0),
    ]
    for line in expected {
      let chip = EmulatedBMP280(surroundings: surroundings, variant: .bme280)
      var driver = driver(chip, .bme280, hertz: line.hertz)
      try driver.start()
      #expect(chip.registers[0xF4] == line.control, "\(line.hertz)")
      #expect(chip.registers[0xF5] == line.configuration, "\(line.hertz)")
      #expect(chip.registers[0xF2] == 0)
      #expect(driver.rateHertz <= line.hertz * 1.000_001)
    }
    for hertz in [0, -1, Double.nan, .infinity] {
      let rate = driver(
        EmulatedBMP280(surroundings: surroundings, variant: .bmp280), hertz: hertz
      ).rateHertz
      #expect(rate >= 0.1 && rate < 125)
    }
  }

  @Test("delivers no earlier measurement, with any flags and any speed of the chip")
  func flags() throws {
    let ramp = RampSurroundings(hectopascalPerSecond: 10)
    for (isSlowest, hidesProgress) in [(false, false), (true, false), (false, true), (true, true)] {
      let chip = EmulatedBMP280(surroundings: ramp, variant: .bmp280)
      (chip.isSlowest, chip.hidesProgress) = (isSlowest, hidesProgress)
      // Slow enough for no filter.
      var driver = driver(chip, hertz: 5)
      try driver.start()
      var count = 0
      for _ in 0..<3000 {
        bus.wait(nanoseconds: 700_000)
        guard let reading = try driver.readPressure() else { continue }
        count += 1
        let felt = (reading.hectopascal - RampSurroundings.start) / ramp.hectopascalPerSecond
        // Half a measurement, typical or longest, and a poll.
        #expect(bus.now.seconds - felt < 0.03, "\(isSlowest) \(hidesProgress)")
      }
      #expect(count >= 10)
    }
  }

  @Test("shows a loss of power with the next sample, under way or at rest", arguments: [3, 30])
  func brownOut(milliseconds: UInt64) throws {
    let chip = EmulatedBMP280(surroundings: surroundings, variant: .bmp280)
    var driver = driver(chip)
    try driver.start()
    for _ in 0..<20 {
      _ = try driver.readPressure()
      bus.wait(nanoseconds: 10_000_000)
    }
    bus.wait(nanoseconds: milliseconds * 1_000_000)
    chip.losePower(at: bus.now)
    var found: ChipError.Kind?
    for _ in 0..<10 where found == nil {
      bus.wait(nanoseconds: 10_000_000)
      found = kind { () throws(ChipError) in
        let reading = try driver.readPressure()
        #expect(reading == nil)
      }
    }
    guard case .configurationRefused(_, _, found: 0x00) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(try !driver.holdsConfiguration())
  }

  @Test("reports an endless measurement if another program has set the normal mode")
  func otherMode() throws {
    let chip = EmulatedBMP280(surroundings: surroundings, variant: .bmp280)
    var driver = driver(chip)
    try driver.start()
    _ = try driver.readPressure()
    try bus.write(0x33, to: 0xF4, of: 0x76)
    var found: ChipError.Kind?
    for _ in 0..<20 where found == nil {
      bus.wait(nanoseconds: 5_000_000)
      found = kind { () throws(ChipError) in
        let reading = try driver.readPressure()
        #expect(reading == nil)
      }
    }
    #expect(found == .unfinished("a measurement"))
    // The next command ends that mode.
    var count = 0
    for _ in 0..<60 {
      bus.wait(nanoseconds: 5_000_000)
      do throws(ChipError) { count += try driver.readPressure() == nil ? 0 : 1 } catch { continue }
    }
    #expect(count >= 4)
  }
}
