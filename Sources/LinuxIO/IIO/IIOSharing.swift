import Quantities

/// The IIO devices of this machine that drivers of this program read, so that several drivers of
/// one device share its buffer, which only one can open: an MPU-9250's driver has one for all nine
/// axes.
public final class IIOSharing: Sendable {
  private struct Weak { weak var node: IIOSharedNode? }
  private let nodes = Locked<[String: Weak]>([:])

  /// Makes a set without devices.
  public init() {}

  /// The shared state of a device.
  func node(_ node: IIONode) -> IIOSharedNode {
    nodes.withLock { nodes in
      if let shared = nodes[node.folder]?.node { return shared }
      let shared = IIOSharedNode(node)
      nodes[node.folder] = Weak(node: shared)
      return shared
    }
  }
}

/// One device with the streams that read it, and its buffer with the channels of all of them.
///
/// `@unchecked Sendable`: `lock` is held in every function.
final class IIOSharedNode: @unchecked Sendable {
  /// One scan's counts of a stream's channels, at most eight.
  struct Scan: Sendable {
    var counts = SIMD8<Int64>(repeating: 0)
    var timestamp: Timestamp?
  }

  fileprivate struct User {
    let names: [String]
    let requestedHertz: Double
    /// The place of its first channel among the buffer's.
    var first = 0
    var queue: [Scan]
    var head = 0
    var count = 0
  }

  private let node: IIONode
  private let lock = Locked<Void>(())
  private var users: [ObjectIdentifier: User] = [:]
  private var buffer: IIOBuffer?
  private var trigger = IIOTrigger.none

  /// Scans that a stream may leave unread while another one reads: those of the kernel's buffer and
  /// of ours.
  private static var queued: Int { 256 }

  init(_ node: IIONode) { self.node = node }

  /// Adds a stream and stops the buffer, so that rates and ranges can be set.
  func join(_ stream: IIOStream, names: [String], requestedHertz: Double) {
    lock.withLock { _ in
      users[ObjectIdentifier(stream)] = User(
        names: names, requestedHertz: requestedHertz,
        queue: Array(repeating: Scan(), count: Self.queued))
      buffer = nil
    }
  }

  /// Removes a stream; the buffer ends with the last one.
  func leave(_ stream: IIOStream) {
    lock.withLock { _ in
      users[ObjectIdentifier(stream)] = nil
      if users.isEmpty { buffer = nil }
    }
  }

  /// The highest rate that a stream requests, hertz: of a rate that the quantities share.
  var requestedHertz: Double {
    lock.withLock { _ in users.values.map(\.requestedHertz).max() ?? 0 }
  }
  /// Whether several streams read it.
  var isShared: Bool { lock.withLock { _ in users.count > 1 } }
  /// Whether the buffer is on.
  var isOn: Bool { lock.withLock { _ in buffer?.isOn ?? false } }

  /// Enables the buffer with the channels of all streams.
  /// - Returns: Its trigger; nil if the device has no usable buffer.
  func start() throws(IIOFault) -> IIOTrigger? {
    try lock.withLock { _ throws(IIOFault) in
      buffer = nil
      var names: [String] = []
      for key in users.keys {
        users[key]?.begin(at: names.count)
        names += users[key]?.names ?? []
      }
      var chosen = IIOTrigger.none
      buffer = try IIOBuffer(node, channels: names) { chosen = $0 }
      trigger = chosen
      return buffer == nil ? nil : chosen
    }
  }

  /// The oldest unread scan of a stream; nil for none, and while the buffer is off.
  func next(for stream: IIOStream) throws(IIOFault) -> Scan? {
    try lock.withLock { _ throws(IIOFault) -> Scan? in
      let key = ObjectIdentifier(stream)
      guard let buffer, let own = users[key] else { return nil }
      if own.count > 0 { return users[key]?.removeFirst() }
      var counts: (SIMD8<Int64>, SIMD8<Int64>) = (SIMD8(repeating: 0), SIMD8(repeating: 0))
      let (isThere, stamp) = try buffer.next { place, count in
        if place < 8 { counts.0[place] = count } else { counts.1[place & 7] = count }
      }
      guard isThere else { return nil }
      for index in users.values.indices where users.count > 1 {
        users.values[index].put(counts, stamp)
      }
      guard users.count == 1 else { return users[key]?.removeFirst() }
      return own.scan(counts, stamp)
    }
  }
}

extension IIOSharedNode.User {
  fileprivate mutating func begin(at place: Int) {
    first = place
    head = 0
    count = 0
  }

  fileprivate func scan(
    _ counts: (SIMD8<Int64>, SIMD8<Int64>), _ stamp: Timestamp?
  ) -> IIOSharedNode.Scan {
    var scan = IIOSharedNode.Scan(timestamp: stamp)
    for place in 0..<names.count {
      let all = first + place
      scan.counts[place] = all < 8 ? counts.0[all] : counts.1[all & 7]
    }
    return scan
  }

  private mutating func advance() {
    head = (head + 1) % queue.count
    count -= 1
  }

  /// Adds a scan; drops the oldest of a stream that is not read.
  fileprivate mutating func put(_ counts: (SIMD8<Int64>, SIMD8<Int64>), _ stamp: Timestamp?) {
    if count == queue.count { advance() }
    queue[(head + count) % queue.count] = scan(counts, stamp)
    count += 1
  }

  fileprivate mutating func removeFirst() -> IIOSharedNode.Scan? {
    guard count > 0 else { return nil }
    defer { advance() }
    return queue[head]
  }
}
