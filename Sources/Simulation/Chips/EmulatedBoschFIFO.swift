import Quantities

/// What Bosch's BMI160 and BMI270 share: a FIFO without headers of gyroscope, then accelerometer.
package class EmulatedBoschFIFO: RegisterFile {
  /// Where a chip has it.
  struct Layout {
    /// FIFO_LENGTH, low byte; the high byte follows.
    var length: UInt8
    /// FIFO_DATA.
    var data: UInt8
    /// FIFO_CONFIG_1, with what the FIFO stores.
    var content: UInt8
    /// The FIFO's size.
    var bytes: Int
    /// The newest gyroscope and accelerometer data.
    var gyroscope: UInt8
    var accelerometer: UInt8
  }

  let surroundings: any Surroundings
  var conversions: ConversionClock?
  var fifo: [UInt8] = []
  /// The share of the rate around z that x shows.
  var crossAxisShare: Double { 0 }
  private let layout: Layout

  init(
    surroundings: any Surroundings, layout: Layout, defaults: [UInt8: UInt8],
    writable: [UInt8: UInt8]
  ) {
    (self.surroundings, self.layout) = (surroundings, layout)
    super.init(
      defaults: defaults, writable: writable, pointer: .counting(stayingOn: layout.data))
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    fifo = []
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case layout.length: return UInt8(fifo.count & 0xFF)
    case layout.length + 1: return UInt8(fifo.count >> 8)
    // An empty FIFO without headers reads as 0x80.
    case layout.data: return fifo.isEmpty ? 0x80 : fifo.removeFirst()
    default: return registers[Int(register)]
    }
  }

  /// Measures, and stores the sample where the FIFO is set up for both quantities without headers.
  func convert(at instant: Timestamp, perDegree: Double, perG: Double) {
    var rate = surroundings.angularRate(at: instant) * (180 / Double.pi * perDegree)
    rate.x += crossAxisShare * rate.z
    let force = surroundings.specificForce(at: instant) * (perG / 9.806_65)
    putLittleEndian(rate, at: layout.gyroscope)
    putLittleEndian(force, at: layout.accelerometer)
    guard registers[Int(layout.content)] == 0xC0 else { return }
    fifo += axes(at: layout.gyroscope) + axes(at: layout.accelerometer)
    // Whole frames are dropped.
    while fifo.count > layout.bytes { fifo.removeFirst(12) }
  }
}
