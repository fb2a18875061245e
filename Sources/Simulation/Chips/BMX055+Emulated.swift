import Quantities

/// A half of Bosch's BMX055, without interrupts, slow offset compensation and watermark.
/// - Source: Linux bmc150-accel-core.c and bmg160_core.c (registers, ranges, rates, power); PX4
///   BMI055_Accelerometer.cpp and BMI055_Gyroscope.cpp (FIFO: count, overrun, cleared by a write of
///   its mode; frames).
package final class EmulatedBMX055: RegisterFile {
  package enum Half { case accelerometer, gyroscope }

  private let surroundings: any Surroundings
  private let half: Half
  private var conversions: ConversionClock?
  private var frames: [[UInt8]] = []
  private var hasOverrun = false
  /// The next byte of the oldest frame.
  private var byte = 0

  private static let (data, fifoStatus, range): (UInt8, UInt8, UInt8) = (0x02, 0x0E, 0x0F)
  private static let (bandwidth, power): (UInt8, UInt8) = (0x10, 0x11)
  private static let (fifoMode, fifoData): (UInt8, UInt8) = (0x3E, 0x3F)

  package init(_ half: Half, surroundings: any Surroundings) {
    (self.half, self.surroundings) = (half, surroundings)
    let common: [UInt8: UInt8] = [
      0x0F: 0x0F, 0x10: 0x0F, 0x11: 0xFE, 0x12: 0x60, 0x13: 0xC0, 0x18: 0xFF, 0x3D: 0xFF,
      0x3E: 0xC3,
    ]
    let own: [UInt8: UInt8] =
      half == .accelerometer
      ? [0x10: 0x1F, 0x16: 0xFF, 0x17: 0x7F, 0x19: 0xFF, 0x1A: 0xFF, 0x20: 0x0F, 0x30: 0x3F]
      : [0x15: 0xC4, 0x16: 0x0F, 0x17: 0xFF, 0x1E: 0x80]
    super.init(
      defaults: half == .accelerometer
        ? [0x00: 0xFA, 0x0F: 0x03, 0x10: 0x0F, 0x20: 0x05] : [0x00: 0x0F, 0x10: 0x80, 0x16: 0x0F],
      writable: common.merging(own) { $1 }, pointer: .counting(stayingOn: Self.fifoData))
    restart(at: Timestamp(nanoseconds: 0))
  }

  package override func reset(at instant: Timestamp) { restart(at: instant) }

  private var depth: Int { half == .accelerometer ? 32 : 100 }
  private var isSuspended: Bool { registers[Int(Self.power)] & 0xA0 != 0 }

  private var hertz: Double {
    let bits = Int(registers[Int(Self.bandwidth)])
    switch half {
    case .accelerometer: return 15.625 * Double(1 << max(0, min(7, bits - 8)))
    case .gyroscope: return [2000, 2000, 1000, 400, 200, 100, 200, 100][bits & 0x07]
    }
  }

  // Normal power after power-on.
  private func restart(at instant: Timestamp) {
    frames = []
    hasOverrun = false
    conversions = isSuspended ? nil : ConversionClock(start: instant, hertz: hertz)
  }

  package override func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    // A frame of which only a part was read is read again.
    byte = 0
    super.read(register, into: bytes, at: instant)
  }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    guard !isSuspended || register == Self.power else { return }
    super.write(bytes, to: register, at: instant)
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.fifoStatus: UInt8(frames.count) | (hasOverrun ? 0x80 : 0)
    case Self.fifoData: frames.first.map { $0[byte] } ?? 0
    default: registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard register == Self.fifoData, !frames.isEmpty else { return }
    byte += 1
    guard byte == 6 else { return }
    byte = 0
    frames.removeFirst()
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.bandwidth, Self.power: restart(at: instant)
    case Self.fifoMode:
      frames = []
      hasOverrun = false
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    let missed = conversions?.finished(by: instant, limit: depth + 1) { convert(at: $0) } ?? 0
    if missed > 0 { hasOverrun = true }
  }

  private func convert(at instant: Timestamp) {
    for axis in 0..<3 {
      putLittleEndian(count(of: axis, at: instant), at: Self.data + UInt8(2 * axis))
    }
    let frame = axes(at: Self.data)
    // Bypass: the newest sample alone.
    guard registers[Int(Self.fifoMode)] & 0xC0 != 0 else {
      frames = [frame]
      return
    }
    if frames.count < depth { frames.append(frame) } else { hasOverrun = true }
  }

  private func count(of axis: Int, at instant: Timestamp) -> Int {
    let bits = registers[Int(Self.range)] & 0x0F
    switch half {
    case .accelerometer:
      let countsPerG: Double =
        switch bits {
        case 0x05: 512
        case 0x08: 256
        case 0x0C: 128
        default: 1024
        }
      let counts = surroundings.specificForce(at: instant)[axis] / 9.806_65 * countsPerG
      // 12 bits in the upper bits of 16.
      return Int(bounded: max(-2048, min(2047, counts.rounded()))) << 4
    case .gyroscope:
      let degrees: [Double] = [2000, 1000, 500, 250, 125]
      let full = degrees[min(Int(bits), 4)] * Double.pi / 180
      return saturated(surroundings.angularRate(at: instant)[axis] / full * 32_768)
    }
  }
}
