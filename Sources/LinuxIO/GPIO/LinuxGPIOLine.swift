import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A GPIO line of the kernel, through either generation of libgpiod. The object owns the line
/// exclusively until `deinit`.
public final class LinuxGPIOLine: GPIOLine {
  /// The use of a line.
  public enum Direction: Equatable, Sendable {
    /// An input.
    case input
    /// An output with its first level.
    case output(isHigh: Bool)
    /// An input with edge events.
    case edges(Edges)
  }

  /// The edges to report.
  public enum Edges: Equatable, Sendable {
    /// From low to high.
    case rising
    /// From high to low.
    case falling
    /// Either.
    case both
  }

  /// The given name, such as `GPIO17` or `gpiochip0:17`.
  public let name: String

  private let line: OpaquePointer
  private let device: String
  private let isNewLibrary: Bool
  /// Readable while edges are queued; nil for a line not opened for edges.
  package let fileDescriptor: Int32?

  /// The line's consumer in `gpioinfo`.
  private static var consumer: String { "lodestar" }

  /// Opens a line.
  /// - Parameters:
  ///   - name: The line's name, searched in all chips in the order of their numbers; or, for boards
  ///     without line names, chip and offset such as `gpiochip0:17`.
  ///   - direction: The use of the line.
  ///   - devices: The folder used as `/dev`.
  /// - Throws: `BusError`; `.missing` if the machine has no GPIO chip.
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
        .unsupported("the line is an input; open it as an output"), device: device, code: -status)
    }
    if status < 0 { throw error(-status, doing: "setting") }
  }

  /// Waits for the next edge of a line opened for edges.
  public func nextEdge(until deadline: Timestamp) throws(BusError) -> GPIOEdge? {
    var descriptor = pollfd(fd: try edgeDescriptor(), events: Int16(POLLIN), revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw error(-ready, doing: "waiting") }
    return ready == 0 ? nil : try readEdge(events: descriptor.revents)
  }

  /// The descriptor to wait on.
  func edgeDescriptor() throws(BusError) -> Int32 {
    guard let fileDescriptor else {
      throw BusError(.unsupported("the line reports no edges; open it for edges"), device: device)
    }
    return fileDescriptor
  }

  /// Reads the oldest edge after a wait returned these events.
  func readEdge(events: Int16) throws(BusError) -> GPIOEdge {
    if events & Int16(POLLIN) == 0 { throw BusError(.disconnected, device: device) }
    var edge = linuxbus_gpio_edge()
    let status = linuxbus_gpio_read(line, &edge)
    if status < 0 { throw error(-status, doing: "reading an edge") }
    // The older library does not report the clock of the stamps.
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

extension LinuxGPIOLine {
  /// The generation of libgpiod's interface in use: 2, 1, or 0 if not installed.
  package static var libraryGeneration: Int { Int(linuxbus_gpio_library()) }

  /// The chip and offset of a line.
  private static func place(
    of name: String, devices: String
  ) throws(BusError) -> (chip: String, offset: UInt32) {
    if let place = explicitPlace(name) { return ("\(devices)/\(place.chip)", place.offset) }
    let chips = SystemFiles.numbered("gpiochip", in: devices).map { "\(devices)/\($0)" }
    let all = "\(devices)/gpiochip*"
    if chips.isEmpty { throw BusError(.missing, device: all) }
    // A chip that cannot be opened may have the line: its error is thrown if no other chip has it.
    var failure: BusError?
    for chip in chips {
      let found = linuxbus_gpio_find(chip, name)
      if found >= 0 { return (chip, UInt32(found)) }
      if found != -ENOENT && failure == nil {
        let group = SystemFiles.group(of: chip, usual: "gpio")
        failure = BusError(
          SystemError.line(-found, name: name, owner: "", group: group), device: chip,
          code: -found)
      }
    }
    throw failure ?? BusError(.noSuchLine(name), device: all)
  }

  /// Chip and offset of a name such as `gpiochip0:17`; nil for other names.
  package static func explicitPlace(_ name: String) -> (chip: String, offset: UInt32)? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("gpiochip"),
      SystemFiles.number(parts[0].dropFirst("gpiochip".count)) != nil,
      let number = SystemFiles.number(parts[1]), let offset = UInt32(exactly: number)
    else { return nil }
    return (String(parts[0]), offset)
  }
}
