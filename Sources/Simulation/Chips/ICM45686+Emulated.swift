import Quantities

/// TDK InvenSense's ICM-45686 with its FIFO and indirect registers, without APEX, auxiliary
/// interface and low-power modes.
/// - Source: Linux `inv_icm45600.h` and `inv_icm45600_buffer.c` (registers, packets, counts in
///   frames, low bytes first), `_gyro.c` (ranges); Betaflight `accgyro_spi_icm456xx.c` (indirect
///   registers, IREG_DONE); TDK `inv_imu_driver.c` (RESET_DONE, flush, the first transfer that is
///   not acknowledged); PX4 `ICM45686.cpp` (a count that is stale at its first read).
package final class EmulatedICM45686: RegisterFile {
  /// The indirect registers.
  package private(set) var indirect: [UInt16: UInt8] = [:]
  /// An indirect register that does not keep what is written.
  package var frozenIndirect: UInt16?
  /// Whether the next transfer is not acknowledged, as the first after power-on may not be.
  package var refusesNext = false

  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var busyUntil: Timestamp?
  private var packets: [[UInt8]] = []
  private var place = 0
  /// The count that was read last, which the next read may show again.
  private var shownCount = 0
  private var isCountFresh = false

  private static let (forceData, rateData): (UInt8, UInt8) = (0x00, 0x06)
  private static let (power, countLow, countHigh, fifoData): (UInt8, UInt8, UInt8, UInt8) = (
    0x10, 0x12, 0x13, 0x14
  )
  private static let (status, accelerometer, gyroscope): (UInt8, UInt8, UInt8) = (0x19, 0x1B, 0x1C)
  private static let (fifo0, fifo2, fifo3): (UInt8, UInt8, UInt8) = (0x1D, 0x20, 0x21)
  private static let (addressHigh, addressLow): (UInt8, UInt8) = (0x7C, 0x7D)
  private static let (indirectData, miscellaneous): (UInt8, UInt8) = (0x7E, 0x7F)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [
        0x18: 0x04, 0x1B: 0x06, 0x1C: 0x06, 0x1D: 0x07, 0x20: 0x00, 0x72: 0xE9, 0x16: 0x80,
      ],
      writable: [
        0x10: 0x0F, 0x16: 0xFF, 0x17: 0xFF, 0x18: 0x07, 0x1B: 0x7F, 0x1C: 0xFF, 0x1D: 0xFF,
        0x1E: 0xFF, 0x1F: 0xFF, 0x20: 0x08, 0x21: 0x3F, 0x22: 0x07, 0x32: 0x7E, 0x7C: 0xFF,
        0x7D: 0xFF,
      ], pointer: .counting(stayingOn: Self.fifoData))
    indirect = [0xA258: 0x60]
  }

  package override func acknowledges(at instant: Timestamp) -> Bool {
    defer { refusesNext = false }
    return !refusesNext
  }

  package override func reset(at instant: Timestamp) {
    (conversions, busyUntil) = (nil, nil)
    (packets, place, shownCount, isCountFresh) = ([], 0, 0, false)
    indirect = [0xA258: 0x60]
  }

  private var isStoring: Bool {
    registers[Int(Self.fifo0)] >> 6 != 0 && isSet(0x07, in: Self.fifo3)
  }
  /// Frames of 16 bytes in 8 or 2 KB.
  private var capacity: Int { registers[Int(Self.fifo0)] & 0x3F == 0x1F ? 512 : 128 }

  package override func first(_ register: UInt8) -> UInt8 {
    if register == Self.fifoData { place = 0 }
    // Its first read behind another transfer may show the count that was read before.
    if register == Self.countLow, isCountFresh { shownCount = packets.count }
    isCountFresh = register == Self.countLow
    return register
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.countLow: return UInt8(shownCount & 0xFF)
    case Self.countHigh: return UInt8(shownCount >> 8)
    // An extended header: empty.
    case Self.fifoData: return packets.first.map { $0[place] } ?? 0x80
    case Self.indirectData: return indirect[indirectAddress] ?? 0
    case Self.miscellaneous:
      let isDone = busyUntil.map { instant >= $0 } ?? true
      return registers[Int(register)] | (isDone ? 0x01 : 0x00)
    default: return registers[Int(register)]
    }
  }

  private var indirectAddress: UInt16 {
    UInt16(registers[Int(Self.addressHigh)]) << 8 | UInt16(registers[Int(Self.addressLow)])
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.status: registers[Int(Self.status)] = 0
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
    case Self.miscellaneous where value & 0x02 != 0:
      beginReset(0x02, in: Self.miscellaneous, nanoseconds: 1_000_000, at: instant)
    case Self.fifo2 where value & 0x80 != 0: (packets, place) = ([], 0)
    case Self.fifo0 where value >> 6 == 0: (packets, place) = ([], 0)
    case Self.power, Self.gyroscope: restartConversions(at: instant)
    case Self.addressLow: busyUntil = instant.advanced(byNanoseconds: 4_000)
    case Self.indirectData:
      busyUntil = instant.advanced(byNanoseconds: 4_000)
      if indirectAddress != frozenIndirect { indirect[indirectAddress] = value }
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if finishReset(by: instant) { set(0x80, in: Self.status) }
    _ = conversions?.finished(by: instant, limit: capacity + 2) { convert(at: $0) }
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[Int(Self.gyroscope)] & 0x0F)
    let isOn = isSet(0x0F, in: Self.power) && (3...12).contains(setting)
    conversions =
      isOn ? ConversionClock(start: instant, hertz: 6400 / Double(1 << (setting - 3))) : nil
  }

  private func convert(at instant: Timestamp) {
    // Radians per second and metres per second squared a count at the widest ranges, by Linux.
    let rate =
      surroundings.angularRate(at: instant)
      * (Double(1 << Int(registers[Int(Self.gyroscope)] >> 4)) / 0.002_130_529)
    let force =
      surroundings.specificForce(at: instant)
      * (Double(1024 << Int(registers[Int(Self.accelerometer)] >> 4 & 7)) / 9.806_65)
    putLittleEndian(force, at: Self.forceData)
    putLittleEndian(rate, at: Self.rateData)
    set(0x04, in: Self.status)
    guard isStoring else { return }
    if packets.count >= capacity {
      set(0x01, in: Self.status)
      // Stops where it is full, else the oldest frame is lost.
      guard registers[Int(Self.fifo0)] >> 6 == 1 else { return }
      packets.removeFirst()
      place = 0
    }
    let data = registers[Int(Self.forceData)..<Int(Self.forceData) + 12]
    packets.append([0x68] + data + [0, 0, 0])
  }
}
