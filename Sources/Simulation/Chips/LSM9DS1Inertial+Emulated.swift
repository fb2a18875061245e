import Quantities

/// The gyroscope and accelerometer of ST's LSM9DS1.
///
/// The surroundings are in the right-handed axes of the magnetometer half. Gyroscope and
/// accelerometer measure along the left-handed axes of the package's drawing, with x reversed.
/// - Source: ST LSM9DS1 data sheet DocID025715 revisions 2 and 3: table 21 (register map with
///   defaults), section 3.5 (FIFO); defaults from 0x20 on: SparkFun's library.
package final class EmulatedLSM9DS1Inertial: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  // Reading a half removes its slot: ArduPilot, which reads all of one half and then all of the
  // other, could not work otherwise.
  private var gyroscopeSlots = EmulatedSlots()
  private var accelerometerSlots = EmulatedSlots()

  private static let (gyroscope1, accelerometer6): (UInt8, UInt8) = (0x10, 0x20)
  private static let (control8, control9): (UInt8, UInt8) = (0x22, 0x23)
  private static let (status0, status1): (UInt8, UInt8) = (0x17, 0x27)
  private static let (gyroscopeData, accelerometerData): (UInt8, UInt8) = (0x18, 0x28)
  private static let (fifoControl, fifoSource): (UInt8, UInt8) = (0x2E, 0x2F)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x0F: 0x68, 0x1E: 0x38, 0x1F: 0x38, 0x22: 0x04],
      writable: [
        0x0C: 0xFF, 0x0D: 0xFF, 0x10: 0xFB, 0x11: 0x0F, 0x12: 0xCF, 0x13: 0x3F, 0x1E: 0x3B,
        0x1F: 0xF8, 0x20: 0xFF, 0x21: 0xE5, 0x22: 0xFF, 0x23: 0x5F, 0x24: 0x05, 0x2E: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    gyroscopeSlots.removeAll()
    accelerometerSlots.removeAll()
  }

  // IF_ADD_INC.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    isSet(0x04, in: Self.control8) ? register &+ 1 : register
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.gyroscopeData..<Self.gyroscopeData + 6:
      guard isFIFOOn, let slot = gyroscopeSlots.oldest else { return registers[Int(register)] }
      return slot[Int(register - Self.gyroscopeData)]
    case Self.accelerometerData..<Self.accelerometerData + 6:
      guard isFIFOOn, let slot = accelerometerSlots.oldest else { return registers[Int(register)] }
      return slot[Int(register - Self.accelerometerData)]
    case Self.fifoSource:
      let threshold = Int(registers[Int(Self.fifoControl)] & 0x1F)
      let count = max(gyroscopeSlots.count, accelerometerSlots.count)
      let hasOverrun = gyroscopeSlots.hasOverrun || accelerometerSlots.hasOverrun
      return UInt8(count) | (hasOverrun ? 0x40 : 0) | (isFIFOOn && count >= threshold ? 0x80 : 0)
    case Self.status0: return registers[Int(Self.status1)]
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.gyroscopeData + 5:
      clear(0x02, in: Self.status1)
      if isFIFOOn { gyroscopeSlots.removeOldest() }
    case Self.accelerometerData + 5:
      clear(0x01, in: Self.status1)
      if isFIFOOn { accelerometerSlots.removeOldest() }
    default: break
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control8 where value & 0x01 != 0:
      // A guess: the data sheet gives no time.
      beginReset(0x01, in: Self.control8, nanoseconds: 20_000_000, at: instant)
    case Self.gyroscope1, Self.accelerometer6:
      let setting = Int(registers[Int(Self.gyroscope1)] >> 5)
      let hertz = [0, 14.9, 59.5, 119, 238, 476, 952, 0][setting]
      conversions = hertz > 0 ? ConversionClock(start: instant, hertz: hertz) : nil
    case Self.fifoControl where value & 0xE0 == 0:
      gyroscopeSlots.removeAll()
      accelerometerSlots.removeAll()
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    finishReset(by: instant)
    // One more than fit, so that the FIFO detects its overrun.
    _ = conversions?.finished(by: instant, limit: EmulatedSlots.depth + 1) { convert(at: $0) }
  }

  // FIFO_EN and continuous mode, FMODE 110.
  private var isFIFOOn: Bool {
    isSet(0x02, in: Self.control9) && registers[Int(Self.fifoControl)] >> 5 == 6
  }

  private func convert(at instant: Timestamp) {
    // The third setting is no range: it measures nothing.
    let setting = Int(registers[Int(Self.gyroscope1)] >> 3 & 3)
    let degrees = [8.75e-3, 17.5e-3, .infinity, 70e-3][setting]
    let milliG = [0.061, 0.732, 0.122, 0.244][Int(registers[Int(Self.accelerometer6)] >> 3 & 3)]
    var rate = surroundings.angularRate(at: instant)
    var force = surroundings.specificForce(at: instant)
    rate.x.negate()
    force.x.negate()
    putLittleEndian(rate * 180 / .pi / degrees, at: Self.gyroscopeData)
    putLittleEndian(force / 9.806_65 / (milliG * 1e-3), at: Self.accelerometerData)
    set(0x03, in: Self.status1)
    guard isFIFOOn else { return }
    gyroscopeSlots.append(axes(at: Self.gyroscopeData))
    accelerometerSlots.append(axes(at: Self.accelerometerData))
  }
}
