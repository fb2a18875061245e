import Quantities

/// A bus without devices, for what is static in a driver.
package final class NoBus: RegisterBus {
  package let name = "none"
  package let now = Timestamp(nanoseconds: 0)

  package init() {}

  package func wait(nanoseconds: UInt64) {}
  package func read(
    _ register: UInt8, of address: UInt8, into bytes: UnsafeMutableRawBufferPointer
  ) throws(BusError) { throw BusError(.noAnswer, device: name, address: address) }
  package func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, of address: UInt8
  ) throws(BusError) { throw BusError(.noAnswer, device: name, address: address) }
  package func receive(from address: UInt8) throws(BusError) -> UInt8 {
    throw BusError(.noAnswer, device: name, address: address)
  }
}
