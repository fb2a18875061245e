import Quantities

/// A bus with devices that are read and written by register, such as I2C. Used from one thread.
///
/// It also has the clock, so that a driver can wait on any bus: the kernel's bus sleeps, an
/// emulated one advances its clock.
public protocol RegisterBus: AnyObject {
  /// The name for messages, such as `/dev/i2c-1`.
  var name: String { get }
  /// The present instant of the clock of the samples.
  var now: Timestamp { get }
  /// Waits at least this long.
  func wait(nanoseconds: UInt64)
  /// Reads consecutive bytes from a register on, in one transfer.
  ///
  /// The device defines the sequence of registers: most increment the number, some repeat it or
  /// need a bit of the register number set.
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError)
  /// Writes consecutive bytes from a register on, in one transfer. Without bytes only the
  /// register's number is sent, which some devices interpret as a command.
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError)
  /// Reads one byte without a register number, to test for a device.
  func receive(from address: UInt8) throws(BusError) -> UInt8
  /// Reads bytes without a register number, in one transfer: the answer of a device that has
  /// commands in place of registers.
  func receive(into bytes: UnsafeMutableRawBufferPointer, from address: UInt8) throws(BusError)
  /// Closes the device until the next transfer opens it again: the kernel can then remove it.
  func release()
  /// Closes the device if it was removed: transfers may still succeed while the kernel waits for
  /// the close.
  func releaseIfRemoved()
}

extension RegisterBus {
  /// Not supported: a bus with registers only.
  public func receive(
    into bytes: UnsafeMutableRawBufferPointer, from address: UInt8
  ) throws(BusError) {
    throw BusError(
      .unsupported("no reads without a register number"), device: name, address: address)
  }
  /// Does nothing: a bus without a device.
  public func release() {}
  /// Does nothing: a bus without a device.
  public func releaseIfRemoved() {}
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

  /// Sends a command: a register's number without data.
  @inlinable
  public func command(_ command: UInt8, to address: UInt8) throws(BusError) {
    try write(UnsafeRawBufferPointer(start: nil, count: 0), to: command, of: address)
  }
}
