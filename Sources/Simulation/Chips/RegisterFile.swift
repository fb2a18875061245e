import Quantities

/// The registers of an emulated chip: power-on defaults, read-only bits, and an incrementing
/// pointer. A subclass adds the registers' behaviour.
package class RegisterFile: EmulatedChip {
  /// The present contents.
  package var registers: [UInt8]
  /// A register that ignores writes, as of a broken chip or a clone.
  package var frozenRegister: UInt8?

  /// The register after another in a transfer.
  package enum Pointer: Equatable, Sendable {
    /// The next one; after a register such as a FIFO's data the same.
    case counting(stayingOn: UInt8? = nil)
    /// The next one where the top bit of the number that starts the transfer is set.
    case countingByTopBit
  }

  /// The reset that has not ended yet, with its bit.
  private var pendingReset: (end: Timestamp, bit: UInt8, register: UInt8)?
  private let pointer: Pointer
  private let defaults: [UInt8]
  private let writable: [UInt8]

  /// - Parameters:
  ///   - defaults: The registers' values after power-on; zero for the others.
  ///   - writable: The registers' writable bits; none for the others.
  ///   - pointer: The order of the registers in a transfer.
  package init(
    defaults: [UInt8: UInt8], writable: [UInt8: UInt8], pointer: Pointer = .counting()
  ) {
    self.pointer = pointer
    var values = [UInt8](repeating: 0, count: 256)
    var masks = values
    for (register, value) in defaults { values[Int(register)] = value }
    for (register, mask) in writable { masks[Int(register)] = mask }
    registers = values
    self.defaults = values
    self.writable = masks
  }

  // MARK: For subclasses

  /// Advances the chip to an instant: completes the conversions that have ended by then.
  package func advance(to instant: Timestamp) {}
  /// The first register of a transfer.
  package func first(_ register: UInt8) -> UInt8 {
    pointer == .countingByTopBit ? register & 0x7F : register
  }
  /// The register after another in a transfer that started at `start`.
  package func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    switch pointer {
    case .counting(let stay): register == stay ? register : register &+ 1
    case .countingByTopBit: start & 0x80 != 0 ? (register + 1) & 0x7F : register
    }
  }
  /// The result of reading a register.
  package func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    registers[Int(register)]
  }
  /// Called after a read of a register: updates latches and flags.
  package func didRead(_ register: UInt8, at instant: Timestamp) {}
  /// Called after a write to a register changed its writable bits; `value` is the written byte.
  package func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {}
  /// Executes a command: a register's number without data.
  package func didReceive(command: UInt8, at instant: Timestamp) {}
  /// Resets the state outside the registers at power-on.
  package func reset(at instant: Timestamp) {}

  /// Whether a write is not acknowledged.
  package func refuses(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) -> Bool { false }
  /// Whether the chip acknowledges its address.
  package func acknowledges(at instant: Timestamp) -> Bool { true }

  // MARK: Bus

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    advance(to: instant)
    var current = first(register)
    for index in bytes.indices {
      bytes[index] = value(of: current, at: instant)
      didRead(current, at: instant)
      current = next(after: current, startedAt: register)
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    advance(to: instant)
    guard !bytes.isEmpty else { return didReceive(command: register, at: instant) }
    var current = first(register)
    for byte in bytes {
      let mask = current == frozenRegister ? 0 : writable[Int(current)]
      let old = registers[Int(current)]
      registers[Int(current)] = (old & ~mask) | (byte & mask)
      didWrite(byte, to: current, at: instant)
      current = next(after: current, startedAt: register)
    }
  }

  package func losePower(at instant: Timestamp) {
    pendingReset = nil
    restoreDefaults()
    reset(at: instant)
  }

  /// Resets the chip by a bit that stays set for some time.
  package func beginReset(
    _ bit: UInt8, in register: UInt8, nanoseconds: UInt64, at instant: Timestamp
  ) {
    losePower(at: instant)
    set(bit, in: register)
    pendingReset = (instant.advanced(byNanoseconds: nanoseconds), bit, register)
  }

  /// Clears the bit of a reset that has ended.
  /// - Returns: Whether one has ended since the last call.
  @discardableResult
  package func finishReset(by instant: Timestamp) -> Bool {
    guard let reset = pendingReset, instant >= reset.end else { return false }
    pendingReset = nil
    clear(reset.bit, in: reset.register)
    return true
  }

  /// Sets every register to its value after power-on.
  package func restoreDefaults() { registers = defaults }

  // MARK: Registers

  /// Puts a signed number into two registers, the low byte at the lower one.
  package func putLittleEndian(_ value: Int, at register: UInt8) {
    let bits = UInt16(bitPattern: Int16(clamping: value))
    registers[Int(register)] = UInt8(bits & 0xFF)
    registers[Int(register) + 1] = UInt8(bits >> 8)
  }

  /// Puts a signed number into two registers, the high byte at the lower one.
  package func putBigEndian(_ value: Int, at register: UInt8) {
    let bits = UInt16(bitPattern: Int16(clamping: value))
    registers[Int(register)] = UInt8(bits >> 8)
    registers[Int(register) + 1] = UInt8(bits & 0xFF)
  }

  /// Puts the outputs of a 16-bit converter for x, y and z, in counts, into six registers, low
  /// bytes first.
  package func putLittleEndian(_ counts: SIMD3<Double>, at register: UInt8) {
    for axis in 0..<3 {
      putLittleEndian(saturated(counts[axis]), at: register + UInt8(2 * axis))
    }
  }

  /// Puts the outputs of a 16-bit converter into six registers, high bytes first.
  package func putBigEndian(_ counts: SIMD3<Double>, at register: UInt8) {
    for axis in 0..<3 { putBigEndian(saturated(counts[axis]), at: register + UInt8(2 * axis)) }
  }

  /// The contents of six registers with x, y and z.
  package func axes(at register: UInt8) -> [UInt8] { Array(axisBytes(at: register)) }

  /// The same, without a copy.
  package func axisBytes(at register: UInt8) -> ArraySlice<UInt8> {
    registers[Int(register)..<Int(register) + 6]
  }

  /// The output of a 16-bit converter for a value in counts.
  package func saturated(_ counts: Double) -> Int {
    Int(bounded: max(-32_768, min(32_767, counts.rounded())))
  }

  /// Whether the bits of a mask are all set in a register.
  package func isSet(_ mask: UInt8, in register: UInt8) -> Bool {
    registers[Int(register)] & mask == mask
  }

  /// Sets the flags of new data, of x, y, z and all of them; where they are still set, those of
  /// overwritten data too.
  package func markNewAxes(in status: UInt8) {
    if isSet(0x08, in: status) { set(0xF0, in: status) }
    set(0x0F, in: status)
  }

  package func set(_ mask: UInt8, in register: UInt8) { registers[Int(register)] |= mask }
  package func clear(_ mask: UInt8, in register: UInt8) { registers[Int(register)] &= ~mask }
}

/// The end instants of an emulated chip's conversions.
package struct ConversionClock {
  private var start: Timestamp
  private var period: UInt64
  private var done: UInt64 = 0

  /// Starts periodic conversions at an instant.
  package init(start: Timestamp, hertz: Double) {
    self.start = start
    period = UInt64(bounded: 1e9 / hertz)
  }

  /// The ends of the conversions since the last call, oldest first, at most the newest `limit`.
  /// - Returns: The number of older ones.
  package mutating func finished(
    by instant: Timestamp, limit: Int = 1, _ each: (Timestamp) -> Void
  ) -> Int {
    guard instant > start else { return 0 }
    let ended = (instant.nanoseconds - start.nanoseconds) / period
    let new = ended - min(ended, done)
    guard new > 0 else { return 0 }
    let kept = min(new, UInt64(limit))
    for index in ended - kept + 1...ended {
      each(Timestamp(nanoseconds: start.nanoseconds + index * period))
    }
    done = ended
    return Int(new - kept)
  }
}
