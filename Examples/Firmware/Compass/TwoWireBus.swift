import CFirmware
import Chips
import Quantities

/// I2C by software over the two lines of Arm's serial bus controller (SBCon): the controller sets
/// and reads the lines, and the transfers are made here.
///
/// - Source: Arm DAI 0386, section 4.5 (register map); NXP UM10204 (I2C).
final class TwoWireBus: RegisterBus {
  /// The lines as bits of the registers.
  private enum Line: UInt32 { case clock = 1, data = 2 }

  let name: String
  /// Reads the lines; a write sets the lines whose bit is one.
  private let setRegister: UInt
  /// A write clears the lines whose bit is one.
  private var clearRegister: UInt { setRegister + 4 }

  init(name: String, base: UInt) {
    (self.name, setRegister) = (name, base)
    set(.data)
    set(.clock)
  }

  var now: Timestamp { Timestamp(nanoseconds: firmware_nanoseconds()) }

  func wait(nanoseconds: UInt64) {
    let end = now.advanced(byNanoseconds: nanoseconds)
    while now < end {}
  }

  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    start()
    defer { stop() }
    try send(address << 1, address)
    try send(register, address)
    start()
    try send(address << 1 | 1, address)
    for index in bytes.indices { bytes[index] = receiveByte(isLast: index == bytes.count - 1) }
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    start()
    defer { stop() }
    try send(address << 1, address)
    try send(register, address)
    for byte in bytes { try send(byte, address) }
  }

  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    start()
    defer { stop() }
    try send(address << 1 | 1, address)
    return receiveByte(isLast: true)
  }

  // MARK: Lines

  private func set(_ line: Line) { firmware_store(setRegister, line.rawValue) }
  private func clear(_ line: Line) { firmware_store(clearRegister, line.rawValue) }
  private var isDataHigh: Bool { firmware_load(setRegister) & Line.data.rawValue != 0 }

  /// Data falls while the clock is high.
  private func start() {
    set(.data)
    set(.clock)
    clear(.data)
    clear(.clock)
  }

  /// Data rises while the clock is high.
  private func stop() {
    clear(.data)
    set(.clock)
    set(.data)
  }

  private func send(_ byte: UInt8, _ address: UInt8) throws(BusError) {
    for bit in stride(from: 7, through: 0, by: -1) {
      if byte >> UInt8(bit) & 1 != 0 { set(.data) } else { clear(.data) }
      set(.clock)
      clear(.clock)
    }
    set(.data)
    set(.clock)
    let isRefused = isDataHigh
    clear(.clock)
    if isRefused { throw BusError(.noAnswer, device: name, address: address) }
  }

  /// The last byte is not acknowledged: the chip then releases the line.
  private func receiveByte(isLast: Bool) -> UInt8 {
    var byte: UInt8 = 0
    set(.data)
    for _ in 0..<8 {
      set(.clock)
      byte = byte << 1 | (isDataHigh ? 1 : 0)
      clear(.clock)
    }
    if isLast { set(.data) } else { clear(.data) }
    set(.clock)
    clear(.clock)
    set(.data)
    return byte
  }
}
