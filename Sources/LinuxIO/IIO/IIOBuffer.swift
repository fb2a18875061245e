import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The kernel's buffer of one IIO device: whole scans, none lost if they are read in time. Disabled
/// in `deinit`.
final class IIOBuffer {
  private let node: IIONode
  private let file: Int32
  private let enable: String
  private let types: [IIOScanType]
  private let layout: IIOScanLayout
  /// Whether the element after the channels is a timestamp.
  private let isStamped: Bool
  private let room: UnsafeMutableRawBufferPointer
  private var (begin, end) = (0, 0)

  /// Scans in the kernel's buffer and in ours: one second at 128 Hz.
  private static var scans: Int { 128 }

  /// Configures and enables a buffer. Nil if the device has no buffer or no trigger, or the user
  /// lacks the permission.
  /// - Parameters:
  ///   - node: The device.
  ///   - channels: Their names, such as `in_magn_x`, in the order of the results.
  ///   - trigger: Called with the chosen trigger.
  /// - Throws: EBUSY if another program uses it.
  init?(_ node: IIONode, channels: [String], trigger: (IIOTrigger) -> Void) throws(IIOFault) {
    let elements = node.has("buffer0/\(channels[0])_en") ? "buffer0" : "scan_elements"
    enable = node.has("buffer0/enable") ? "buffer0/enable" : "buffer/enable"
    // A driver may leave some of the channels out of its scans.
    guard channels.allSatisfy({ node.has("\(elements)/\($0)_en") }), node.has(enable) else {
      return nil
    }
    self.node = node
    // Only one process can open it: from here on the buffer is ours, even if it was left enabled.
    file = open(node.device, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 {
      let code = errno
      if IIOFault.isForbidden(code) || code == ENOENT || code == ENXIO { return nil }
      throw IIOFault(code: code, doing: "opening \(node.label)")
    }
    var found: [(index: Int, type: IIOScanType)] = []
    var hasStamp = false
    let setting: Setting
    do throws(IIOFault) {
      setting = try Self.configure(node, channels, elements, enable, &found, &hasStamp, trigger)
    } catch {
      close(file)
      throw error
    }
    guard setting == .done else {
      close(file)
      return nil
    }
    types = found.map(\.type)
    isStamped = hasStamp
    layout = IIOScanLayout(found)
    room = .allocate(byteCount: layout.bytes * Self.scans, alignment: 8)
    let code = node.store("1", in: enable)
    // All properties are initialised, so `deinit` releases the resources.
    if code != 0 {
      throw IIOFault(code: code, doing: "switching on the buffer of \(node.label)")
    }
  }

  deinit {
    _ = node.store("0", in: enable)
    close(file)
    room.deallocate()
  }

  /// Whether it is still enabled.
  var isOn: Bool { node.line(enable) == "1" }

  /// The types of the channels, in the order of the results.
  var channelTypes: ArraySlice<IIOScanType> { types[..<(types.count - (isStamped ? 1 : 0))] }

  /// Reads the oldest unread scan.
  /// - Parameter take: Called with each channel's index and its number.
  /// - Returns: Whether there was a scan, and its kernel timestamp on `CLOCK_MONOTONIC`.
  /// - Throws: ENODEV if the driver was unbound.
  func next(_ take: (Int, Int64) -> Void) throws(IIOFault) -> (isThere: Bool, at: Timestamp?) {
    if end - begin < layout.bytes { try fetch() }
    guard end - begin >= layout.bytes, let base = room.baseAddress else { return (false, nil) }
    var stamp: Timestamp?
    for (place, type) in types.enumerated() {
      let number = type.number(at: base + begin + layout.offsets[place])
      if isStamped && place == types.count - 1 {
        stamp = Timestamp(nanoseconds: UInt64(bitPattern: number))
      } else {
        take(place, number)
      }
    }
    begin += layout.bytes
    return (true, stamp)
  }

  /// Reads into the free space. The kernel returns whole scans; a part of one stays for the next
  /// call.
  private func fetch() throws(IIOFault) {
    guard let base = room.baseAddress else { return }
    let rest = end - begin
    memmove(base, base + begin, rest)
    (begin, end) = (0, rest)
    var count = read(file, base + rest, room.count - rest)
    while count < 0 && errno == EINTR { count = read(file, base + rest, room.count - rest) }
    if count < 0 {
      if errno == EAGAIN { return }
      throw IIOFault(code: errno, doing: "reading the buffer of \(node.label)")
    }
    end = rest + count
  }

  private enum Setting { case done, notPossible }

  /// Configures everything except `enable`.
  private static func configure(
    _ node: IIONode, _ channels: [String], _ elements: String, _ enable: String,
    _ found: inout [(index: Int, type: IIOScanType)], _ hasStamp: inout Bool,
    _ trigger: (IIOTrigger) -> Void
  ) throws(IIOFault) -> Setting {
    func store(_ text: String, _ attribute: String) throws(IIOFault) -> Bool {
      let code = node.store(text, in: attribute)
      if code == 0 { return true }
      if IIOFault.isForbidden(code) { return false }
      throw IIOFault(code: code, doing: "writing \(attribute) of \(node.label)")
    }
    guard try store("0", enable) else { return .notPossible }
    let chosen = try IIOTrigger.choose(for: node)
    if chosen == .none { return .notPossible }
    trigger(chosen)
    // Stamps of another clock are useless here.
    if node.has("current_timestamp_clock") {
      hasStamp = try store("monotonic", "current_timestamp_clock")
    }
    hasStamp = hasStamp && node.has("\(elements)/in_timestamp_en")
    let wanted = channels + (hasStamp ? ["in_timestamp"] : [])
    for name in SystemFiles.names(in: node.path(elements)) where name.hasSuffix("_en") {
      let isWanted = wanted.contains(String(name.dropLast("_en".count)))
      guard try store(isWanted ? "1" : "0", "\(elements)/\(name)") else { return .notPossible }
    }
    for name in wanted {
      guard let type = node.line("\(elements)/\(name)_type").flatMap({ IIOScanType($0) }),
        let index = node.line("\(elements)/\(name)_index").flatMap({ SystemFiles.number($0) })
      else { throw IIOFault(code: 0, doing: "understanding \(name)_type of \(node.label)") }
      found.append((index, type))
    }
    _ = try store("\(scans)", enable == "buffer0/enable" ? "buffer0/length" : "buffer/length")
    return .done
  }
}
