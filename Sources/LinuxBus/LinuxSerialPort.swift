import Bus
import CLinuxBus
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A serial port of the kernel, raw: 8 data bits, no parity, one stop bit, no flow control, every byte as it
/// comes. The port is this object's alone as long as it lives; then its settings are what they were.
public final class LinuxSerialPort: SerialPort {
  /// The port's path as it was given, such as `/dev/serial0`.
  public let name: String
  /// Bits per second now.
  public private(set) var baud: Int

  private let file: Int32
  private let settingsBefore: termios
  /// Whether the port was free, so that there are settings to restore.
  private let isExclusive: Bool

  /// How long a port may take no byte at all, nanoseconds; at 1200 baud one takes 8 ms.
  private static var patience: UInt64 { 5_000_000_000 }

  /// Opens a port.
  /// - Parameters:
  ///   - path: The port, or a symbolic link to it, such as `/dev/serial0`.
  ///   - baud: Bits per second, one of `speeds`.
  ///   - processes: The folder that stands for `/proc`.
  /// - Throws: `BusError`, which names the console or login that has the port, with the remedy.
  public init(path: String, baud: Int, processes: String = "/proc") throws(BusError) {
    name = path
    self.baud = baud
    let speed = try Self.speed(baud, of: path)
    // Without O_NONBLOCK the opening waits for a modem's carrier.
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
    // Root passes this by and heeds the lock; others may know nothing of the lock.
    let status = linuxbus_serial_exclude(file)
    if status < 0 { throw BusError(.failed("locking"), device: path, code: -status) }
    try apply(speed)
  }

  deinit {
    if isExclusive {
      var settings = settingsBefore
      // Failures are those of a port that is gone: nothing is left to restore.
      tcsetattr(file, TCSANOW, &settings)
      _ = linuxbus_serial_admit(file)
    }
    close(file)
  }

  /// Changes the speed once all that was written is sent; bytes in flight are lost.
  public func setBaud(_ baud: Int) throws(BusError) {
    try apply(try Self.speed(baud, of: name))
    self.baud = baud
  }

  /// Reads what has come in, at most as much as there is room for.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(BusError) -> Int {
    while true {
      let events = try poll(POLLIN, until: deadline, doing: "reading")
      if events == 0 { return 0 }
      let count = Glibc.read(file, bytes.baseAddress, bytes.count)
      if count > 0 { return count }
      // What had come before the port went is read first.
      if count == 0 && events & Int16(POLLHUP | POLLERR) != 0 {
        throw BusError(.disconnected, device: name)
      }
      if count == 0 && bytes.isEmpty { return 0 }
      if count < 0 && errno != EINTR && errno != EAGAIN {
        throw error(errno, doing: "reading")
      }
    }
  }

  /// Writes all of the bytes; returns when the kernel has them.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Glibc.write(file, rest.baseAddress, rest.count)
      if count > 0 {
        done += count
      } else if count == 0 || errno == EAGAIN {
        let deadline = MonotonicClock.now.advanced(byNanoseconds: Self.patience)
        let events = try poll(POLLOUT, until: deadline, doing: "writing")
        if events == 0 { throw BusError(.failed("writing"), device: name, code: ETIMEDOUT) }
        if events & Int16(POLLHUP | POLLERR) != 0 { throw BusError(.disconnected, device: name) }
      } else if errno != EINTR {
        throw error(errno, doing: "writing")
      }
    }
  }

  /// Writes what the kernel takes without waiting.
  public func writeSome(_ bytes: UnsafeRawBufferPointer) throws(BusError) -> Int {
    while true {
      let count = Glibc.write(file, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw error(errno, doing: "writing") }
    }
  }

  /// Waits; the events that came, 0 where the deadline passed.
  private func poll(
    _ events: Int32, until deadline: Timestamp, doing: String
  ) throws(BusError) -> Int16 {
    var descriptor = pollfd(fd: file, events: Int16(events), revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw error(-ready, doing: doing) }
    return ready == 0 ? 0 : descriptor.revents
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
    // It succeeds where any of the settings could be made.
    var made = termios()
    if tcgetattr(file, &made) < 0 { throw error(errno, doing: "asking the port") }
    if cfgetospeed(&made) != speed {
      throw BusError(.unsupported("that speed"), device: name)
    }
  }

  private func error(_ code: Int32, doing: String) -> BusError {
    BusError(SystemError.serial(code, doing: doing), device: name, code: code)
  }

  private static var isNoPort: BusError.Kind { .unsupported("serial, as it is no serial port") }

  private static func refusal(_ code: Int32, path: String, processes: String) -> BusError.Kind {
    switch code {
    case EISDIR: isNoPort
    // The device file is there, the hardware behind it is not.
    case EIO: .missing
    case EBUSY: .inUse(SerialOwner.name(of: path, processes: processes) ?? "another program")
    default:
      SystemError.opening(code, group: SystemFiles.group(of: path, usual: "dialout"))
    }
  }
}
