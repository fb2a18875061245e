import Chips
import Formats
import Quantities
import ReceiverProtocols

/// Detects a receiver's baud rate by reading: at the right rate the checksums are valid.
struct BaudRateDetector {
  /// Time at each rate, ns: a receiver sends once a second.
  private static let timeAtRate: UInt64 = 1_300_000_000
  /// Number of sentences with a valid checksum that confirm a rate.
  private static let convincing = 2
  /// The rates of receivers, the usual ones first.
  static let speeds = [9600, 38_400, 115_200, 4800, 57_600, 19_200, 230_400, 460_800, 921_600]

  let hardware: any BoardHardware
  let isStopped: () -> Bool

  /// The messages of a second or more that are not decoded, at the rate that `speed` has confirmed.
  func undecoded(of port: any SerialPort) throws(BusError) -> UndecodedMessages {
    var stream = ReceiverStream()
    let end = hardware.now.advanced(byNanoseconds: Self.timeAtRate)
    while hardware.now < end, !isStopped() { try read(port, until: end, into: &stream) }
    return stream.counts.undecoded
  }

  /// Reads at each rate until one is confirmed; nil for none.
  func speed(of port: any SerialPort, trying speeds: [Int]) throws(BusError) -> Int? {
    for speed in speeds where !isStopped() {
      try port.setBaud(speed)
      var stream = ReceiverStream()
      let end = hardware.now.advanced(byNanoseconds: Self.timeAtRate)
      while hardware.now < end, !isStopped() {
        try read(port, until: end, into: &stream)
        if stream.counts.accepted >= Self.convincing { return speed }
        // One frame is enough: noise passes its checks once in 2^32 tries.
        if stream.counts.binaryFrames > 0 { return speed }
      }
    }
    return nil
  }

  private func read(
    _ port: any SerialPort, until end: Timestamp, into stream: inout ReceiverStream
  ) throws(BusError) {
    let wake = min(end, hardware.now.advanced(byNanoseconds: ReceiverService.longestWait))
    _ = try stream.receive(from: port, until: wake, hardware) { _ in }
  }
}

extension ReceiverStream {
  /// Reads a port and decodes the bytes.
  /// - Returns: The number of bytes.
  mutating func receive(
    from port: any SerialPort, until deadline: Timestamp, _ hardware: any BoardHardware,
    alsoTo tap: (UnsafeRawBufferPointer) -> Void = { _ in }, _ deliver: (SensorSamples) -> Void
  ) throws(BusError) -> Int {
    try receive(from: port, until: deadline, now: { hardware.now }, alsoTo: tap, deliver)
  }

  /// Reads a port and decodes the bytes by a given clock.
  mutating func receive(
    from port: any SerialPort, until deadline: Timestamp, now: () -> Timestamp,
    alsoTo tap: (UnsafeRawBufferPointer) -> Void = { _ in }, _ deliver: (SensorSamples) -> Void
  ) throws(BusError) -> Int {
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    var count = 0
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { bytes in
      do throws(BusError) {
        count = try port.read(into: bytes, until: deadline)
        guard count > 0 else { return }
        let new = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        push(new, at: now(), deliver)
        tap(new)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return count
  }
}
