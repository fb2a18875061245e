import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A chip select of the kernel's SPI, by spidev: `/dev/spidev0.0` is chip select 0 of bus 0.
///
/// Mode, bits a word and clock are set when it is opened, and read back; the other bits of the
/// mode, such as the polarity of the chip select, stay as the device tree has them.
/// - Source: Linux, Documentation/spi/spidev and include/uapi/linux/spi/spidev.h.
public final class LinuxSPIDevice: SPIDevice {
  /// The device's path.
  public let name: String
  private let hertz: UInt32
  private let mode: Mode
  private var opened: (file: Int32, node: FileIdentity?)?

  /// The usual clock, hertz: slow enough for jumper wires, and a FIFO of 500 bytes takes 4 ms.
  public static var usualHertz: UInt32 { 1_000_000 }
  /// The clock's polarity and phase, by the bits CPOL and CPHA.
  public enum Mode: UInt32, Sendable, CustomStringConvertible {
    /// The clock rests low: of receivers.
    case mode0 = 0x00
    /// The clock rests high: of sensor chips.
    case mode3 = 0x03

    /// The mode's name.
    public var description: String { "mode \(rawValue)" }
  }

  /// Opens a device; nothing is transferred.
  /// - Parameters:
  ///   - path: The device.
  ///   - hertz: The clock.
  ///   - mode: Its polarity and phase.
  /// - Throws: `BusError`: missing, forbidden, no SPI device, or a mode or clock that the
  ///   controller has not.
  public init(path: String, hertz: UInt32 = usualHertz, mode: Mode = .mode3) throws(BusError) {
    name = path
    self.hertz = hertz
    self.mode = mode
    opened = try open()
  }

  deinit { release() }

  /// The present instant of `CLOCK_MONOTONIC`.
  public var now: Timestamp { MonotonicClock.now }
  /// Waits at least this long.
  public func wait(nanoseconds: UInt64) {
    MonotonicClock.sleep(until: now.advanced(byNanoseconds: nanoseconds))
  }

  /// Closes the device; the next exchange opens it again.
  public func release() {
    guard let opened else { return }
    close(opened.file)
    self.opened = nil
  }

  /// Closes the device if its file was removed or replaced, so that the kernel can remove the
  /// controller.
  public func releaseIfRemoved() {
    guard let opened, FileIdentity(of: name) != opened.node else { return }
    release()
  }

  /// Sends and receives in one selection of the chip.
  public func exchange(_ bytes: UnsafeMutableRawBufferPointer) throws(BusError) {
    guard let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    if opened == nil { opened = try open() }
    guard let opened else { return }
    let status = linuxbus_spi_exchange(opened.file, first, UInt32(bytes.count), hertz)
    guard status < 0 else { return }
    releaseIfRemoved()
    throw BusError(
      self.opened == nil ? .disconnected : SystemError.spi(-status), device: name, code: -status)
  }

  private func open() throws(BusError) -> (file: Int32, node: FileIdentity?) {
    let file = try DeviceFile.open(name, name: name, group: "spi", orElse: Self.isNoDevice)
    let status = linuxbus_spi_set(file, mode.rawValue, 8, hertz)
    guard status == 0 else {
      close(file)
      throw BusError(
        status == -ENOTTY ? Self.isNoDevice : .unsupported("no \(mode) at \(hertz) Hz"),
        device: name, code: -status)
    }
    return (file, FileIdentity(of: file))
  }

  private static var isNoDevice: BusError.Kind {
    .unsupported("not an SPI device; see /dev/spidev*")
  }

  /// Finds the machine's SPI devices that programs may use.
  /// - Parameter devices: The folder used as `/dev`.
  /// - Returns: Their paths, sorted.
  public static func devices(in devices: String = "/dev") -> [String] {
    SystemFiles.names(in: devices).filter { $0.hasPrefix("spidev") }.sorted()
      .map { "\(devices)/\($0)" }
  }
}
