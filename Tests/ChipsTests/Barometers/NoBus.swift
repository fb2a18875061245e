import Chips
import Quantities

/// A bus without chips, for a driver's static functions.
final class NoBus: RegisterBus {
  let name = "none"
  let now = Timestamp(nanoseconds: 0)
  func wait(nanoseconds: UInt64) {}
  func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) { throw BusError(.noAnswer, device: name, address: address) }
  func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) { throw BusError(.noAnswer, device: name, address: address) }
  func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.noAnswer, device: name, address: address)
  }
}
