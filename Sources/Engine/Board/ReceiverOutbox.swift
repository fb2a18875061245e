import Bus

/// What waits to go down a receiver's line, by whole frames: commands before corrections, never one inside
/// the other. Writing never waits, so that reading is never late.
struct ReceiverOutbox {
  private var commands: [[UInt8]] = []
  /// The frame that is being written, and how much of it is.
  private var frame: [UInt8] = []
  private var written = 0

  /// True where nothing waits.
  var isEmpty: Bool { written == frame.count && commands.isEmpty }

  mutating func put(_ command: [UInt8]) { commands.append(command) }

  /// Writes what the port takes at once.
  /// - Parameters:
  ///   - port: The line.
  ///   - next: Gives the next correction where no command waits.
  /// - Throws: `BusError` where the port is gone.
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
