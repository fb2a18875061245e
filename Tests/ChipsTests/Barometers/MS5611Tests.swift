import Chips
import Quantities
import Simulation
import Testing

@Suite("MS5611", .timeLimit(.minutes(30)))
struct MS5611Tests {
  let bus = EmulatedBus()
  let surroundings = FixedSurroundings()

  func driver(
    _ chip: EmulatedMS5611, hertz: Double? = nil
  ) -> MS5611<EmulatedBus> {
    bus.place(chip, at: 0x77)
    return MS5611(bus: bus, address: 0x77, settings: ChipSettings(rateHertz: hertz))
  }

  @Test("refuses a damaged or missing PROM")
  func prom() {
    let good = EmulatedMS5611(surroundings: surroundings).prom
    var damaged = good
    damaged[3] ^= 0x0400
    let expected: [([UInt16], ChipError.Kind)] = [
      (damaged, .badFactoryData("its CRC-4 does not fit")),
      (
        [UInt16](repeating: 0x1E1E, count: 8),
        .badFactoryData("all words of its PROM are equal")
      ),
      ([UInt16](repeating: 0, count: 8), .constantBytes(0x00)),
      ([UInt16](repeating: 0xFFFF, count: 8), .constantBytes(0xFF)),
    ]
    for (words, kind) in expected {
      let chip = EmulatedMS5611(surroundings: surroundings)
      chip.prom = words
      var driver = driver(chip)
      do throws(ChipError) {
        try driver.start()
        Issue.record("started")
      } catch { #expect(error.kind == kind) }
    }
  }

  @Test("reads right in both second orders", arguments: [60.0, 20.01, 19.9, -10, -15.5, -30, -39])
  func cold(celsius: Double) throws {
    for hectopascal in [20.0, 300, 1013.25, 1190] {
      (surroundings.celsius, surroundings.hectopascal) = (celsius, hectopascal)
      var driver = driver(EmulatedMS5611(surroundings: surroundings))
      try driver.start()
      var last: PressureReading?
      for _ in 0..<50 {
        bus.wait(nanoseconds: 5_000_000)
        if let reading = try driver.readPressure() { last = reading }
      }
      let reading = try #require(last)
      #expect(abs(reading.hectopascal - hectopascal) < 0.03)
      #expect(abs(reading.celsius - celsius) < 0.02)
    }
  }

  @Test("uses the best ratio whose two conversions the rate permits")
  func ratios() throws {
    // Half of the data sheet's longest conversion times.
    for (hertz, latency) in [
      (25.0, 0.004_52), (44, 0.004_52), (45, 0.002_27), (88, 0.002_27), (89, 0.001_14),
      (340, 0.000_585), (660, 0.000_3), (5000, 0.000_3),
    ] {
      var driver = driver(EmulatedMS5611(surroundings: surroundings), hertz: hertz)
      #expect(abs(driver.latencySeconds - latency) < 1e-9, "\(hertz)")
      try driver.start()
      var count = 0
      for _ in 0..<1000 {
        bus.wait(nanoseconds: UInt64(bounded: 0.2e9 / driver.rateHertz))
        count += try driver.readPressure() == nil ? 0 : 1
      }
      // At the highest rates the transfers themselves take a share of a period.
      #expect(count > (hertz < 200 ? 180 : 100), "\(hertz): \(count)")
    }
  }

  @Test("stays correct and hardly slower while its state is checked at every instant")
  func holding() throws {
    var driver = driver(EmulatedMS5611(surroundings: surroundings))
    try driver.start()
    var count = 0
    for index in 0..<5000 {
      bus.wait(nanoseconds: 1_300_000)
      if let reading = try driver.readPressure() {
        #expect(abs(reading.hectopascal - 1013.25) < 0.03)
        count += 1
      }
      if index.isMultiple(of: 7) { #expect(try driver.holdsConfiguration()) }
    }
    // 6.5 s and the time of the transfers.
    #expect(count > 150, "\(count)")
  }

  @Test("has a temperature of the last half second for a caller that polls once a period")
  func warmingUp() throws {
    let ramp = RampSurroundings(hectopascalPerSecond: 0, celsiusPerSecond: 0.1)
    bus.place(EmulatedMS5611(surroundings: ramp), at: 0x77)
    var driver = MS5611(bus: bus, address: 0x77, settings: ChipSettings())
    try driver.start()
    var count = 0
    for _ in 0..<500 {
      bus.wait(nanoseconds: 40_000_000)
      guard let reading = try driver.readPressure() else { continue }
      count += 1
      // 0.6 s at 0.1 degree a second and 4 hPa a degree.
      #expect(abs(reading.hectopascal - RampSurroundings.start) < 0.24)
      #expect(abs(reading.celsius - ramp.celsius(at: bus.now)) < 0.07)
    }
    #expect(count > 450)
  }

  @Test("reads right in every second order, whatever relative it is")
  func relatives() throws {
    for (part, variant) in Self.relatives {
      for celsius in [60.0, 20.1, 19.9, -14, -16, -39] {
        for hectopascal in [20.0, 300, 1013.25, 1190] {
          (surroundings.celsius, surroundings.hectopascal) = (celsius, hectopascal)
          let reading = try #require(try reading(part, variant).last)
          // The pressure's step of the MS5837-30BA is 0.3 hPa.
          #expect(abs(reading.hectopascal - hectopascal) < (part == .ms5837With30Bar ? 0.4 : 0.05))
          #expect(abs(reading.celsius - celsius) < 0.02)
        }
      }
    }
  }

  private static let relatives: [(EmulatedMS5611.Part, MS5611Variant)] = [
    (.ms5607, .ms5607), (.ms5637, .ms5637), (.ms5837With2Bar, .ms5837With2Bar),
    (.ms5837With30Bar, .ms5837With30Bar),
  ]

  private func reading(
    _ part: EmulatedMS5611.Part, _ variant: MS5611Variant, product: UInt8? = nil
  ) throws(ChipError) -> (last: PressureReading?, doubt: String?) {
    let chip = EmulatedMS5611(part, surroundings: surroundings)
    if let product { chip.setProduct(product) }
    bus.place(chip, at: 0x76)
    var driver = MS5611(bus: bus, address: 0x76, variant: variant, settings: ChipSettings())
    try driver.start()
    var last: PressureReading?
    for _ in 0..<50 {
      bus.wait(nanoseconds: 5_000_000)
      if let reading = try driver.readPressure() { last = reading }
    }
    return (last, driver.doubt)
  }

  @Test("an MS5607 sold as an MS5611 reads half of the pressure, which is doubted and not refused")
  func halfPressure() throws {
    surroundings.hectopascal = 960
    let (half, doubt) = try reading(.ms5607, .ms5611)
    #expect(abs(try #require(half).hectopascal - 480) < 1)
    #expect(
      doubt?.contains("MS5607") == true && doubt?.contains("960 hPa") == true, "\(doubt ?? "")")
    // A real one at six kilometres shows the same and is used as well.
    surroundings.hectopascal = 480
    let (real, other) = try reading(.ms5611, .ms5611)
    #expect(abs(try #require(real).hectopascal - 480) < 0.1 && other?.contains("MS5607") == true)
    for hectopascal in [1013.25, 700, 300, 100] {
      surroundings.hectopascal = hectopascal
      #expect(try reading(.ms5611, .ms5611).doubt == nil, "\(hectopascal)")
    }
  }

  @Test(
    "a pressure that is impossible by its own formulas and usual by another part's names that part")
  func otherPart() {
    surroundings.hectopascal = 1000
    let error = refusal { _ = try reading(.ms5611, .ms5607) }
    #expect(error?.description.contains("an MS5611; name that chip") == true)
    guard case .otherPart = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("an MS5837 names its sibling by the product in its PROM; the first of them have none")
  func products() throws {
    for (part, variant, name) in [
      (EmulatedMS5611.Part.ms5837With2Bar, MS5611Variant.ms5837With30Bar, "MS5837-02BA"),
      (.ms5837With30Bar, .ms5837With2Bar, "MS5837-30BA"),
    ] {
      let error = refusal { _ = try reading(part, variant) }
      #expect(error?.description.contains("it is an \(name)") == true)
      // Without a product the board file's name counts.
      _ = try reading(part, variant, product: 0)
    }
  }

  @Test("a scan tells the parts apart that it can")
  func recognised() throws {
    let parts: [(EmulatedMS5611.Part, UInt8?, ChipModel)] = [
      (.ms5611, nil, .ms5611), (.ms5607, nil, .ms5611), (.ms5637, 0x00, .ms5637),
      (.ms5837With30Bar, nil, .ms5837With30Bar), (.ms5837With2Bar, nil, .ms5837With2Bar),
      (.ms5837With30Bar, 0, .ms5637),
    ]
    for (part, product, model) in parts {
      let chip = EmulatedMS5611(part, surroundings: surroundings)
      if let product { chip.setProduct(product) }
      bus.place(chip, at: 0x76)
      let found = ChipModel.allCases.first { candidate in
        let driver = candidate.driver(bus: bus, address: 0x76, settings: ChipSettings())
        guard candidate.addresses.contains(0x76), let chip = driver as? any RecognisedChip else {
          return false
        }
        return (try? chip.recognise()) != nil
      }
      #expect(found == model, "\(part)")
    }
  }

  @Test(
    "emulated: reads 0 too early, twice or after a loss of power, and corrupts the rest")
  func emulatedConverter() throws {
    let chip = EmulatedMS5611(surroundings: surroundings)
    bus.place(chip, at: 0x77)
    func result() throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0xEE, count: 3)
      try bytes.withUnsafeMutableBytes { try bus.read(0x00, of: 0x77, into: $0) }
      return bytes
    }
    #expect(try result() == [0, 0, 0])
    try bus.command(0x48, to: 0x77)
    bus.wait(nanoseconds: 9_100_000)
    let right = try result()
    #expect(right != [0, 0, 0])
    #expect(try result() == [0, 0, 0])
    try bus.command(0x48, to: 0x77)
    bus.wait(nanoseconds: 4_000_000)
    #expect(try result() == [0, 0, 0])
    bus.wait(nanoseconds: 9_100_000)
    let spoiled = try result()
    #expect(spoiled != right && spoiled != [0, 0, 0])
    try bus.command(0x48, to: 0x77)
    chip.losePower(at: bus.now)
    bus.wait(nanoseconds: 9_100_000)
    #expect(try result() == [0, 0, 0])
  }
}
