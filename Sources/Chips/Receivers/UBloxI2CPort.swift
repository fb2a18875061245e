import Quantities

/// The byte stream of a u-blox receiver on I2C as a serial port. u-blox calls this interface DDC.
///
/// Only as many bytes are read as the receiver reports, so that its filler, 0xFF, is not taken for
/// data. Bytes of a failed transfer are lost; the checksums of the messages show that.
/// - Source: u-blox 8 / M8 receiver description including protocol specification, UBX-13003221 R29,
///   section "DDC port" (registers 0xFD to 0xFF, read and write access, 0xFF where no data waits,
///   at least two bytes a write), and the same section of the ZED-F9T integration manual (3.3.11.5)
///   and the NEO-D9S integration manual, UBX-19026111 R07 (3.2.2).
public final class UBloxI2CPort<Bus: RegisterBus>: SerialPort {
  /// The registers; those below are reserved.
  public enum Register: UInt8, Sendable {
    case waitingHigh = 0xFD
    case waitingLow
    case stream
  }

  /// The address of the factory.
  public static var usualAddress: UInt8 { 0x42 }
  /// Interval of the questions whether bytes wait, ns. A shorter one loads the bus, a longer one
  /// delays fixes. A receiver that is not asked for 1.5 s stops to send.
  private static var pollInterval: UInt64 { 20_000_000 }
  /// Interval between checks for a removed bus, ns.
  private static var removalInterval: UInt64 { 250_000_000 }
  /// Bytes of a transfer: an SMBus block has no more, and its calls for more bytes would use other
  /// registers.
  private static var longestTransfer: Int { 32 }
  /// Failed transfers in a row that are no fault: a receiver may be busy.
  private static var toleratedFailures: Int { 3 }

  /// The bus with the address, such as `/dev/i2c-1@0x42`.
  public let name: String
  /// Zero: the bus sets the speed.
  public let baud = 0

  private let bus: Bus
  private let address: UInt8
  private var failures = 0
  private var removalDue = Timestamp(nanoseconds: 0)

  /// Makes a port; nothing is transferred.
  public init(bus: Bus, address: UInt8) {
    (self.bus, self.address) = (bus, address)
    name = "\(bus.name)@\(Hexadecimal.text(address))"
  }

  /// Does nothing.
  public func setBaud(_ baud: Int) {}

  /// Reads the bytes that wait, up to the size of the destination.
  /// - Parameters:
  ///   - bytes: The destination.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `BusError` where the receiver does not answer several times in a row, or the bus is
  ///   removed.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    while true {
      if bus.now >= removalDue {
        removalDue = bus.now.advanced(byNanoseconds: Self.removalInterval)
        bus.releaseIfRemoved()
      }
      var done = 0
      do throws(BusError) {
        let count = min(try waiting(), bytes.count)
        while done < count {
          let part = min(count - done, Self.longestTransfer)
          try bus.read(
            Register.stream.rawValue, of: address,
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + part]))
          done += part
        }
        failures = 0
      } catch {
        try tolerate(error)
      }
      if done > 0 { return done }
      let now = bus.now
      guard now < deadline else { return 0 }
      bus.wait(nanoseconds: min(Self.pollInterval, deadline.nanoseconds - now.nanoseconds))
    }
  }

  /// Whether the registers read as those of a receiver; only reads. The stream register has the
  /// filler where nothing waits.
  public func seemsPresent() throws(BusError) -> Bool {
    let high = try bus.read(Register.waitingHigh.rawValue, of: address)
    guard high != 0xFF else { return false }
    guard try waiting() == 0 else { return true }
    return try bus.read(Register.stream.rawValue, of: address) == 0xFF
  }

  /// Writes all of the bytes, in transfers that an SMBus adapter makes too.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    var rest = bytes[...]
    while let first = rest.first {
      // A single byte would set the register number: the stream's filler goes before it.
      guard rest.count > 1 else { return try bus.write(first, to: 0xFF, of: address) }
      var count = min(rest.count, Self.longestTransfer + 1)
      if rest.count == count + 1 { count -= 1 }
      let part = rest.prefix(count)
      try bus.write(UnsafeRawBufferPointer(rebasing: part.dropFirst()), to: first, of: address)
      rest = rest.dropFirst(count)
    }
  }

  /// The number of bytes that wait.
  private func waiting() throws(BusError) -> Int {
    var count: (high: UInt8, low: UInt8) = (0, 0)
    var failure: BusError?
    withUnsafeMutableBytes(of: &count) {
      do throws(BusError) {
        try bus.read(Register.waitingHigh.rawValue, of: address, into: $0)
      } catch { failure = error }
    }
    if let failure { throw failure }
    // A line that nothing drives; no receiver stores that much.
    guard count.high != 0xFF || count.low != 0xFF else { return 0 }
    // Some receivers set the highest bit for no reason; SparkFun's u-blox library clears it too.
    return Int(count.high & 0x7F) << 8 | Int(count.low)
  }

  private func tolerate(_ error: BusError) throws(BusError) {
    failures += 1
    switch error.kind {
    case .noAnswer, .arbitrationLost, .stuck, .failed:
      if failures <= Self.toleratedFailures { return }
    default: break
    }
    failures = 0
    throw error
  }
}
