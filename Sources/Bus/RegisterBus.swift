import Quantities

/// A bus with devices that are read and written by register, such as I2C. One thread uses it.
///
/// It also owns time, so that a driver can wait without knowing what it waits on: the kernel's bus
/// sleeps, an emulated one moves its clock.
public protocol RegisterBus: AnyObject {
  /// What messages call it, such as `/dev/i2c-1`.
  var name: String { get }
  /// The present instant of the clock that samples are stamped with.
  var now: Timestamp { get }
  /// Returns no earlier than so many nanoseconds from now.
  func wait(nanoseconds: UInt64)
  /// Reads consecutive bytes from a register on, in one transfer.
  ///
  /// Which registers the bytes come from is the device's affair: most count up, some stay or need a bit
  /// of the register number set.
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError)
  /// Writes consecutive bytes from a register on, in one transfer. No byte at all sends the register's
  /// number alone, which some devices take as a command.
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError)
  /// Reads one byte without naming a register: whether anybody answers there.
  func receive(from address: UInt8) throws(BusError) -> UInt8
}

extension RegisterBus {
  /// Reads one register.
  @inlinable
  public func read(_ register: UInt8, of address: UInt8) throws(BusError) -> UInt8 {
    var byte: UInt8 = 0
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    withUnsafeMutableBytes(of: &byte) {
      do throws(BusError) { try read(register, of: address, into: $0) } catch { failure = error }
    }
    if let failure { throw failure }
    return byte
  }

  /// Writes one register.
  @inlinable
  public func write(_ value: UInt8, to register: UInt8, of address: UInt8) throws(BusError) {
    var failure: BusError?
    withUnsafeBytes(of: value) {
      do throws(BusError) { try write($0, to: register, of: address) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Sends a command: a register's number and nothing else.
  @inlinable
  public func command(_ command: UInt8, to address: UInt8) throws(BusError) {
    try write(UnsafeRawBufferPointer(start: nil, count: 0), to: command, of: address)
  }
}
