import Quantities

/// The byte stream of a u-blox receiver on SPI as a serial port.
///
/// Both sides send at once, and 0xFF where they have nothing: what comes while a message is written
/// is stored, and the filler is dropped, except for the bytes of 0xFF within a message, which the
/// message's next byte ends. An absent receiver reads as 0x00 or 0xFF, not as an error.
/// - Source: u-blox NEO-D9S integration manual, UBX-19026111 R07, section 3.2.3 "SPI interface",
///   and the same section of the ZED-F9K and ZED-F9T manuals (full duplex, 0xFF where no data
///   waits, reception stops after 50 bytes of 0xFF); u-blox 6 receiver description, table "Maximum
///   SPI clock speed"; UBX-CFG-PRT (mode 0 unless configured).
public final class UBloxSPIPort<Device: SPIDevice>: SerialPort {
  /// The device, such as `/dev/spidev0.0`.
  public var name: String { device.name }
  /// Zero: the bus sets the speed.
  public let baud = 0

  private let device: Device
  /// Bytes that came while others were written, or that the destination of a read had no room for.
  private var inbox: [UInt8] = []
  /// The bytes of 0xFF after the last other byte that were not delivered.
  private var withheld = 0
  /// All bytes of 0xFF after the last other byte.
  private var run = 0
  private var zeros = 0
  private var removalDue = Timestamp(nanoseconds: 0)

  /// What either side sends where it has nothing.
  private static var filler: UInt8 { 0xFF }
  /// Bytes of 0xFF in a row beyond which they are no part of a message, as the receiver counts them
  /// too.
  private static var longestRun: Int { 50 }
  /// Bytes of 0xFF that are delivered at once: they may be the checksum that ends a message.
  private static var checksumBytes: Int { 2 }
  /// Bytes of 0x00 in a row beyond which nothing drives the line.
  private static var longestZeros: Int { 512 }
  /// Interval of the questions whether bytes wait, ns. A shorter one loads the bus, a longer one
  /// delays fixes.
  private static var pollInterval: UInt64 { 20_000_000 }
  /// Interval between checks for a removed device, ns.
  private static var removalInterval: UInt64 { 250_000_000 }
  /// Bytes of a transfer: at the usual clock 1.3 ms.
  private static var transferBytes: Int { 32 }
  /// The usual clock, hertz: the fastest of a u-blox 6; later ones are faster.
  public static var usualHertz: UInt32 { 200_000 }

  /// Makes a port; nothing is transferred.
  public init(device: Device) { self.device = device }

  /// Does nothing.
  public func setBaud(_ baud: Int) {}

  /// Reads until only filler comes, up to the size of the destination.
  /// - Parameters:
  ///   - bytes: The destination.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `BusError` where the device was removed, or the transfer failed.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    while true {
      if device.now >= removalDue {
        removalDue = device.now.advanced(byNanoseconds: Self.removalInterval)
        device.releaseIfRemoved()
      }
      while inbox.count < bytes.count {
        let before = inbox.count
        try exchange(nil)
        if inbox.count == before { break }
      }
      if !inbox.isEmpty, !bytes.isEmpty {
        let count = min(inbox.count, bytes.count)
        for index in 0..<count { bytes[index] = inbox[index] }
        inbox.removeFirst(count)
        return count
      }
      let now = device.now
      guard now < deadline else { return 0 }
      device.wait(nanoseconds: min(Self.pollInterval, deadline.nanoseconds - now.nanoseconds))
    }
  }

  /// Writes all of the bytes, and stores what comes meanwhile.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.transferBytes)
      try exchange(UnsafeRawBufferPointer(rebasing: part))
      rest = rest.dropFirst(part.count)
    }
  }

  /// One selection of the receiver: sends bytes, or filler, and takes as many.
  private func exchange(_ sent: UnsafeRawBufferPointer?) throws(BusError) {
    var failure: BusError?
    let count = sent?.count ?? Self.transferBytes
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { frame in
      for index in frame.indices { frame[index] = sent?[index] ?? Self.filler }
      do throws(BusError) { try device.exchange(frame) } catch {
        failure = error
        return
      }
      for byte in frame { receive(byte) }
    }
    if let failure { throw failure }
  }

  private func receive(_ byte: UInt8) {
    guard byte != Self.filler else {
      run += 1
      if run <= Self.checksumBytes { inbox.append(byte) } else { withheld += 1 }
      return
    }
    if run <= Self.longestRun { for _ in 0..<withheld { inbox.append(Self.filler) } }
    (run, withheld) = (0, 0)
    zeros = byte == 0 ? zeros + 1 : 0
    if zeros <= Self.longestZeros { inbox.append(byte) }
  }
}
