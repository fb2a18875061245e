extension ChipModel {
  /// The LPS25HB and its forerunner.
  public static let lps25hb = ChipModel(
    "LPS25HB", .pressure, at: [0x5C, 0x5D], Identity(0x0F, 0xBD, "LPS25H or LPS25HB")
  )
  // Source: LPS25HB data sheet, SPI: MS bit.
  .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))
  /// The LPS22HB and its waterproof sisters.
  public static let lps22hb = ChipModel(
    "LPS22HB", .pressure, at: [0x5C, 0x5D], Identity(0x0F, 0xB1, "LPS22HB, LPS33HW or LPS35HW")
  )
  // IF_ADD_INC counts up; I2C_DIS of CTRL_REG2 is in a register that the driver writes. Source:
  // data sheets of LPS22HB, LPS22HH and LPS22DF, "SPI bus interface" (four wires unless SIM is set;
  // bit 0 of a transfer is RW, the others are the address) and their timing tables; lps22hb_reg.h
  // for I2C_DIS.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x11, 0x08)))
  /// The LPS22HH.
  public static let lps22hh = ChipModel(
    "LPS22HH", .pressure, at: [0x5C, 0x5D], Identity(0x0F, 0xB3)
  )
  // The bits that switch I2C off (IF_CTRL) are not set: the chip select alone chooses the
  // interface.
  .over(SPIFraming(fastestHertz: 10_000_000))
  /// The LPS22DF; its sisters have a second range, which is not used.
  public static let lps22df = ChipModel(
    "LPS22DF", .pressure, at: [0x5C, 0x5D], Identity(0x0F, 0xB4, "LPS22DF, LPS28DFW or ILPS22QS")
  )
  .over(SPIFraming(fastestHertz: 10_000_000))
}

/// The differences between ST's barometers.
///
/// - Source: LPS25HB: ST data sheet DocID027112, as ST's own drivers give it
///   (STMicroelectronics/lps25hb-pid, LPS25HB_Driver.h 1.2.5), and AN4450 section 6.2 for the time
///   of a conversion. LPS22HB: DocID027083 revision 6; LPS22HH: DocID030890 revision 1; LPS22DF:
///   lps22df.pdf; their registers as ST's drivers lps22hb_reg.h, lps22hh_reg.h and lps22df_reg.h
///   (STMems_Standard_C_drivers) give them. Identities, rates with their bits, scales, block data
///   update and data-ready bits also in Linux drivers/iio/pressure/st_pressure_core.c; the
///   LPS22DF's sisters in Zephyr's lps2xdf.
public struct LPSVariant: Sendable {
  /// One output rate.
  struct Rate: Sendable {
    let hertz: Double
    /// The first control register, with the rate and what belongs to it.
    let control: UInt8
    /// Half of a conversion, seconds.
    let latencySeconds: Double
    /// The second control register where it depends on the rate.
    var resolution: UInt8 = 0

    init(_ hertz: Double, _ control: UInt8, _ latencySeconds: Double, resolution: UInt8 = 0) {
      (self.hertz, self.control, self.latencySeconds) = (hertz, control, latencySeconds)
      self.resolution = resolution
    }
  }

  let model: ChipModel
  let identity: UInt8
  /// Set in a register's number to count up in a transfer.
  let countUp: UInt8
  /// The register and the bits that restart the chip, which clear when it is done.
  let restart: (register: UInt8, bits: UInt8)
  /// Counts of a degree, and the temperature of the count 0.
  let temperature: (countsPerDegree: Double, atZero: Double)
  /// In rising order; the last is the default where `usualHertz` is not among them.
  let rates: [Rate]
  /// The configuration, in the order of writing.
  let table: @Sendable (_ rate: Rate, _ drivesDataReadyLine: Bool) -> [RegisterSetting]

  /// The rate used without a wish, hertz.
  static var usualHertz: Double { 25 }

  /// The sample that five bytes from PRESS_OUT_XL on stand for.
  public func decode(_ bytes: RegisterBytes, at index: Int) -> PressureReading {
    PressureReading(
      // 4096 counts a hectopascal, two's complement.
      hectopascal: Double(bytes.littleEndian24(at: index)) / 4096,
      celsius: temperature.atZero
        + Double(bytes.littleEndian(at: index + 3)) / temperature.countsPerDegree)
  }

