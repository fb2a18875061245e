import Quantities

/// TDK InvenSense's ICM-42670-P with its FIFO and block MREG1, without APEX and low-power modes.
/// - Source: TDK's `inv_imu_regmap_rev_a.h` (bits, the FIFO's flush, packets that are read in part,
///   its size with APEX disabled) and `inv_imu_defs.h` (packets, rates, ranges); Zephyr
///   `icm42670.c` and `icm42670_reg.h` (RESET_DONE, MCLK_RDY with IDLE, scales).
package final class EmulatedICM42670P: RegisterFile {
  /// The registers of MREG1.
  package private(set) var block = [UInt8](repeating: 0, count: 256)
  /// A register of MREG1 that does not keep what is written.
  package var frozenBlockRegister: UInt8?

  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var clockRunsFrom: Timestamp?
  private var packets: [[UInt8]] = []
  /// The next byte of the oldest packet.
  private var place = 0

  private static let (clockReady, pathReset, power): (UInt8, UInt8, UInt8) = (0x00, 0x02, 0x1F)
  private static let (accelerometerData, gyroscopeData): (UInt8, UInt8) = (0x0B, 0x11)
  private static let (gyroscope, accelerometer): (UInt8, UInt8) = (0x20, 0x21)
  private static let (fifoMode, interface, dataReady): (UInt8, UInt8, UInt8) = (0x28, 0x35, 0x39)
  private static let (status, countHigh, countLow, fifoData): (UInt8, UInt8, UInt8, UInt8) = (
    0x3A, 0x3D, 0x3E, 0x3F
  )
  private static let (blockWrite, addressWrite, dataWrite): (UInt8, UInt8, UInt8) = (
    0x79, 0x7A, 0x7B
  )
  private static let (blockRead, addressRead, dataRead): (UInt8, UInt8, UInt8) = (0x7C, 0x7D, 0x7E)
  private static let (fifoContent, sensorConfiguration): (Int, Int) = (0x01, 0x06)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [
        0x01: 0x04, 0x20: 0x06, 0x21: 0x06, 0x23: 0x31, 0x24: 0x41, 0x28: 0x01, 0x2B: 0x10,
        0x35: 0x30, 0x36: 0x41, 0x75: 0x67,
      ],
      writable: [
        0x01: 0x05, 0x06: 0x3F, 0x1F: 0x9F, 0x20: 0x6F, 0x21: 0x6F, 0x22: 0x70, 0x23: 0x37,
        0x24: 0x77, 0x28: 0x03, 0x29: 0xFF, 0x2A: 0x0F, 0x2B: 0xFF, 0x2C: 0x4F, 0x35: 0x73,
        0x36: 0x4F, 0x79: 0xFF, 0x7A: 0xFF, 0x7C: 0xFF, 0x7D: 0xFF,
      ], pointer: .counting(stayingOn: Self.fifoData))
    setBlockDefaults()
  }

  package override func reset(at instant: Timestamp) {
    (conversions, clockRunsFrom) = (nil, nil)
    (packets, place) = ([], 0)
    setBlockDefaults()
  }

  private func setBlockDefaults() {
    block = [UInt8](repeating: 0, count: 256)
    block[Self.fifoContent] = 0x20
  }

  /// Packets that the FIFO holds: 1 KB, or 2.25 KB with APEX disabled.
  private var capacity: Int { block[Self.sensorConfiguration] & 0x40 != 0 ? 144 : 64 }
  private var isStoring: Bool {
    registers[Int(Self.fifoMode)] & 0x01 == 0 && block[Self.fifoContent] & 0x03 == 0x03
  }

  // A packet that was read in part is read again from its begin on.
  package override func first(_ register: UInt8) -> UInt8 {
    if register == Self.fifoData { place = 0 }
    return register
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    let count = packets.count * (isSet(0x40, in: Self.interface) ? 1 : 16)
    let isBig = isSet(0x20, in: Self.interface)
    switch register {
    case Self.clockReady: return isClockRunning(at: instant) ? 0x08 : 0x00
    case Self.countHigh: return UInt8(isBig ? count >> 8 : count & 0xFF)
    case Self.countLow: return UInt8(isBig ? count & 0xFF : count >> 8)
    case Self.fifoData: return packets.first.map { $0[place] } ?? 0xFF
    case Self.dataRead:
      guard isClockRunning(at: instant), registers[Int(Self.blockRead)] == 0 else { return 0 }
      return block[Int(registers[Int(Self.addressRead)])]
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.status, Self.dataReady: registers[Int(register)] = 0
    case Self.fifoData where !packets.isEmpty:
      place += 1
      guard place == 16 else { return }
      packets.removeFirst()
      place = 0
    default: break
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.pathReset where value & 0x10 != 0:
      beginReset(0x10, in: Self.pathReset, nanoseconds: 1_000_000, at: instant)
    case Self.pathReset where value & 0x04 != 0: (packets, place) = ([], 0)
    case Self.power, Self.gyroscope:
      if registers[Int(Self.power)] & 0x1F == 0 {
        clockRunsFrom = nil
      } else if clockRunsFrom == nil {
        clockRunsFrom = instant.advanced(byNanoseconds: 500_000)
      }
      restartConversions(at: instant)
    case Self.dataWrite:
      let address = registers[Int(Self.addressWrite)]
      guard isClockRunning(at: instant), registers[Int(Self.blockWrite)] == 0,
        address != frozenBlockRegister
      else { return }
      block[Int(address)] = value
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if finishReset(by: instant) { set(0x10, in: Self.status) }
    let missed = conversions?.finished(by: instant, limit: 150) { convert(at: $0) } ?? 0
    if missed > 0, isStoring { set(0x02, in: Self.status) }
  }

  private func isClockRunning(at instant: Timestamp) -> Bool {
    clockRunsFrom.map { instant >= $0 } ?? false
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[Int(Self.gyroscope)] & 0x0F)
    let isOn = isSet(0x0F, in: Self.power) && (5...12).contains(setting)
    conversions =
      isOn ? ConversionClock(start: instant, hertz: 1600 / Double(1 << (setting - 5))) : nil
  }

  private func convert(at instant: Timestamp) {
    let rateRange = Int(registers[Int(Self.gyroscope)] >> 5 & 3)
    let forceRange = Int(registers[Int(Self.accelerometer)] >> 5 & 3)
    let rate =
      surroundings.angularRate(at: instant)
      * (180 / Double.pi * [16.4, 32.8, 65.5, 131][rateRange])
    let force =
      surroundings.specificForce(at: instant) * (Double(2048 << forceRange) / 9.806_65)
    put(force, at: Self.accelerometerData)
    put(rate, at: Self.gyroscopeData)
    set(0x01, in: Self.dataReady)
    guard isStoring else { return }
    // Stops where it is full (bit 1), else the oldest packet is lost.
    guard packets.count < capacity else {
      set(0x02, in: Self.status)
      guard registers[Int(Self.fifoMode)] & 0x02 == 0 else { return }
      packets.removeFirst()
      place = 0
      store()
      return
    }
    store()
  }

  private func store() {
    let data = registers[Int(Self.accelerometerData)..<Int(Self.accelerometerData) + 12]
    packets.append([0x68] + data + [0, 0, 0])
  }

  private func put(_ counts: SIMD3<Double>, at register: UInt8) {
    if isSet(0x10, in: Self.interface) {
      putBigEndian(counts, at: register)
    } else {
      putLittleEndian(counts, at: register)
    }
  }
}
