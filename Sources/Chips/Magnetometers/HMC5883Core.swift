import Quantities

/// The common part of the drivers of Honeywell's HMC5883L and the magnetometer in ST's LSM303DLHC,
/// which has the same design; gains and rates are parameters.
///
/// The ready bit of this design is cleared for 250 µs when a measurement is written; reading does
/// not clear it. New samples are therefore recognised by time: a reading is delivered a full period
/// after the one before, so that a measurement lies between the two. With a data-ready line half a
/// period is enough to ignore a second call.
///
/// - Source: Honeywell HMC5883L data sheet 900405 revision E: tables 2 to 20; the HMC5883's for the
///   pointer, which goes from the last data register back to the first: no transfer here passes it.
struct HMC5883Core<Bus: RegisterBus> {
  /// The registers, which both data sheets number alike.
  enum Register: UInt8 {
    case configurationA = 0x00, configurationB, mode, outX, status = 0x09, identityA, identityB
    case identityC
  }

  /// The content of the identity registers: "H43".
  static var identity: [(register: Register, content: UInt8)] {
    [(.identityA, 0x48), (.identityB, 0x34), (.identityC, 0x33)]
  }
  /// The content of a data register after an overflow (HMC5883L, data output registers).
  static var overflow: Int16 { -4096 }
  /// Where the data begin in `readSample`.
  static var dataIndex: Int { Int(Register.outX.rawValue) }

  let link: ChipLink<Bus>
  let rateHertz: Double

  private let table: [RegisterSetting]
  private let periodNanoseconds: UInt64
  private let spacingNanoseconds: UInt64
  private var due = Timestamp(nanoseconds: 0)
  /// Set after an interrupted transfer: the data may be locked and old.
  private var mayBeLocked = false

  /// - Parameters:
  ///   - link: The chip's registers.
  ///   - marks: Bits of configuration register A that differ from power-on, so that a brown-out
  ///     shows.
  ///   - rates: The chip's rates by the bits DO.
  ///   - defaultRate: The default rate, hertz.
  ///   - gain: The bits GN.
  ///   - settings: The requested settings.
  init(
    link: ChipLink<Bus>, marks: UInt8, rates: [Double], defaultRate: Double, gain: UInt8,
    settings: ChipSettings
  ) {
    self.link = link
    let index = settings.rateIndex(among: rates, default: defaultRate)
    rateHertz = rates[index]
    periodNanoseconds = UInt64(bounded: 1e9 / rateHertz)
    spacingNanoseconds = settings.drivesDataReadyLine ? periodNanoseconds / 2 : periodNanoseconds
    table = [
      RegisterSetting(Register.configurationA.rawValue, marks | UInt8(index) << 2),
      RegisterSetting(Register.configurationB.rawValue, gain << 5),
      // Continuous; last, so that the first measurement has all of the above.
      RegisterSetting(Register.mode.rawValue, 0x00),
    ]
  }

  mutating func start() throws(ChipError) {
    for (register, content) in Self.identity {
      try link.identify(register.rawValue, as: content)
    }
    try link.apply(table)
    // Reading the mode register back has locked the data registers; reading all six unlocks them.
    _ = try readConfigurationAndData()
    // The first measurement comes after two periods and may still have the previous gain.
    due = link.bus.now.advanced(byNanoseconds: 3 * periodNanoseconds)
  }

  /// Reads the data too: the mode register alone would lock them.
  mutating func holdsConfiguration() throws(ChipError) -> Bool {
    isConfigured(try readConfigurationAndData())
  }

  /// The nine registers of a measurement that is new and was made with this configuration, from
  /// configuration register A to the last data register; nil where there is none.
  mutating func readSample() throws(ChipError) -> RegisterBytes? {
    let now = link.bus.now
    if mayBeLocked {
      _ = try readConfigurationAndData()
      due = now.advanced(byNanoseconds: periodNanoseconds)
    }
    guard now >= due, try link.read(Register.status.rawValue) & 0x01 != 0 else { return nil }
    let bytes = try readConfigurationAndData()
    if bytes.isConstant(0xFF) { throw link.error(.constantBytes(0xFF)) }
    guard isConfigured(bytes) else { return nil }
    for index in 0..<3 {
      let count = bytes.bigEndian(at: Self.dataIndex + 2 * index)
      // Twelve bits with their sign: anything else did not come from the converter.
      guard -2048...2047 ~= count || count == Self.overflow else {
        throw link.error(.impossibleValue("a count of \(count)"))
      }
    }
    due = now.advanced(byNanoseconds: spacingNanoseconds)
    return bytes
  }

  /// Counts on x, y and z; the registers hold them in the order x, z, y. Nil after an overflow.
  static func counts(_ bytes: RegisterBytes, at index: Int) -> SIMD3<Double>? {
    let (x, z, y) = (
      bytes.bigEndian(at: index), bytes.bigEndian(at: index + 2), bytes.bigEndian(at: index + 4)
    )
    guard x != overflow, y != overflow, z != overflow else { return nil }
    return SIMD3(Double(x), Double(y), Double(z))
  }

  /// From the first configuration register to the last data register.
  private mutating func readConfigurationAndData() throws(ChipError) -> RegisterBytes {
    mayBeLocked = true
    let bytes = try link.read(Register.configurationA.rawValue, count: 9)
    mayBeLocked = false
    return bytes
  }

  private func isConfigured(_ bytes: RegisterBytes) -> Bool {
    for setting in table where !setting.matches(bytes[Int(setting.register)]) { return false }
    return true
  }
}
