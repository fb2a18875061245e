import Quantities

/// One chip select of an SPI controller, such as `/dev/spidev0.0`. Used from one thread.
public protocol SPIDevice: AnyObject {
  /// The name for messages.
  var name: String { get }
  /// The present instant of the clock of the samples.
  var now: Timestamp { get }
  /// Waits at least this long.
  func wait(nanoseconds: UInt64)
  /// Sends the bytes and replaces them by those received meanwhile, in one selection of the chip.
  func exchange(_ bytes: UnsafeMutableRawBufferPointer) throws(BusError)
  /// Closes the device until the next exchange opens it again.
  func release()
  /// Closes the device if it was removed.
  func releaseIfRemoved()
}

extension SPIDevice {
  /// Does nothing: a device without a file.
  public func release() {}
  /// Does nothing: a device without a file.
  public func releaseIfRemoved() {}
}

/// The registers of the chip at an SPI device; addresses are ignored.
///
/// The driver of the chip is the same as on I2C: the framing of the transfers is data
/// (`SPIFraming`). An absent chip is not reported by the bus, but reads as 0x00 or 0xFF.
public final class SPIRegisterBus<Device: SPIDevice>: RegisterBus {
  private let device: Device
  private let framing: SPIFraming
  private var isAwake = false

  /// The most bytes of a transfer's data; drivers read at most `RegisterBytes.capacity`.
  public static var longest: Int { 64 }

  /// Makes a bus; nothing is transferred.
  public init(device: Device, framing: SPIFraming) {
    self.device = device
    self.framing = framing
  }

  /// The device's name.
  public var name: String { device.name }
  /// The device's clock.
  public var now: Timestamp { device.now }
  /// Waits at least this long.
  public func wait(nanoseconds: UInt64) { device.wait(nanoseconds: nanoseconds) }

  /// Reads consecutive bytes, in one selection of the chip.
  public func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    try wake()
    if framing.needsInterface, bytes.count == 1, let interface = framing.interface {
      // The driver's own bits of the register are not changed where it can be read already.
      let present = try transfer(interface.register, reads: true, byte: 0)
      if present & interface.value != interface.value || present == 0xFF {
        _ = try transfer(interface.register, reads: false, byte: interface.value)
      }
    }
    try exchange(register, reads: true, bytes)
    guard let interface = framing.interface else { return }
    // In a longer read the register's place may hold bytes of a FIFO.
    let index = Int(interface.register) - Int(register & 0x7F)
    guard bytes.indices.contains(index), index == 0 || framing.needsInterface else { return }
    if bytes[index] != 0xFF { bytes[index] &= ~interface.value }
  }

  /// Writes consecutive bytes, in one selection of the chip.
  public func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) {
    try wake()
    var failure: BusError?
    withUnsafeTemporaryAllocation(byteCount: max(1, bytes.count), alignment: 1) { room in
      let copy = UnsafeMutableRawBufferPointer(rebasing: room[..<bytes.count])
      for index in bytes.indices { copy[index] = bytes[index] }
      if let interface = framing.interface, interface.register == register, !bytes.isEmpty {
        copy[0] |= interface.value
      }
      do throws(BusError) { try exchange(register, reads: false, copy) } catch { failure = error }
    }
    if let failure { throw failure }
    if let reset = framing.reset, reset.register == register, bytes.first == reset.value {
      isAwake = false
    }
  }

  /// Not possible: a chip on SPI does not acknowledge.
  public func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.unsupported("no search for a chip: SPI has no acknowledgement"), device: name)
  }

  /// Closes the device until the next transfer.
  public func release() {
    device.release()
    isAwake = false
  }

  /// Closes the device if it was removed.
  public func releaseIfRemoved() { device.releaseIfRemoved() }

  private func wake() throws(BusError) {
    guard !isAwake else { return }
    if let register = framing.wakingRead { _ = try transfer(register, reads: true, byte: 0) }
    isAwake = true
  }

  private func transfer(_ register: UInt8, reads: Bool, byte: UInt8) throws(BusError) -> UInt8 {
    var byte = byte
    var failure: BusError?
    withUnsafeMutableBytes(of: &byte) {
      do throws(BusError) { try exchange(register, reads: reads, $0) } catch { failure = error }
    }
    if let failure { throw failure }
    return byte
  }

  /// One selection: the header, dummy bytes of a read, the data.
  private func exchange(
    _ register: UInt8, reads: Bool, _ bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) {
    guard bytes.count <= Self.longest else {
      throw BusError(.unsupported("a transfer has at most \(Self.longest) bytes"), device: name)
    }
    let first = 1 + (reads ? framing.dummyBytes : 0)
    var failure: BusError?
    withUnsafeTemporaryAllocation(byteCount: first + bytes.count, alignment: 1) { frame in
      for index in frame.indices { frame[index] = 0 }
      frame[0] = framing.header(register, reads: reads, count: bytes.count)
      if !reads { for index in bytes.indices { frame[first + index] = bytes[index] } }
      do throws(BusError) { try device.exchange(frame) } catch {
        failure = error
        return
      }
      if reads { for index in bytes.indices { bytes[index] = frame[first + index] } }
    }
    if let failure { throw failure }
  }
}
