import Quantities

/// A unit of InvenSense whose FIFO counts its bytes, and whose samples have accelerometer and gyroscope in 12 bytes. The
/// bytes are counted before each burst, and the registers checked behind it.
protocol CountedFIFO {
  associatedtype Bus: RegisterBus
  associatedtype GyroscopeRange: AngularRateRange

  var link: ChipLink<Bus> { get }
  var fifo: FIFOAccount { get set }
  var gyroscope: GyroscopeRange { get }
  var accelerometer: MPUAccelerometerRange { get }
  /// The FIFO's size, bytes.
  var fifoBytes: Int { get }
  /// The registers with the number of bytes, high byte first, and with the oldest byte.
  static var fifoRegisters: (count: UInt8, data: UInt8) { get }
  /// A sample as it lies in the FIFO.
  static func decode(
    _ bytes: RegisterBytes, at index: Int, gyroscope: GyroscopeRange,
    accelerometer: MPUAccelerometerRange
  ) -> InertialReading
  /// Whether the chip held its configuration and its FIFO its alignment up to now.
  func isFIFOIntact() throws(ChipError) -> Bool
  /// Empties the FIFO, whose content counts as lost, and restarts it with a whole sample.
  mutating func emptyFIFO() throws(ChipError)
}

extension CountedFIFO {
  /// Bytes of a sample: accelerometer, then gyroscope, in the order of their registers.
  private static var sampleBytes: Int { 12 }

  /// Passes on all samples in the FIFO.
  /// - Returns: The number of lost samples.
  /// - Throws: `ChipError` of a transfer; the next call then begins with an empty FIFO.
  mutating func drain(_ take: (InertialReading) -> Void) throws(ChipError) -> Int {
    if fifo.isDoubtful { try emptyFIFO() }
    // At most the FIFO's size: bounds the loop on a bus slower than the chip.
    var allowed = fifoBytes / Self.sampleBytes
    while allowed > 0 {
      // Counted again before every burst, so that an overflow is detected.
      let looked = link.bus.now
      let count = try link.readSample(Self.fifoRegisters.count, count: 2)
      let bytes = Int(UInt16(bitPattern: count.bigEndian(at: 0)))
      // A read during an overflow returns half a sample: space for three samples is required.
      guard bytes <= fifoBytes - 3 * Self.sampleBytes else {
        try emptyFIFO()
        break
      }
      let samples = min(bytes / Self.sampleBytes, RegisterBytes.capacity / Self.sampleBytes)
      guard samples > 0 else {
        fifo.noteEmpty(at: looked)
        break
      }
      // Until all is read and checked: an interrupted transfer leaves part of a sample in the FIFO.
      fifo.isDoubtful = true
      let burst = try link.readSample(Self.fifoRegisters.data, count: samples * Self.sampleBytes)
      guard try isFIFOIntact() else { break }
      fifo.isDoubtful = false
      for index in 0..<samples {
        take(
          Self.decode(
            burst, at: index * Self.sampleBytes, gyroscope: gyroscope,
            accelerometer: accelerometer))
      }
      allowed -= samples
      if bytes < (samples + 1) * Self.sampleBytes {
        fifo.noteEmpty(at: looked)
        break
      }
    }
    return fifo.takeLosses()
  }
}
