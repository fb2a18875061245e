import Quantities

/// A chip's registers at one address, with errors that name the chip.
public struct ChipLink<Bus: RegisterBus> {
  /// The bus that the chip is on.
  public let bus: Bus
  /// Its address, 7 bits.
  public let address: UInt8
  /// The chip that is expected there.
  public let model: ChipModel
  /// The bytes without a meaning at the start of each of the chip's reads.
  @usableFromInline let leadingBytes: Int

  /// Makes a link; nothing is transferred.
  @inlinable
  public init(bus: Bus, address: UInt8, model: ChipModel, leadingBytes: Int = 0) {
    self.bus = bus
    self.address = address
    self.model = model
    self.leadingBytes = leadingBytes
  }

  /// Reads consecutive registers, at most `RegisterBytes.capacity` with the bytes before them.
  @inlinable
  public func read(_ register: UInt8, count: Int) throws(ChipError) -> RegisterBytes {
    var bytes = RegisterBytes(count: count + leadingBytes)
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    bytes.fill {
      do throws(BusError) {
        try bus.read(register, of: address, into: $0)
      } catch { failure = error }
    }
    if let failure { throw self.error(.bus(failure)) }
    return leadingBytes == 0 ? bytes : bytes.dropping(leadingBytes)
  }

  /// Reads bytes without a register number.
  @inlinable
  func receive(count: Int) throws(ChipError) -> RegisterBytes {
    var bytes = RegisterBytes(count: count)
    var failure: BusError?
    bytes.fill {
      do throws(BusError) { try bus.receive(into: $0, from: address) } catch { failure = error }
    }
    if let failure { throw self.error(.bus(failure)) }
    return bytes
  }

  /// Reads registers that hold measurements and flags.
  /// - Throws: `constantBytes` if every byte is 0xFF: the line is not driven, and the flags are
  ///   invalid.
  @inlinable
  public func readSample(_ register: UInt8, count: Int) throws(ChipError) -> RegisterBytes {
    let bytes = try read(register, count: count)
    if bytes.isConstant(0xFF) { throw error(.constantBytes(0xFF)) }
    return bytes
  }

  /// Reads one register.
  @inlinable
  public func read(_ register: UInt8) throws(ChipError) -> UInt8 {
    guard leadingBytes == 0 else { return try read(register, count: 1)[0] }
    do throws(BusError) { return try bus.read(register, of: address) } catch {
      throw self.error(.bus(error))
    }
  }

  /// Writes one register.
  @inlinable
  public func write(_ value: UInt8, to register: UInt8) throws(ChipError) {
    do throws(BusError) { try bus.write(value, to: register, of: address) } catch {
      throw self.error(.bus(error))
    }
  }

  /// Sends a command: a register's number without bytes.
  @inlinable
  public func command(_ command: UInt8) throws(ChipError) {
    do throws(BusError) { try bus.command(command, to: address) } catch {
      throw self.error(.bus(error))
    }
  }

  /// Checks an identity register; a part with two identities has an alternative.
  /// - Throws: `wrongIdentity`, or `constantBytes` if the register and its neighbours read the
  ///   same.
  public func identify(
    _ register: UInt8, as expected: UInt8, or alternative: UInt8? = nil
  ) throws(ChipError) {
    let found = try read(register)
    guard found != expected, found != alternative else { return }
    if found == 0x00 || found == 0xFF, try reads(register, constantly: found) {
      throw error(.constantBytes(found))
    }
    throw error(.wrongIdentity(register: register, expected: expected, found: found))
  }

  /// Waits for a chip that does not acknowledge while it boots.
  /// - Parameters:
  ///   - register: A register to read.
  ///   - nanoseconds: The longest time that it takes to boot.
  /// - Throws: `bus` where it does not acknowledge by then, or for another fault.
  func awaitAnswer(_ register: UInt8, nanoseconds: UInt64) throws(ChipError) {
    let end = bus.now.advanced(byNanoseconds: nanoseconds)
    while true {
      do throws(ChipError) {
        _ = try read(register)
        return
      } catch {
        guard error.isRefusal, bus.now < end else { throw error }
        bus.wait(nanoseconds: 5_000_000)
      }
    }
  }

  /// Whether sixteen registers, read one by one, are all equal: so on a dead bus, but in no chip.
  func reads(_ register: UInt8, constantly byte: UInt8) throws(ChipError) -> Bool {
    for neighbour in register & 0xF0...register | 0x0F where try read(neighbour) != byte {
      return false
    }
    return true
  }

  /// Resets the chip, and checks that the bit that asks for it has cleared itself.
  /// - Parameters:
  ///   - value: What is written, with other bits that must be set in the same register.
  ///   - register: The register.
  ///   - bit: The bit of the reset.
  ///   - nanoseconds: The longest time that the reset takes.
  /// - Throws: `unfinished` where the bit is still set.
  func reset(
    by value: UInt8, to register: UInt8, bit: UInt8, nanoseconds: UInt64
  ) throws(ChipError) {
    try write(value, to: register)
    bus.wait(nanoseconds: nanoseconds)
    guard try read(register) & bit == 0 else { throw error(.unfinished("its reset")) }
  }

  /// Writes a configuration in its order, then reads it back.
  public func apply(_ table: [RegisterSetting]) throws(ChipError) {
    for setting in table { try write(setting.value, to: setting.register) }
    for setting in table { try check(setting, found: try read(setting.register)) }
  }

  /// Checks what a register of the configuration holds.
  /// - Throws: `configurationRefused`.
  func check(_ setting: RegisterSetting, found: UInt8) throws(ChipError) {
    guard !setting.matches(found) else { return }
    throw error(
      .configurationRefused(register: setting.register, wrote: setting.value, found: found))
  }

  /// Whether the chip still holds a configuration.
  public func holds(_ table: [RegisterSetting]) throws(ChipError) -> Bool {
    for setting in table where !setting.matches(try read(setting.register)) { return false }
    return true
  }

  /// An error of this chip.
  public func error(_ kind: ChipError.Kind) -> ChipError {
    ChipError(kind, model: model, bus: bus.name, address: address)
  }
}

/// One line of a configuration table.
public struct RegisterSetting: Equatable, Sendable {
  /// The register.
  public let register: UInt8
  /// The value to write.
  public let value: UInt8
  /// The bits that must read back as written; the chip may change the others.
  public let kept: UInt8

  /// Makes a line; without `kept` every bit is expected to stay.
  public init(_ register: UInt8, _ value: UInt8, kept: UInt8 = 0xFF) {
    self.register = register
    self.value = value
    self.kept = kept
  }

  /// Whether a read value matches the written one.
  public func matches(_ found: UInt8) -> Bool { found & kept == value & kept }
}
