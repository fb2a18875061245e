import Quantities

/// Bosch's BMI270, with its FIFO without headers only. It measures nothing before its image was
/// written.
/// - Source: Bosch BST-BMI270-DS000-07 (revision 1.5), section 4.4 (initialisation), "FIFO" and the
///   register map with defaults; section 4.6.10 (what x shows of z), with the signs of Bosch's
///   `bmi2_ois.c`.
package final class EmulatedBMI270: EmulatedBoschFIFO {
  /// The image that it accepts: a sequence of its own, as Bosch's is not part of this library.
  package static let image: [UInt8] = (0..<8192).map {
    UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8) &* 7)
  }

  /// GYR_CAS.factor_zx, seven bits with a sign: the 512ths of the rate around z that x shows. A
  /// chip has its own.
  package var crossAxisFactor: Int8 = 21

  private var memory = [UInt8](repeating: 0, count: 8192)
  /// The place of the next byte of the image.
  private var cursor = 0

  private static let (status, imageData): (UInt8, UInt8) = (0x21, 0x5E)
  private static let (powerMode, power, command): (UInt8, UInt8, UInt8) = (0x7C, 0x7D, 0x7E)
  private static let fifoBytes = 2048

  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings,
      layout: Layout(
        length: 0x24, data: 0x26, content: 0x49, bytes: Self.fifoBytes, gyroscope: 0x12,
        accelerometer: 0x0C),
      defaults: [
        0x00: 0x24, 0x40: 0xA8, 0x41: 0x02, 0x42: 0xA9, 0x45: 0x88, 0x47: 0x02, 0x48: 0x02,
        0x49: 0x10, 0x7C: 0x03,
      ],
      writable: [
        0x2F: 0x07, 0x40: 0xFF, 0x41: 0x03, 0x42: 0xFF, 0x43: 0x0F, 0x45: 0xFF, 0x46: 0xFF,
        0x47: 0x1F,
        0x48: 0x03, 0x49: 0xFF, 0x53: 0x1F, 0x54: 0x1F, 0x55: 0x01, 0x56: 0xFF, 0x57: 0xFF,
        0x58: 0xFF, 0x59: 0xFF, 0x5B: 0x0F, 0x5C: 0xFF, 0x7C: 0x07, 0x7D: 0x0F,
      ])
  }

  package override func reset(at instant: Timestamp) {
    super.reset(at: instant)
    memory = [UInt8](repeating: 0, count: 8192)
    cursor = 0
  }

  // The pointer stays on the data of the image too.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    register == Self.imageData ? register : super.next(after: register, startedAt: start)
  }

  override var crossAxisShare: Double { Double(crossAxisFactor) / 512 }

  // GYR_CAS is on the first page of features, which the image fills.
  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    guard register == 0x3C else { return super.value(of: register, at: instant) }
    let isThere = registers[0x2F] == 0 && registers[Int(Self.status)] == 1
    return isThere ? UInt8(bitPattern: crossAxisFactor) & 0x7F : 0
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command where value == 0xB6: losePower(at: instant)
    case Self.command where value == 0xB0: fifo = []
    case 0x5B, 0x5C: cursor = 2 * (Int(registers[0x5B]) | Int(registers[0x5C]) << 4)
    case Self.imageData:
      // Without power saving only.
      guard registers[Int(Self.powerMode)] & 1 == 0, cursor < memory.count else { return }
      memory[cursor] = value
      cursor += 1
    case 0x59 where value == 1:
      registers[Int(Self.status)] = memory == Self.image ? 0x01 : 0x02
    case 0x49: fifo = []
    case 0x40, 0x42, Self.power: restart(at: instant)
    default: break
    }
  }

  private func restart(at instant: Timestamp) {
    let isOn = registers[Int(Self.power)] & 0x06 == 0x06 && registers[Int(Self.status)] == 1
    let rate = 25 * Double(1 << max(0, Int(registers[0x42] & 0x0F) - 6))
    conversions = isOn ? ConversionClock(start: instant, hertz: rate) : nil
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant, limit: Self.fifoBytes / 12 + 1) { measure(at: $0) }
  }

  private func measure(at instant: Timestamp) {
    convert(
      at: instant, perDegree: 32_768 / Double(2000 >> Int(registers[0x43] & 0x07)),
      perG: 32_768 / Double(2 << Int(registers[0x41] & 0x03)))
  }
}
