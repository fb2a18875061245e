import Chips

/// The frames that wait to be sent to a receiver. Commands go before corrections; each frame is
/// sent whole. Writing never blocks, so that reading is never late.
struct ReceiverSendQueue {
  private var commands: [[UInt8]] = []
  /// The frame that is being written, and the number of its bytes already written.
  private var frame: [UInt8] = []
  private var written = 0

  /// True if no command waits and no frame is partly written.
  var isEmpty: Bool { written == frame.count && commands.isEmpty }

  mutating func put(_ command: [UInt8]) { commands.append(command) }

  /// Writes as much as the port accepts at once.
  /// - Parameters:
  ///   - port: The receiver's port.
  ///   - next: Returns the next correction; called when no command waits.
  /// - Throws: `BusError` if the port was removed.
  mutating func flush(to port: any SerialPort, next: () -> [UInt8]?) throws(BusError) {
    while true {
      if written == frame.count {
        written = 0
        frame = commands.isEmpty ? next() ?? [] : commands.removeFirst()
        if frame.isEmpty { return }
      }
      // A typed error does not pass through the standard library's closures.
      var failure: BusError?
      let count = frame.withUnsafeBytes { bytes -> Int in
        do throws(BusError) {
          return try port.writeSome(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      if count == 0 { return }
      written += count
    }
  }
}
