/// The FIFO without headers of Bosch's BMI160 and BMI270: samples of gyroscope x, y, z, then
/// accelerometer x, y, z, low byte first.
protocol BoschFIFO: WatchedFIFO, SixteenBitSamples {
  /// FIFO_LENGTH, FIFO_DATA and CMD.
  static var fifoRegisters: (length: UInt8, data: UInt8, command: UInt8) { get }
  /// The bits of FIFO_LENGTH that count.
  static var lengthMask: UInt16 { get }
  /// A reading without what one axis shows of another.
  func corrected(_ reading: InertialReading) -> InertialReading
  /// Whether both halves measure.
  func isOn() throws(ChipError) -> Bool
}

extension BoschFIFO {
  /// Bytes of a sample.
  static var sampleBytes: Int { 12 }
  /// The rates with both halves on, hertz, with their bits in the configuration of each half.
  static var rates: [(hertz: Double, bits: UInt8)] {
    [(25, 0x06), (50, 0x07), (100, 0x08), (200, 0x09), (400, 0x0A), (800, 0x0B), (1600, 0x0C)]
  }

  /// As it is: a chip whose axes show nothing of each other, or that corrects them itself.
  func corrected(_ reading: InertialReading) -> InertialReading { reading }

  var fifoStep: Int { Self.sampleBytes }
  var burstSize: Int { RegisterBytes.capacity }

  func readState() throws(ChipError) -> FIFOState? {
    guard try isOn() else { return nil }
    let bytes = try link.readSample(Self.fifoRegisters.length, count: 2)
    let count = Int(UInt16(bitPattern: bytes.littleEndian(at: 0)) & Self.lengthMask)
    // A full FIFO drops its oldest samples: space for three is required, as no flag shows a loss.
    return FIFOState(count: count, hasLost: count > fifoSize - 3 * Self.sampleBytes)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    try link.readSample(Self.fifoRegisters.data, count: count)
  }

  func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void) {
    for index in stride(from: 0, to: count, by: Self.sampleBytes) {
      take(corrected(reading(burst, at: index)))
    }
  }

  func restartFIFO() throws(ChipError) {
    try link.write(0xB0, to: Self.fifoRegisters.command)
  }
}
