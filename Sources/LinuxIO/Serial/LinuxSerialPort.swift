import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A serial port of the kernel in raw mode: 8 data bits, no parity, one stop bit, no flow control.
/// The object owns the port exclusively; `deinit` restores its settings.
public final class LinuxSerialPort: SerialPort {
  /// The given path, such as `/dev/serial0`.
  public let name: String
  /// The present speed, bits per second.
  public private(set) var baud: Int

  private let file: Int32
  private let settingsBefore: termios
  /// Ends a wait for bytes; nil until it is requested.
  private var wakener: Wakener?
  /// Whether the port was opened exclusively, so that its settings must be restored.
  private let isExclusive: Bool

  /// Timeout of a write without progress, nanoseconds; at 1200 baud one byte takes 8 ms.
  private static var writeTimeout: UInt64 { 5_000_000_000 }

  /// Opens a port.
  /// - Parameters:
  ///   - path: The port, or a symbolic link to it, such as `/dev/serial0`.
  ///   - baud: Bits per second, one of `speeds`.
  ///   - processes: The folder used as `/proc`.
  /// - Throws: `BusError`, with the console or login that uses the port, and the remedy.
  public init(path: String, baud: Int, processes: String = "/proc") throws(BusError) {
    name = path
    self.baud = baud
    let speed = try Self.speed(baud, of: path)
    // Without O_NONBLOCK the call waits for a modem's carrier.
    let file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 {
      let code = errno
      throw BusError(Self.refusal(code, path: path, processes: processes), device: path, code: code)
    }
    self.file = file
    var settings = termios()
    var failure: BusError?
    if tcgetattr(file, &settings) < 0 {
      failure = BusError(Self.isNoPort, device: path, code: errno)
    } else if let owner = SerialOwner.name(of: path, processes: processes) {
      failure = BusError(.inUse(owner), device: path)
    } else if flock(file, LOCK_EX | LOCK_NB) < 0 {
      failure = BusError(.inUse("another program"), device: path, code: errno)
    }
    settingsBefore = settings
    isExclusive = failure == nil
    if let failure { throw failure }
    // Both are needed: root bypasses the exclusion, and some programs do not use the lock.
    let status = linuxbus_serial_exclude(file)
    if status < 0 { throw BusError(.failed("locking"), device: path, code: -status) }
    try apply(speed)
  }

  deinit {
    if isExclusive {
      var settings = settingsBefore
      // Fails only for a removed port, which has no settings to restore.
      tcsetattr(file, TCSANOW, &settings)
      _ = linuxbus_serial_admit(file)
    }
    close(file)
  }

  /// Changes the speed after all written bytes are sent; received bytes in flight are lost.
  public func setBaud(_ baud: Int) throws(BusError) {
    try apply(try Self.speed(baud, of: name))
    self.baud = baud
  }

  /// Ends a wait for bytes; nil where the process has no descriptor left for it.
  public var readInterrupter: (@Sendable () -> Void)? {
    do throws(NetworkError) {
      if wakener == nil { wakener = try Wakener() }
    } catch {
      // The caller polls.
      return nil
    }
    guard let wakener else { return nil }
    return { wakener.wake() }
  }

