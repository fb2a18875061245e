import Board
import Formats
import LinuxIO
import LocationHost
import Quantities
import ReceiverProtocols

/// Lodestar as a device of an NMEA 2000 bus. One thread reads and writes the CAN interface; the
/// host's threads leave the newest estimate for it and wait for nothing.
final class NMEA2000Server: Server {
  /// The name in the policy, in messages, and of the thread.
  private static let name = "nmea2000"
  /// Limit of the frames that wait for the bus, some tenths of a second of a device.
  private static let mostFrames = 128
  /// Time after which a frame that waits for the bus is dropped, s: its value is no longer new.
  private static let mostAge = 0.25
  /// The pause before the next attempt where the interface's queue is full, s: four frames' time.
  private static let fullPause = 0.002
  /// Time for the end of the thread, s.
  private static let endTimeout = 0.9

  /// What the host has given since the thread's last turn.
  private struct Inbox {
    var estimate: Estimate?
    var pressure: PressureSample?
    var hasNewAccess = false
    var isOver = false
  }

  private let settings: NMEA2000Settings
  private let context: ServerContext
  private let inbox = Locked(Inbox())
  private let feed = Locked<HostFeed?>(nil)
  private let hasEnded = Waitable(true)
  private let wakener: Wakener

  /// Makes a device; nil where no interface is configured. One that is missing is awaited.
  init?(_ settings: NMEA2000Settings, _ context: ServerContext) throws(ServerFault) {
    guard settings.interface != nil else { return nil }
    do throws(NetworkError) {
      wakener = try Wakener()
    } catch {
      throw ServerFault(description: "\(Self.name): \(error)")
    }
    (self.settings, self.context) = (settings, context)
  }

  func start() {
    hasEnded.withLock { $0 = false }
    let feed = HostFeed(Self.name, context) { [weak self] in self?.receive($0) }
    self.feed.withLock { $0 = feed }
    feed.request([.estimates, .samples])
    WorkerThread.start("lodestar-\(Self.name)") { [self] in
      run()
      context.nmea2000.withLock { $0 = nil }
      hasEnded.withLock { $0 = true }
    }
  }

  func stop() {
    inbox.withLock { $0.isOver = true }
    wakener.wake()
    let feed = feed.withLock { feed in
      defer { feed = nil }
      return feed
    }
    feed?.stop()
    hasEnded.wait(atMost: Self.endTimeout) { $0 ? () : nil }
  }

  /// On the host's threads.
  private func receive(_ update: HostUpdate) {
    inbox.withLock { inbox in
      switch update {
      case .estimate(let estimate): inbox.estimate = estimate
      case .samples(let samples): inbox.pressure = samples.pressure ?? inbox.pressure
      case .access: (inbox.estimate, inbox.pressure, inbox.hasNewAccess) = (nil, nil, true)
      case .receiver, .source, .fix: break
      }
    }
    if case .estimate = update { wakener.wake() }
  }

  // MARK: On the thread

  private func run() {
    var device = NMEA2000Device(
      name: .ofThisMachine, preferredAddress: UInt8(clamping: settings.address),
      product: NMEA2000Device.Product(
        softwareVersion: Version.text, serial: "\(DeviceName.ofThisMachine.uniqueNumber)"))
    var counts = NMEA2000Counts()
    var noted = ""
    var delay = RetryDelay()
    while !inbox.withLock({ $0.isOver }) {
      do throws(NetworkError) {
        let bus = try open()
        (counts.isOpen, noted) = (true, "")
        try serve(bus, &device, &counts, &delay)
      } catch {
        let text = "nmea2000-interface \(error.peer): \(error.reasonOfCAN); tried again"
        if text != noted { context.log.warning("\(Self.name): \(text)") }
        noted = text
      }
      (counts.isOpen, counts.address) = (false, nil)
      publish(counts)
      let next = MonotonicClock.now.advanced(bySeconds: delay.next())
      // The host's estimates end a wait.
      while MonotonicClock.now < next, !inbox.withLock({ $0.isOver }) {
        wait(until: next, bus: nil)
      }
    }
  }

