import Chips
import Quantities

/// A device at the other end of an emulated serial line.
package protocol EmulatedSerialDevice: AnyObject {
  /// Its speed, bits per second.
  var baud: Int { get }
  /// Takes what the host writes at once.
  func receive(_ bytes: [UInt8], at instant: Timestamp)
  /// What it has sent up to an instant, since the last call.
  func output(at instant: Timestamp) -> [UInt8]
  /// Resets everything to the state after power-on.
  func losePower(at instant: Timestamp)
}

/// An emulated serial line; behaves like the kernel's port for a driver. Its clock advances only
/// during waits and transfers.
package final class EmulatedSerialLine: TimedSerialPort {
  package let name: String
  package private(set) var baud: Int
  /// The device at its other end.
  package private(set) var device: any EmulatedSerialDevice
  /// The clock, shared with the buses of the board.
  package let clock: EmulatedClock
  /// The failing transfers, counted from the line's first, with their errors.
  package var failing: [Int: BusError.Kind] = [:]
  /// Changes received bytes, such as by noise; called with the number of each byte.
  package var disturb: ((Int, UInt8) -> UInt8?)?
  /// True while nothing of the device arrives.
  package var isCut = false
  /// The number of transfers.
  package private(set) var transfers = 0
  /// All that the host wrote.
  package private(set) var written: [UInt8] = []

  private var waiting: [UInt8] = []
  private var received = 0

  package init(
    _ device: any EmulatedSerialDevice, name: String = "/dev/ttyAMA0", baud: Int? = nil,
    clock: EmulatedClock = EmulatedClock()
  ) {
    (self.device, self.name, self.clock) = (device, name, clock)
    self.baud = baud ?? device.baud
  }

  /// Connects another device.
  package func connect(_ device: any EmulatedSerialDevice) { self.device = device }

  package var now: Timestamp { clock.now }
  package func wait(nanoseconds: UInt64) { clock.advance(nanoseconds: nanoseconds) }
  package func setBaud(_ baud: Int) {
    self.baud = baud
    waiting = []
  }

  private func transfer() throws(BusError) {
    defer { transfers += 1 }
    if let kind = failing[transfers] { throw BusError(kind, device: name) }
  }

  package func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    try transfer()
    while true {
      for byte in device.output(at: now) where !isCut {
        received += 1
        // At another speed bytes are noise.
        let heard = baud == device.baud ? byte : byte | 0x80
        if let kept = disturb.map({ $0(received - 1, heard) }) ?? heard { waiting.append(kept) }
      }
      let count = min(bytes.count, waiting.count)
      if count > 0 {
        bytes.copyBytes(from: waiting.prefix(count))
        waiting.removeFirst(count)
        return count
      }
      guard now < deadline else { return 0 }
      clock.advance(to: min(deadline, now.advanced(byNanoseconds: 500_000)))
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    try transfer()
    // Ten bits a byte.
    clock.advance(nanoseconds: UInt64(bytes.count) * 10_000_000_000 / UInt64(max(baud, 1)))
    written += bytes
    if baud == device.baud { device.receive(Array(bytes), at: now) }
  }
}