  /// Reads received bytes, up to the size of the destination.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    while true {
      let events = try poll(POLLIN, until: deadline, doing: "reading")
      if events == 0 { return 0 }
      let count = Glibc.read(file, bytes.baseAddress, bytes.count)
      if count > 0 { return count }
      // Bytes received before the removal of the port are read first.
      if count == 0 && events & Int16(POLLHUP | POLLERR) != 0 {
        throw BusError(.disconnected, device: name)
      }
      if count == 0 && bytes.isEmpty { return 0 }
      if count < 0 && errno != EINTR && errno != EAGAIN {
        throw error(errno, doing: "reading")
      }
    }
  }

  /// Writes all of the bytes; returns when the kernel has accepted them.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Glibc.write(file, rest.baseAddress, rest.count)
      if count > 0 {
        done += count
      } else if count == 0 || errno == EAGAIN {
        let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.writeTimeout)
        let events = try poll(POLLOUT, until: deadline, doing: "writing")
        if events == 0 { throw BusError(.failed("writing"), device: name, code: ETIMEDOUT) }
        if events & Int16(POLLHUP | POLLERR) != 0 { throw BusError(.disconnected, device: name) }
      } else if errno != EINTR {
        throw error(errno, doing: "writing")
      }
    }
  }

  /// Writes as many bytes as the kernel accepts without waiting.
  public func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int {
    while true {
      let count = Glibc.write(file, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw error(errno, doing: "writing") }
    }
  }

  /// Waits for events; 0 at the deadline, and where a wait for bytes is interrupted.
  private func poll(
    _ events: Int32, until deadline: Timestamp, doing: String
  ) throws(BusError) -> Int16 {
    let interruption = events == POLLIN ? wakener : nil
    // A negative descriptor is ignored.
    var descriptors = (
      pollfd(fd: file, events: Int16(events), revents: 0),
      pollfd(fd: interruption?.file ?? -1, events: Int16(POLLIN), revents: 0)
    )
    let ready = withUnsafeMutablePointer(to: &descriptors) { pair in
      pair.withMemoryRebound(to: pollfd.self, capacity: 2) {
        linuxbus_poll($0, 2, deadline.nanoseconds)
      }
    }
    if ready < 0 { throw error(-ready, doing: doing) }
    if descriptors.1.revents != 0 { interruption?.clear() }
    return descriptors.0.revents
  }

  private func apply(_ speed: speed_t) throws(BusError) {
    var settings = settingsBefore
    cfmakeraw(&settings)
    settings.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY | INPCK)
    settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(truncatingIfNeeded: Int64(CRTSCTS)))
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    cfsetispeed(&settings, speed)
    cfsetospeed(&settings, speed)
    if tcsetattr(file, TCSAFLUSH, &settings) < 0 { throw error(errno, doing: "setting the port") }
    // tcsetattr succeeds if any of the settings could be made.
    var made = termios()
    if tcgetattr(file, &made) < 0 { throw error(errno, doing: "asking the port") }
    if cfgetospeed(&made) != speed {
      throw BusError(.unsupported("the port did not accept the speed"), device: name)
    }
  }

  private func error(_ code: Int32, doing: String) -> BusError {
    BusError(SystemError.serial(code, doing: doing), device: name, code: code)
  }

  private static var isNoPort: BusError.Kind { .unsupported("not a serial port") }

  private static func refusal(_ code: Int32, path: String, processes: String) -> BusError.Kind {
    switch code {
    case EISDIR: isNoPort
    // The device file exists, but not the hardware.
    case EIO: .missing
    case EBUSY: .inUse(SerialOwner.name(of: path, processes: processes) ?? "another program")
    default:
      SystemError.opening(code, group: SystemFiles.group(of: path, usual: "dialout"))
    }
  }
}

extension LinuxSerialPort {
  /// The supported speeds, bits per second; not every port has all of them.
  /// - Source: Linux, include/uapi/asm-generic/termbits.h.
  public static var speeds: [Int] { table.map(\.baud) }

  /// The kernel's constant for a speed.
  private static func speed(_ baud: Int, of path: String) throws(BusError) -> speed_t {
    guard let row = table.first(where: { $0.baud == baud }) else {
      throw BusError(
        .unsupported(
          "no \(baud) baud; use one of \(speeds.map(String.init).joined(separator: ", "))"),
        device: path)
    }
    return speed_t(row.constant)
  }

  private static var table: [(baud: Int, constant: Int32)] {
    [
      (1200, B1200), (1800, B1800), (2400, B2400), (4800, B4800), (9600, B9600), (19_200, B19200),
      (38_400, B38400), (57_600, B57600), (115_200, B115200), (230_400, B230400),
      (460_800, B460800), (500_000, B500000), (576_000, B576000), (921_600, B921600),
      (1_000_000, B1000000), (1_152_000, B1152000), (1_500_000, B1500000), (2_000_000, B2000000),
      (2_500_000, B2500000), (3_000_000, B3000000), (3_500_000, B3500000), (4_000_000, B4000000),
    ]
  }
}
