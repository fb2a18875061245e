import Quantities

/// InvenSense's MPU-6050, MPU-6500, MPU-9250, MPU-6886 and ICM-206xx; the variant is a parameter.
/// - Source: InvenSense RM-MPU-6000A-00 revision 4.2 and RM-MPU-9250A-00 revision 1.4: register
///   maps and registers 25 to 28, 35, 55, 56, 58 to 72, 106 to 117.
package final class EmulatedMPU6050Family: RegisterFile, EmulatedBypassUnit {
  private let surroundings: any Surroundings
  private let part: Part
  private var conversions: ConversionClock?
  private var fifo: [UInt8] = []
  private var lastFIFOByte: UInt8 = 0
  private var resetEnds: Timestamp?
  /// The share of samples that never get into the FIFO, as where another program takes them, and
  /// the random numbers.
  package var losses: (share: Double, stream: RandomStream)?
  /// The rate of the conversions as a share of the one that is set.
  package var rateRatio = 1.0

  private static let (divider, filter, gyroscope, accelerometer): (UInt8, UInt8, UInt8, UInt8) =
    (0x19, 0x1A, 0x1B, 0x1C)
  private static let (fifoEnable, interruptPin, status): (UInt8, UInt8, UInt8) = (0x23, 0x37, 0x3A)
  private static let (accelerometerData, gyroscopeData): (UInt8, UInt8) = (0x3B, 0x43)
  private static let (userControl, power1): (UInt8, UInt8) = (0x6A, 0x6B)
  private static let (countHigh, countLow, fifoData): (UInt8, UInt8, UInt8) = (0x72, 0x73, 0x74)

  /// The differences of the parts.
  package struct Part: Sendable {
    var whoAmI: UInt8
    /// PWR_MGMT_1 after power-on: the MPU-6050 sleeps, the later ones are awake.
    var power1: UInt8
    var fifoBytes: Int
    /// ACCEL_CONFIG 2 is a register.
    var hasAccelerometerFilter: Bool

    package static let mpu6050 = Part(
      whoAmI: 0x68, power1: 0x40, fifoBytes: 1024, hasAccelerometerFilter: false)
    package static let mpu6500 = Part(
      whoAmI: 0x70, power1: 0x01, fifoBytes: 512, hasAccelerometerFilter: true)
    package static let mpu9250 = Part(
      whoAmI: 0x71, power1: 0x01, fifoBytes: 512, hasAccelerometerFilter: true)
    /// ACCEL_CONFIG 2 chooses the FIFO's size: 512 bytes to 4 KB.
    var choosesFIFO = false
    /// The pins of an auxiliary bus, with the bit that connects it.
    var hasBypass = true
    /// FIFO_EN has one bit for the gyroscope, samples have the temperature, and the output is
    /// limited without OUTPUT_LIMIT.
    var isOfICM20602 = false

    package static let mpu9255 = Part(
      whoAmI: 0x73, power1: 0x01, fifoBytes: 512, hasAccelerometerFilter: true)
    /// - Source: PX4 `InvenSense_ICM20689_registers.hpp`; Linux `inv_mpu_core.c` (FIFO_SIZE).
    package static let icm20689 = Part(
      whoAmI: 0x98, power1: 0x40, fifoBytes: 512, hasAccelerometerFilter: true, choosesFIFO: true,
      hasBypass: false)
    /// - Source: PX4 `InvenSense_ICM20608G_registers.hpp`.
    package static let icm20608 = Part(
      whoAmI: 0xAF, power1: 0x40, fifoBytes: 512, hasAccelerometerFilter: true, hasBypass: false)
    /// - Source: PX4 `InvenSense_ICM20602_registers.hpp`; data sheet DS-000176, register 0x69
    ///   (OUTPUT_LIMIT).
    package static let icm20602 = Part(
      whoAmI: 0x12, power1: 0x41, fifoBytes: 1008, hasAccelerometerFilter: true, hasBypass: false,
      isOfICM20602: true)
    /// - Source: M5Stack `MPU6886.cpp`; the rest as the ICM-20602.
    package static let mpu6886 = Part(
      whoAmI: 0x19, power1: 0x41, fifoBytes: 1008, hasAccelerometerFilter: true, hasBypass: false,
      isOfICM20602: true)
    /// A part without a name that has an MPU-6500's registers.
    package static func clone(_ whoAmI: UInt8) -> Part {
      var part = mpu6500
      part.whoAmI = whoAmI
      return part
    }
  }

  package init(_ part: Part, surroundings: any Surroundings) {
    self.surroundings = surroundings
    self.part = part
    super.init(
      defaults: [0x6B: part.power1, 0x75: part.whoAmI],
      writable: [
        0x19: 0xFF, 0x1A: 0x7F, 0x1B: 0xFB, 0x1C: 0xF8,
        0x1D: part.hasAccelerometerFilter ? 0xCF : 0x00, 0x23: part.isOfICM20602 ? 0x18 : 0xFF,
        0x24: 0xFF, 0x37: part.hasBypass ? 0xFE : 0xFC, 0x38: 0x59,
        0x69: part.isOfICM20602 ? 0xC3 : 0xC0, 0x6A: 0xF0, 0x6B: 0x7F, 0x6C: 0xFF,
        0x70: part.isOfICM20602 ? 0x40 : 0x00,
      ], pointer: .counting(stayingOn: Self.fifoData))
  }

  /// Whether the auxiliary bus is connected to the main one: I2C_BYPASS_EN, with the master off.
  package var isBypassOn: Bool {
    isSet(0x02, in: Self.interruptPin) && registers[Int(Self.userControl)] & 0x20 == 0
  }

  private var fifoBytes: Int {
    part.choosesFIFO ? part.fifoBytes << Int(registers[0x1D] >> 6) : part.fifoBytes
  }

  package override func reset(at instant: Timestamp) {
    resetEnds = nil
    fifo = []
    lastFIFOByte = 0
    restartConversions(at: instant)
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    guard register == Self.fifoData else { return registers[Int(register)] }
    // An empty FIFO repeats its last byte.
    if !fifo.isEmpty { lastFIFOByte = fifo.removeFirst() }
    return lastFIFOByte
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.status { registers[Int(Self.status)] = 0 }
  }

  package override func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    advance(to: instant)
    // Reading the high byte latches both.
    if register == Self.countHigh {
      registers[Int(Self.countHigh)] = UInt8(fifo.count >> 8)
      registers[Int(Self.countLow)] = UInt8(fifo.count & 0xFF)
    }
    super.read(register, into: bytes, at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power1 where value & 0x80 != 0:
      losePower(at: instant)
      // DEVICE_RESET stays set until the reset is complete.
      set(0x80, in: Self.power1)
      resetEnds = instant.advanced(byNanoseconds: 100_000_000)
      conversions = nil
    case Self.power1, Self.divider, Self.filter: restartConversions(at: instant)
    case Self.userControl:
      // FIFO_RESET acts while FIFO_EN is off.
      if value & 0x44 == 0x04 { fifo = [] }
    default: break
    }
  }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    advance(to: instant)
    // During its reset the chip ignores writes.
    if resetEnds == nil { super.write(bytes, to: register, at: instant) }
  }

  package override func advance(to instant: Timestamp) {
    if let end = resetEnds, instant >= end { reset(at: end); clear(0x80, in: Self.power1) }
    let missed =
      conversions?.finished(by: instant, limit: fifoBytes / 12 + 2) { convert(at: $0) } ?? 0
    if missed > 0, isFIFOOn { set(0x10, in: Self.status) }
  }

  private var isFIFOOn: Bool {
    isSet(0x40, in: Self.userControl) && isSet(part.isOfICM20602 ? 0x18 : 0x78, in: Self.fifoEnable)
  }

  private func restartConversions(at instant: Timestamp) {
    guard !isSet(0x40, in: Self.power1) else { return conversions = nil }
    let setting = registers[Int(Self.filter)] & 0x07
    let base = setting == 0 || setting == 7 ? 8000.0 : 1000
    conversions = ConversionClock(
      start: instant, hertz: rateRatio * base / (1 + Double(registers[Int(Self.divider)])))
  }

  private func convert(at instant: Timestamp) {
    let gyroscopeRange = Int(registers[Int(Self.gyroscope)] >> 3 & 3)
    let accelerometerRange = Int(registers[Int(Self.accelerometer)] >> 3 & 3)
    let rate =
      surroundings.angularRate(at: instant)
      * (180 / Double.pi * [131, 65.5, 32.8, 16.4][gyroscopeRange])
    let force =
      surroundings.specificForce(at: instant)
      * ([16_384.0, 8192, 4096, 2048][accelerometerRange] / 9.806_65)
    let limit = part.isOfICM20602 && !isSet(0x02, in: 0x69) ? 32_000 : 32_768
    func output(_ counts: Double) -> Int { max(-limit, min(limit, saturated(counts))) }
    for axis in 0..<3 {
      putBigEndian(output(force[axis]), at: Self.accelerometerData + UInt8(2 * axis))
      putBigEndian(output(rate[axis]), at: Self.gyroscopeData + UInt8(2 * axis))
    }
    set(0x01, in: Self.status)
    guard isFIFOOn else { return }
    if let share = losses?.share, let number = losses?.stream.uniform(), number < share { return }
    // In the order of the registers: accelerometer, gyroscope; the temperature is left out, or lies
    // between them.
    if part.isOfICM20602 {
      fifo += registers[Int(Self.accelerometerData)..<Int(Self.gyroscopeData) + 6]
    }
    for first in [Self.accelerometerData, Self.gyroscopeData] where !part.isOfICM20602 {
      fifo += axisBytes(at: first)
    }
    if fifo.count > fifoBytes {
      fifo.removeFirst(fifo.count - fifoBytes)
      set(0x10, in: Self.status)
    }
  }
}