  private func open() throws(NetworkError) -> StreamSocket {
    try StreamSocket(
      can: settings.interface ?? "", groups: NMEA2000Device.receivedMessages.map(\.rawValue))
  }

  /// Serves an open bus until the end.
  private func serve(
    _ bus: StreamSocket, _ device: inout NMEA2000Device, _ counts: inout NMEA2000Counts,
    _ delay: inout RetryDelay
  ) throws(NetworkError) {
    var queue: [(frame: CANFrame, since: Timestamp)] = []
    var bytes = [UInt8](repeating: 0, count: CANFrame.size)
    // A Unix socket may give a frame in parts.
    var part: [UInt8] = []
    var known: UInt8?
    var isFullNoted = false
    var new = device.start(at: MonotonicClock.now)
    while true {
      let now = MonotonicClock.now
      queue += new.map { ($0, now) }
      let dropped = queue.count
      queue.removeAll { now.seconds(since: $0.since) > Self.mostAge }
      queue.removeFirst(max(0, queue.count - Self.mostFrames))
      counts.dropped += dropped - queue.count
      counts.sent += try send(&queue, to: bus)
      counts.address = device.claim.address.map(Int.init)
      counts.addressLosses = device.claim.losses
      publish(counts)
      if device.claim.address != known, let address = device.claim.address {
        context.log.notice("\(Self.name): address \(address) at \(bus.peer)")
        delay.reset()
      }
      known = device.claim.address
      if device.claim.hasFailed, !isFullNoted {
        isFullNoted = true
        context.log.warning(
          "\(Self.name): all addresses at \(bus.peer) are in use: remove a device; tried again each 10 s"
        )
      }
      let pause = queue.isEmpty ? nil : now.advanced(bySeconds: Self.fullPause)
      wait(until: pause ?? device.deadline(after: now), bus: bus)
      let given = inbox.withLock { inbox in
        defer { inbox = Inbox(isOver: inbox.isOver) }
        return inbox
      }
      if given.isOver { return }
      new = []
      // A full bus must not delay the own values.
      for _ in 0..<Self.mostFrames where new.count <= Self.mostFrames {
        let count = try bus.read(into: &bytes)
        guard count > 0 else { break }
        part += bytes[..<count]
        guard part.count >= CANFrame.size else { continue }
        defer { part.removeFirst(CANFrame.size) }
        guard let frame = part.prefix(CANFrame.size).withUnsafeBytes({ CANFrame(kernel: $0) })
        else { continue }
        counts.received += 1
        new += device.receive(frame, at: MonotonicClock.now)
      }
      if given.hasNewAccess { device.discard() }
      if let pressure = given.pressure { device.set(pressure) }
      let instant = MonotonicClock.now
      if let estimate = given.estimate { new += device.frames(for: estimate, at: instant) }
      new += device.advance(to: instant)
    }
  }

  /// Sends the frames until the interface's queue is full.
  /// - Returns: Their number.
  private func send(
    _ queue: inout [(frame: CANFrame, since: Timestamp)], to bus: StreamSocket
  ) throws(NetworkError) -> Int {
    var count = 0
    do throws(NetworkError) {
      while count < queue.count, try bus.write(queue[count].frame.kernelBytes[...]) > 0 {
        count += 1
      }
    } catch {
      guard error.isFullQueue else { throw error }
    }
    queue.removeFirst(count)
    return count
  }

  private func publish(_ counts: NMEA2000Counts) { context.nmea2000.withLock { $0 = counts } }

  /// Waits for frames, for the host, or until a deadline.
  private func wait(until deadline: Timestamp, bus: StreamSocket?) {
    wakener.wait(until: deadline, orReadable: bus?.file)
    wakener.clear()
  }
}
