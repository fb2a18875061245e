import Quantities

/// A unit of InvenSense whose FIFO counts its bytes, and whose samples have accelerometer and
/// gyroscope in 12 bytes, or 14 with the thermometer between them. The bytes are counted before
/// each burst, and the registers checked behind it.
protocol CountedFIFO: AccountedFIFO, SixteenBitSamples {
  /// The FIFO's size, bytes.
  var fifoBytes: Int { get }
  /// Bytes of a sample.
  var sampleBytes: Int { get }
  /// The registers with the number of bytes, high byte first, and with the oldest byte.
  static var fifoRegisters: (count: UInt8, data: UInt8) { get }
  /// A sample as it lies in the FIFO.
  func reading(_ bytes: RegisterBytes, at index: Int) -> InertialReading
  /// Whether the chip held its configuration and its FIFO its alignment up to now.
  func isFIFOIntact() throws(ChipError) -> Bool
}

extension CountedFIFO {
  /// Accelerometer, then gyroscope, in the order of their registers.
  var sampleBytes: Int { 12 }

  /// Passes on all samples in the FIFO.
  /// - Returns: The number of lost samples.
  /// - Throws: `ChipError` of a transfer; the next call then begins with an empty FIFO.
  mutating func drain(_ take: (InertialReading) -> Void) throws(ChipError) -> Int {
    if fifo.isDoubtful { try emptyFIFO() }
    // At most the FIFO's size: bounds the loop on a bus slower than the chip.
    var allowed = fifoBytes / sampleBytes
    while allowed > 0 {
      // Counted again before every burst, so that an overflow is detected.
      let looked = link.bus.now
      let count = try link.readSample(Self.fifoRegisters.count, count: 2)
      let bytes = Int(UInt16(bitPattern: count.bigEndian(at: 0)))
      // A read during an overflow returns half a sample: space for three samples is required.
      guard bytes <= fifoBytes - 3 * sampleBytes else {
        try emptyFIFO()
        break
      }
      let samples = min(bytes / sampleBytes, RegisterBytes.capacity / sampleBytes)
      guard samples > 0 else {
        fifo.recordEmpty(at: looked)
        break
      }
      // Until all is read and checked: an interrupted transfer leaves part of a sample in the FIFO.
      fifo.isDoubtful = true
      let burst = try link.readSample(Self.fifoRegisters.data, count: samples * sampleBytes)
      guard try isFIFOIntact() else { break }
      fifo.isDoubtful = false
      for index in 0..<samples {
        take(reading(burst, at: index * sampleBytes))
      }
      allowed -= samples
      if bytes < (samples + 1) * sampleBytes {
        fifo.recordEmpty(at: looked)
        break
      }
    }
    return fifo.resetLosses()
  }
}
