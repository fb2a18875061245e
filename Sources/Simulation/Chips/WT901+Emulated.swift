import Quantities

/// WitMotion's WT901: frames at its rate, and its commands.
/// - Source: WitMotion "WT901 datasheet" v20-0702, sections 5.1 and 5.2; "WIT Standard
///   Communication Protocol" (unlocking).
package final class EmulatedWT901: EmulatedSerialDevice {
  package private(set) var baud = 9600
  private let surroundings: any Surroundings
  private var clock: ConversionClock
  private var isUnlocked = false
  /// The types of the frames of each sample.
  package var content: [UInt8] = [0x51, 0x52, 0x53, 0x54]
  /// Roll, pitch and yaw of its fusion, degrees.
  package var angles = SIMD3<Double>.zero
  /// The quaternion of its fusion: scalar part first.
  package var quaternion = SIMD4<Double>(1, 0, 0, 0)
  /// The commands that it received.
  package private(set) var commands: [[UInt8]] = []
  /// The number of samples that it sent.
  package private(set) var samples = 0

  private static let rates: [UInt8: Double] = [
    0x02: 0.5, 0x03: 1, 0x04: 2, 0x05: 5, 0x06: 10, 0x07: 20, 0x08: 50, 0x09: 100, 0x0B: 200,
  ]

  package init(surroundings: any Surroundings, baud: Int = 9600) {
    (self.surroundings, self.baud) = (surroundings, baud)
    clock = ConversionClock(start: Timestamp(nanoseconds: 0), hertz: 10)
  }

  package func losePower(at instant: Timestamp) {
    isUnlocked = false
    clock = ConversionClock(start: instant, hertz: 10)
  }

  package func receive(_ bytes: [UInt8], at instant: Timestamp) {
    commands.append(bytes)
    guard bytes.count == 5, bytes[0] == 0xFF, bytes[1] == 0xAA else { return }
    if bytes[2...] == [0x69, 0x88, 0xB5] { isUnlocked = true }
    if bytes[2] == 0x03, isUnlocked, let rate = Self.rates[bytes[3]] {
      clock = ConversionClock(start: instant, hertz: rate)
    }
  }

  package func output(at instant: Timestamp) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = clock.finished(by: instant, limit: 50) { at in
      samples += 1
      for kind in content { bytes += frame(kind, at: at) }
    }
    return bytes
  }

  private func frame(_ kind: UInt8, at instant: Timestamp) -> [UInt8] {
    let values: [Double] =
      switch kind {
      case 0x51: axes(surroundings.specificForce(at: instant) * (32_768 / 16 / 9.806_65))
      case 0x52: axes(surroundings.angularRate(at: instant) * (180 / .pi * 32_768 / 2000))
      case 0x53: axes(angles * (32_768 / 180))
      case 0x54: axes(surroundings.field(at: instant) * 10)
      case 0x59: (0..<4).map { min(32_767, quaternion[$0] * 32_768) }
      default: [0, 0, 0, 0]
      }
    var bytes: [UInt8] = [0x55, kind]
    for value in values {
      let bits = UInt16(bitPattern: Int16(clamping: Int(bounded: value.rounded())))
      bytes += [UInt8(bits & 0xFF), UInt8(bits >> 8)]
    }
    return bytes + [bytes.reduce(0, &+)]
  }

  private func axes(_ value: SIMD3<Double>) -> [Double] { [value.x, value.y, value.z, 2500] }
}