  /// Best resolution at every rate: 512 and 64 values, 62 µs each and 975 µs (AN4450, section 6.2).
  public static var lps25hb: LPSVariant {
    let latency = 0.5 * (62e-6 * (512 + 64) + 975e-6)
    return LPSVariant(
      model: .lps25hb, identity: 0xBD, countUp: 0x80,
      // CTRL_REG2: BOOT and SWRESET, factory trimming and registers as after power-on.
      restart: (0x21, 0x84), temperature: (480, 42.5),
      // PD: active; BDU: the bytes of a value belong to one conversion.
      rates: [
        Rate(1, 0x94, latency), Rate(7, 0xA4, latency), Rate(12.5, 0xB4, latency),
        Rate(25, 0xC4, latency),
      ]
    ) { rate, drivesLine in
      [
        // RES_CONF: AVGP 11 and AVGT 11.
        RegisterSetting(0x10, 0x0F, kept: 0x0F),
        // CTRL_REG2 and FIFO_CTRL: no FIFO, no autozero, the outputs are the pressure itself.
        RegisterSetting(0x21, 0x00), RegisterSetting(0x2E, 0x00),
        // CTRL_REG3 and 4: INT_DRDY active high, push-pull; DRDY where the line is wired.
        RegisterSetting(0x22, 0x00), RegisterSetting(0x23, drivesLine ? 0x01 : 0x00),
        // CTRL_REG1 last, so that the first conversion has all of the above.
        RegisterSetting(0x20, rate.control),
      ]
    }
  }

  // The newer sheets print no time of a conversion. It is at most the period of the highest rate;
  // half of that is taken for it, so that the latency is wrong by no more than itself.
  private static func latency(highestHertz hertz: Double) -> Double { 0.25 / hertz }

  /// Low-noise mode, which is the LPS22HB's normal one.
  public static var lps22hb: LPSVariant {
    let latency = Self.latency(highestHertz: 75)
    return LPSVariant(
      model: .lps22hb, identity: 0xB1, countUp: 0x00,
      // CTRL_REG2: SWRESET.
      restart: (0x11, 0x04), temperature: (100, 0),
      // CTRL_REG1: ODR, BDU, no filter.
      rates: [
        Rate(1, 0x12, latency), Rate(10, 0x22, latency), Rate(25, 0x32, latency),
        Rate(50, 0x42, latency), Rate(75, 0x52, latency),
      ]
    ) { rate, drivesLine in
      [
        // FIFO_CTRL: bypass. CTRL_REG2: IF_ADD_INC, no FIFO.
        RegisterSetting(0x14, 0x00), RegisterSetting(0x11, 0x10),
        // CTRL_REG3: active high, push-pull, DRDY where the line is wired.
        RegisterSetting(0x12, drivesLine ? 0x04 : 0x00), RegisterSetting(0x10, rate.control),
      ]
    }
  }

  /// Low noise up to 75 Hz; the faster rates have only the low-current mode.
  public static var lps22hh: LPSVariant {
    let (quiet, fast) = (latency(highestHertz: 75), latency(highestHertz: 200))
    return LPSVariant(
      model: .lps22hh, identity: 0xB3, countUp: 0x00, restart: (0x11, 0x04),
      temperature: (100, 0),
      rates: [
        Rate(1, 0x12, quiet, resolution: 0x02), Rate(10, 0x22, quiet, resolution: 0x02),
        Rate(25, 0x32, quiet, resolution: 0x02), Rate(50, 0x42, quiet, resolution: 0x02),
        Rate(75, 0x52, quiet, resolution: 0x02), Rate(100, 0x62, fast), Rate(200, 0x72, fast),
      ]
    ) { rate, drivesLine in
      [
        // FIFO_CTRL: bypass. CTRL_REG2: IF_ADD_INC, active high, push-pull, LOW_NOISE_EN.
        RegisterSetting(0x13, 0x00), RegisterSetting(0x11, 0x10 | rate.resolution),
        // CTRL_REG3: DRDY where the line is wired.
        RegisterSetting(0x12, drivesLine ? 0x04 : 0x00), RegisterSetting(0x10, rate.control),
      ]
    }
  }

  /// As many averages as surely fit: four of them fit into the 5 ms of 200 Hz.
  public static var lps22df: LPSVariant {
    func rate(_ hertz: Double, _ odr: UInt8, averages: Double, _ bits: UInt8) -> Rate {
      Rate(hertz, odr << 3 | bits, latency(highestHertz: 200) * averages / 4)
    }
    return LPSVariant(
      model: .lps22df, identity: 0xB4, countUp: 0x00, restart: (0x11, 0x04),
      temperature: (100, 0),
      rates: [
        rate(1, 1, averages: 512, 7), rate(4, 2, averages: 128, 5), rate(10, 3, averages: 64, 4),
        rate(25, 4, averages: 32, 3), rate(50, 5, averages: 16, 2), rate(75, 6, averages: 8, 1),
        rate(100, 7, averages: 8, 1), rate(200, 8, averages: 4, 0),
      ]
    ) { rate, drivesLine in
      [
        // FIFO_CTRL: bypass. CTRL_REG3: IF_ADD_INC, active high, push-pull.
        RegisterSetting(0x14, 0x00), RegisterSetting(0x12, 0x01),
        // CTRL_REG4: DRDY where the line is wired. CTRL_REG2: BDU, no filter, the sisters' range of
        // 1260 hPa.
        RegisterSetting(0x13, drivesLine ? 0x20 : 0x00), RegisterSetting(0x11, 0x08),
        RegisterSetting(0x10, rate.control),
      ]
    }
  }
}
