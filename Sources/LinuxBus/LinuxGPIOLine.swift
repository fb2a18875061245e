import Bus
import CLinuxBus
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A GPIO line of the kernel, through whichever generation of libgpiod the machine has. The line is this
/// object's alone as long as it lives.
public final class LinuxGPIOLine: GPIOLine {
  /// What a line is for.
  public enum Direction: Equatable, Sendable {
    /// To be read.
    case input
    /// To be driven, and how at first.
    case output(isHigh: Bool)
    /// To be read, and its changes to be told.
    case edges(Edges)
  }

  /// Which changes of the level are told.
  public enum Edges: Equatable, Sendable {
    /// From low to high.
    case rising
    /// From high to low.
    case falling
    /// Either.
    case both
  }

  /// The line's name as it was given, such as `GPIO17` or `gpiochip0:17`.
  public let name: String

  private let line: OpaquePointer
  private let device: String
  private let isNewLibrary: Bool
  /// Readable while edges wait; nil for a line that was not asked for edges.
  package let fileDescriptor: Int32?

  /// What `gpioinfo` shows as the line's user.
  private static var consumer: String { "lodestar" }

  /// Asks for a line.
  /// - Parameters:
  ///   - name: The line's name, looked up in all chips in the order of their numbers; or, for boards whose
  ///     lines have no names, chip and offset such as `gpiochip0:17`.
  ///   - direction: What the line is for.
  ///   - devices: The folder that stands for `/dev`.
  /// - Throws: `BusError`; `.missing` where the machine has no GPIO chip.
  public init(
    name: String, direction: Direction, devices: String = "/dev"
  ) throws(BusError) {
    let library = linuxbus_gpio_library()
    guard library != 0 else {
      throw BusError(
        .libraryMissing("libgpiod", package: "libgpiod3 or libgpiod2"), device: "GPIO \(name)")
    }
    let (chip, offset) = try Self.place(of: name, devices: devices)
    var line: OpaquePointer?
    var status: Int32 = 0
    let owner = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      status = linuxbus_gpio_request(
        chip, offset, direction.mode, Self.consumer, &line, text.baseAddress, UInt32(text.count))
      return text.baseAddress.map { String(cString: $0) } ?? ""
    }
    let device = "\(chip) line \(name)"
    guard status == 0, let line else {
      throw BusError(
        SystemError.line(
          -status, name: name, owner: owner, group: SystemFiles.group(of: chip, usual: "gpio")),
        device: device, code: -status)
    }
    self.name = name
    self.line = line
    self.device = device
    isNewLibrary = library >= 2
    if case .edges = direction {
      fileDescriptor = linuxbus_gpio_descriptor(line)
    } else {
      fileDescriptor = nil
    }
  }

  deinit { linuxbus_gpio_release(line) }

  /// Whether the line is high now.
  public func isHigh() throws(BusError) -> Bool {
    let value = linuxbus_gpio_get(line)
    if value < 0 { throw error(-value, doing: "reading") }
    return value > 0
  }

  /// Drives an output line.
  public func set(high: Bool) throws(BusError) {
    let status = linuxbus_gpio_set(line, high)
    if status == -EPERM || status == -EINVAL {
      throw BusError(
        .unsupported("output, as it was asked for as an input"), device: device, code: -status)
    }
    if status < 0 { throw error(-status, doing: "setting") }
  }

  /// Waits for the next edge of a line that was asked for edges.
  public func nextEdge(until deadline: Timestamp) throws(BusError) -> GPIOEdge? {
    var descriptor = pollfd(fd: try edgeDescriptor(), events: Int16(POLLIN), revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw error(-ready, doing: "waiting") }
    return ready == 0 ? nil : try takeEdge(events: descriptor.revents)
  }

  /// The descriptor to wait on.
  func edgeDescriptor() throws(BusError) -> Int32 {
    guard let fileDescriptor else {
      throw BusError(.unsupported("edges, as it was not asked for them"), device: device)
    }
    return fileDescriptor
  }

  /// Takes the oldest edge after a wait that came back with these events.
  func takeEdge(events: Int16) throws(BusError) -> GPIOEdge {
    if events & Int16(POLLIN) == 0 { throw BusError(.disconnected, device: device) }
    var edge = linuxbus_gpio_edge()
    let status = linuxbus_gpio_read(line, &edge)
    if status < 0 { throw error(-status, doing: "reading an edge") }
    // The older library does not say which clock the kernel stamps with.
    let stamp =
      isNewLibrary
      ? edge.stamp
      : EdgeClock.monotonic(
        edge.stamp, monotonic: linuxbus_monotonic(), realtime: linuxbus_realtime())
    return GPIOEdge(timestamp: Timestamp(nanoseconds: stamp), isRising: edge.is_rising)
  }

  private func error(_ code: Int32, doing: String) -> BusError {
    BusError(code == ENODEV ? .disconnected : .failed(doing), device: device, code: code)
  }
}

extension LinuxGPIOLine.Direction {
  var mode: linuxbus_gpio_mode {
    switch self {
    case .input: LINUXBUS_GPIO_INPUT
    case .output(let isHigh): isHigh ? LINUXBUS_GPIO_OUTPUT_HIGH : LINUXBUS_GPIO_OUTPUT_LOW
    case .edges(.rising): LINUXBUS_GPIO_RISING
    case .edges(.falling): LINUXBUS_GPIO_FALLING
    case .edges(.both): LINUXBUS_GPIO_BOTH
    }
  }
}
