import Chips
import Quantities

/// The SPI of an emulated u-blox receiver: a byte is sent for each that is received, 0xFF where
/// none waits.
///
/// - Source: u-blox NEO-D9S integration manual, UBX-19026111 R07, section 3.2.3.
package final class EmulatedUBloxSPI: SPIDevice {
  /// The receiver.
  package var receiver: EmulatedUBloxReceiver
  package let name: String
  /// What the line reads in place of the receiver's bytes; nil for a connected one.
  package var constantByte: UInt8?
  /// The error of every transfer; nil for none.
  package var fault: BusError.Kind?
  /// The number of transfers.
  package private(set) var transfers = 0
  /// The bytes that were exchanged.
  package private(set) var bytesExchanged = 0

  private let clock: EmulatedClock
  private var waiting: [UInt8] = []
  /// The bytes of 0xFF in a row that came from the host.
  private var run = 0

  /// Bytes of 0xFF after which nothing is parsed until another byte.
  private static let longestRun = 50

  package init(
    _ receiver: EmulatedUBloxReceiver, name: String = "/dev/spidev0.0",
    clock: EmulatedClock = EmulatedClock()
  ) { (self.receiver, self.name, self.clock) = (receiver, name, clock) }

  package var now: Timestamp { clock.now }
  package func wait(nanoseconds: UInt64) {
    clock.advance(to: clock.now.advanced(byNanoseconds: nanoseconds))
  }

  package func exchange(_ bytes: UnsafeMutableRawBufferPointer) throws(BusError) {
    transfers += 1
    bytesExchanged += bytes.count
    if let fault { throw BusError(fault, device: name) }
    // 200 kHz.
    wait(nanoseconds: 40_000 * UInt64(bytes.count))
    while let burst = receiver.output(at: now.seconds) { waiting += burst.bytes }
    for index in bytes.indices {
      let sent = waiting.isEmpty ? 0xFF : waiting.removeFirst()
      hear(bytes[index])
      bytes[index] = constantByte ?? sent
    }
  }

  private func hear(_ byte: UInt8) {
    run = byte == 0xFF ? run + 1 : 0
    guard run <= Self.longestRun else { return }
    for burst in receiver.receive([byte]) { waiting += burst.bytes }
  }
}
