import Quantities

/// TDK InvenSense's ICM-42688-P, or with another identity ICM-42605 or IIM-42652, bank 0.
/// - Source: TDK ICM-42688-P data sheet DS-000347 revision 1.6, sections 6.1 (packet 3), 13 and 14
///   (map with defaults); PX4 `InvenSense_ICM42688P_registers.hpp` (bits). The hold of the
///   gyroscope: ArduPilot issue 25025 and pull request 25332, Betaflight issue 12970.
package final class EmulatedICM42688P: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var fifo: [UInt8] = []
  /// Whether each axis of the gyroscope was last beyond the rate at which its mode changes, and
  /// until when it is held.
  private var wasFast = [false, false, false]
  private var heldUntil = [Timestamp?](repeating: nil, count: 3)

  private static let (reset, fifoMode, status): (UInt8, UInt8, UInt8) = (0x11, 0x16, 0x2D)
  private static let (accelerometerData, gyroscopeData): (UInt8, UInt8) = (0x1F, 0x25)
  private static let (countHigh, countLow, fifoData): (UInt8, UInt8, UInt8) = (0x2E, 0x2F, 0x30)
  private static let (pathReset, power): (UInt8, UInt8) = (0x4B, 0x4E)
  private static let (gyroscope, accelerometer, bank): (UInt8, UInt8, UInt8) = (0x4F, 0x50, 0x76)
  private static let fifoBytes = 2048
  /// INTF_CONFIG1, whose upper bits switch the change of the gyroscope's mode with the rate: 0b10,
  /// the default, is on.
  private static let interface1: UInt8 = 0x4D
  /// The rate at which the mode changes, degrees per second, and the time for which the value is
  /// then held: 1 to 2 ms.
  private static let (modeChange, hold): (Double, UInt64) = (100, 1_500_000)

  package init(surroundings: any Surroundings, whoAmI: UInt8 = 0x47) {
    self.surroundings = surroundings
    super.init(
      defaults: [
        0x4C: 0x30, 0x4D: 0x91, 0x4F: 0x06, 0x50: 0x06, 0x51: 0x16, 0x52: 0x11, 0x53: 0x0D,
        0x54: 0x23, 0x64: 0x10, 0x65: 0x10, 0x75: whoAmI,
      ],
      writable: [
        0x14: 0x3F, 0x16: 0xC0, 0x4C: 0xFF, 0x4D: 0xCF, 0x4E: 0x3F, 0x4F: 0xEF, 0x50: 0xEF,
        0x51: 0xEF, 0x52: 0xFF, 0x53: 0x1F, 0x54: 0x3F, 0x5F: 0x7F, 0x60: 0xFF, 0x61: 0x0F,
        0x63: 0x3F, 0x64: 0x7F, 0x65: 0x7F, 0x76: 0x07,
      ], pointer: .counting(stayingOn: Self.fifoData))
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    fifo = []
    wasFast = [false, false, false]
    heldUntil = [nil, nil, nil]
  }

  // Another bank than 0 has none of the registers here, at numbers that read as zero.
  package override func first(_ register: UInt8) -> UInt8 {
    register != Self.bank && registers[Int(Self.bank)] != 0 ? register | 0x80 : register
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.countHigh: return UInt8(fifo.count >> 8)
    case Self.countLow: return UInt8(fifo.count & 0xFF)
    // HEADER_MSG: empty.
    case Self.fifoData: return fifo.isEmpty ? 0x80 : fifo.removeFirst()
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.status { registers[Int(Self.status)] = 0 }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.reset where value & 0x01 != 0:
      beginReset(0x01, in: Self.reset, nanoseconds: 1_000_000, at: instant)
    case Self.pathReset where value & 0x02 != 0: fifo = []
    case Self.fifoMode where value & 0xC0 == 0: fifo = []
    case Self.power, Self.gyroscope: restartConversions(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    finishReset(by: instant)
    let missed =
      conversions?.finished(by: instant, limit: Self.fifoBytes / 16 + 2) { convert(at: $0) } ?? 0
    if missed > 0, isFIFOOn { set(0x02, in: Self.status) }
  }

  private var isFIFOOn: Bool {
    isSet(0x40, in: Self.fifoMode) && isSet(0x03, in: 0x5F)
  }

  private func restartConversions(at instant: Timestamp) {
    let hertz = [
      0, 32_000, 16_000, 8000, 4000, 2000, 1000, 200, 100, 50, 25, 12.5, 0, 0, 0, 500.0,
    ][Int(registers[Int(Self.gyroscope)] & 0x0F)]
    let isOn = isSet(0x0F, in: Self.power) && hertz > 0
    conversions = isOn ? ConversionClock(start: instant, hertz: hertz) : nil
  }

  /// Whether the gyroscope repeats its last value because its mode changes.
  private func isHeld(_ axis: Int, at instant: Timestamp) -> Bool {
    let rate = abs(surroundings.angularRate(at: instant)[axis]) * (180 / Double.pi)
    let isFast = rate > Self.modeChange
    if isFast != wasFast[axis], registers[Int(Self.interface1)] & 0xC0 == 0x80 {
      heldUntil[axis] = instant.advanced(byNanoseconds: Self.hold)
    }
    wasFast[axis] = isFast
    return heldUntil[axis].map { instant < $0 } ?? false
  }

  private func convert(at instant: Timestamp) {
    let gyroscopeRange = min(Int(registers[Int(Self.gyroscope)] >> 5), 3)
    let accelerometerRange = min(Int(registers[Int(Self.accelerometer)] >> 5), 3)
    let rate =
      surroundings.angularRate(at: instant)
      * (180 / Double.pi * [16.4, 32.8, 65.5, 131][gyroscopeRange])
    let force =
      surroundings.specificForce(at: instant)
      * ([2048.0, 4096, 8192, 16_384][accelerometerRange] / 9.806_65)
    putBigEndian(force, at: Self.accelerometerData)
    for axis in 0..<3 where !isHeld(axis, at: instant) {
      putBigEndian(saturated(rate[axis]), at: Self.gyroscopeData + UInt8(2 * axis))
    }
    guard isFIFOOn else { return }
    fifo.append(0x60)
    fifo += registers[Int(Self.accelerometerData)..<Int(Self.accelerometerData) + 12]
    fifo += [0, 0, 0]
    guard fifo.count > Self.fifoBytes else { return }
    fifo.removeFirst(16)
    set(0x02, in: Self.status)
  }
}
