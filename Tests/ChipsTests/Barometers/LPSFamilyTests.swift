import Chips
import Quantities
import Simulation
import Testing

@Suite("LPS25HB, LPS22HB, LPS22HH and LPS22DF", .timeLimit(.minutes(30)))
struct LPSFamilyTests {
  let bus = EmulatedBus()
  let surroundings = FixedSurroundings()

  /// Five bytes from PRESS_OUT_XL on, hectopascal, degrees: exact quotients from Python's
  /// fractions.
  static let figures: [(bytes: [UInt8], hectopascal: Double, celsius: Double)] = [
    ([0x00, 0x00, 0x00, 0x00, 0x00], 0.0, 42.5),
    ([0x01, 0x00, 0x00, 0x01, 0x00], 0.000244140625, 42.50208333333333),
    ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -0.000244140625, 42.49791666666667),
    ([0xFF, 0xFF, 0x7F, 0x11, 0x61], 2047.999755859375, 94.26875),
    ([0x00, 0x00, 0x80, 0x00, 0x80], -2048.0, -25.766666666666666),
    ([0x00, 0x80, 0x2F, 0x00, 0x00], 760.0, 42.5),
    ([0x00, 0x40, 0x3F, 0x00, 0x40], 1012.0, 76.63333333333334),
    ([0x00, 0x54, 0x3F, 0x00, 0xEC], 1013.25, 31.833333333333332),
    ([0x00, 0x40, 0x10, 0x00, 0x40], 260.0, 76.63333333333334),
    ([0x00, 0xC0, 0x4E, 0x00, 0xC0], 1260.0, 8.366666666666667),
    ([0x55, 0x55, 0x55, 0x5B, 0x20], 1365.333251953125, 59.75625),
    ([0xAA, 0xAA, 0xAA, 0xB6, 0xC0], -1365.33349609375, 8.745833333333334),
    ([0x00, 0x10, 0x00, 0x00, 0x70], 1.0, 102.23333333333333),
    ([0x00, 0xF0, 0xFF, 0x00, 0x90], -1.0, -17.233333333333334),
    ([0x00, 0xFF, 0x00, 0x00, 0x91], 15.9375, -16.7),
    ([0x00, 0x00, 0xFF, 0x00, 0x80], -16.0, -25.766666666666666),
    ([0xFF, 0x00, 0x00, 0x11, 0x50], 0.062255859375, 85.20208333333333),
    ([0x56, 0x34, 0x12, 0x4A, 0x70], 291.27099609375, 102.3875),
    ([0x21, 0x43, 0x65, 0xCF, 0x09], 1620.195556640625, 47.73125),
    ([0x11, 0x5A, 0x3F, 0xDF, 0x93], 1013.629150390625, -15.16875),
    ([0x01, 0x00, 0x3E, 0xEF, 0x9E], 992.000244140625, -9.26875),
  ]

  @Test("decodes 24 bits with their sign, to the ends of the words")
  func decoding() {
    for figure in Self.figures {
      let reading = LPSVariant.lps25hb.decode(RegisterBytes(figure.bytes), at: 0)
      #expect(reading.hectopascal == figure.hectopascal, "\(figure.bytes)")
      #expect(abs(reading.celsius - figure.celsius) < 1e-12, "\(figure.bytes)")
    }
  }

  @Test("uses the lowest rate not below the requested one")
  func rates() throws {
    let expected: [(wanted: Double?, hertz: Double, control: UInt8)] = [
      (nil, 25, 0xC4), (0.5, 1, 0x94), (1, 1, 0x94), (2, 7, 0xA4), (7, 7, 0xA4), (10, 12.5, 0xB4),
      (12.6, 25, 0xC4), (100, 25, 0xC4),
    ]
    for line in expected {
      let chip = EmulatedLPSFamily(.lps25hb, surroundings: surroundings)
      bus.place(chip, at: 0x5C)
      var driver = LPSFamily(
        bus: bus, address: 0x5C, settings: ChipSettings(rateHertz: line.wanted), variant: .lps25hb)
      try driver.start()
      #expect(driver.rateHertz == line.hertz)
      #expect(chip.registers[0x20] == line.control)
      #expect(chip.registers[0x10] == 0x0F)
      #expect(chip.registers[0x23] == 0)
    }
  }

  @Test("puts data ready on the interrupt line where it is wired, and starts from any state")
  func interruptLine() throws {
    let chip = EmulatedLPSFamily(.lps25hb, surroundings: surroundings)
    bus.place(chip, at: 0x5C)
    // FIFO and autozero on, an interrupt on low pressure, active low.
    for (register, value) in [(0x21, 0x42), (0x2E, 0xC1), (0x22, 0x82), (0x20, 0x9B)] {
      try bus.write(UInt8(value), to: UInt8(register), of: 0x5C)
    }
    var driver = LPSFamily(
      bus: bus, address: 0x5C, settings: ChipSettings(drivesDataReadyLine: true),
      variant: .lps25hb)
    try driver.start()
    #expect(chip.registers[0x20...0x23] == [0xC4, 0x00, 0x00, 0x01])
    #expect(chip.registers[0x2E] == 0)
  }

  @Test("never delivers the 760 hPa in the registers after power-on")
  func powerOnOutput() throws {
    bus.place(EmulatedLPSFamily(.lps25hb, surroundings: surroundings), at: 0x5C)
    var driver = LPSFamily(
      bus: bus, address: 0x5C, settings: ChipSettings(rateHertz: 1), variant: .lps25hb)
    try driver.start()
    var readings: [PressureReading] = []
    for _ in 0..<1200 {
      bus.wait(nanoseconds: 1_000_000)
      if let reading = try driver.readPressure() { readings.append(reading) }
    }
    #expect(readings.count == 1)
    #expect(readings.first?.hectopascal == 1013.25)
    #expect(abs((readings.first?.celsius ?? 0) - 20) < 0.003)
  }

  @Test("the newer ones have hundredths of a degree, and the same pressure")
  func newerDecoding() {
    for variant in [LPSVariant.lps22hb, .lps22hh, .lps22df] {
      for (bytes, hectopascal, celsius) in [
        ([UInt8(0x00), 0x54, 0x3F, 0xD0, 0x07], 1013.25, 20.0),
        ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -0.000244140625, -0.01),
        ([0x00, 0x40, 0x10, 0x60, 0xF0], 260.0, -40.0),
      ] {
        let reading = variant.decode(RegisterBytes(bytes), at: 0)
        #expect(reading.hectopascal == hectopascal)
        #expect(abs(reading.celsius - celsius) < 1e-12)
      }
    }
  }

  @Test("the newer ones use the lowest rate not below the requested one, and its best resolution")
  func newerRates() throws {
    let expected: [(LPSVariant, EmulatedLPSFamily.Part, [(Double, Double, UInt8, UInt8)])] = [
      // Requested, rate, CTRL_REG1, CTRL_REG2.
      (.lps22hb, .lps22hb, [(1, 1, 0x12, 0x10), (11, 25, 0x32, 0x10), (500, 75, 0x52, 0x10)]),
      (.lps22hh, .lps22hh, [(1, 1, 0x12, 0x12), (75, 75, 0x52, 0x12), (500, 200, 0x72, 0x10)]),
      (.lps22df, .lps22df, [(1, 1, 0x0F, 0x08), (25, 25, 0x23, 0x08), (500, 200, 0x40, 0x08)]),
    ]
    for (variant, part, lines) in expected {
      for (wanted, hertz, control1, control2) in lines {
        let chip = EmulatedLPSFamily(part, surroundings: surroundings)
        bus.place(chip, at: 0x5D)
        var driver = LPSFamily(
          bus: bus, address: 0x5D,
          settings: ChipSettings(rateHertz: wanted, drivesDataReadyLine: true), variant: variant)
        try driver.start()
        #expect(driver.rateHertz == hertz)
        #expect(chip.registers[0x10] == control1 && chip.registers[0x11] == control2)
        // DRDY of the LPS22DF, and of the others.
        let isDF = driver.model == .lps22df
        #expect(chip.registers[isDF ? 0x13 : 0x12] == (isDF ? 0x20 : 0x04))
        bus.wait(nanoseconds: 1_010_000_000)
        let reading = try driver.readPressure()
        #expect(reading?.hectopascal == 1013.25)
        #expect(reading?.celsius == 20)
      }
    }
  }

  @Test("emulated: holds a value that was read in part until the rest is read")
  func blockDataUpdate() throws {
    let chip = EmulatedLPSFamily(.lps25hb, surroundings: surroundings)
    bus.place(chip, at: 0x5C)
    surroundings.hectopascal = 1000
    try bus.write(0xC4, to: 0x20, of: 0x5C)
    bus.wait(nanoseconds: 50_000_000)
    #expect(try bus.read(0x28, of: 0x5C) == 0x00)
    surroundings.hectopascal = 500
    bus.wait(nanoseconds: 100_000_000)
    // 1000 hPa is 0x3E8000; 500 hPa is 0x1F4000.
    #expect(try bus.read(0x29, of: 0x5C) == 0x80)
    #expect(try bus.read(0x2A, of: 0x5C) == 0x3E)
    bus.wait(nanoseconds: 100_000_000)
    #expect(try bus.read(0x2A, of: 0x5C) == 0x1F)
  }
}
