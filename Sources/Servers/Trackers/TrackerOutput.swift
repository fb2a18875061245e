import Dispatch
import Formats
import FoundationEssentials
import LinuxIO
import LocationHost
import Quantities

/// Reports positions to a server of trackers, in order and each until the server has accepted it.
/// What waits is in files of the state folder.
final class TrackerOutput: Server {
  /// The longest wait without a position, seconds: a connection's keep-alive is tested then.
  private static let pause = 5.0
  /// The timeout of the end, seconds; a thread that waits for a server ends by itself afterwards.
  private static let endTimeout = 0.5

  private struct State {
    var schedule: TrackerSchedule
    var feed: HostFeed?
    var notes: RepeatedNotes
  }
  private struct Positions {
    var store: PositionStore
    var isAway = false
    /// Whether the policy has decided that positions are sent.
    var isPermitted = false
    var dropped = 0
  }

  private let application: String
  private let isOwnTracks: Bool
  private let identity: String
  private let settings: TrackerSettings
  private let server: TrackerServer
  private let context: ServerContext
  /// Makes the link, which ends its waits once the second argument is true.
  private typealias LinkMaker =
    @Sendable (Wakener, @escaping @Sendable () -> Bool) -> any TrackerLink
  private let link: LinkMaker
  private let wakener: Wakener
  private let state: Locked<State>
  private let positions: Locked<Positions>
  /// Writes positions: a medium may be slow, and the host's threads do not wait for it.
  private let queue: DispatchQueue
  private let isOver = Locked(false)
  private let hasEnded = Waitable(2)

  /// Makes the output `owntracks`, over MQTT or HTTP, or `osmand`, which is also the prefix of its
  /// keys; nil without a server.
  init?(
    _ application: String, _ settings: TrackerSettings, _ context: ServerContext
  ) throws(ServerFault) {
    guard let server = settings.server else { return nil }
    let isOwnTracks = application == "owntracks"
    let host = String(
      ProcessInfo.processInfo.hostName.map { TrackerSettings.isName("\($0)") ? $0 : "_" })
    let user = settings.username.flatMap { TrackerSettings.isName($0[...]) ? $0 : nil }
    let identity =
      settings.identity ?? (isOwnTracks ? "owntracks/\(user ?? "lodestar")/\(host)" : host)
    if settings.passwordFile != nil, settings.username == nil {
      throw ServerFault(
        description: "\(application): \(application)-password-file needs \(application)-username")
    }
    do throws(TrackerFault) {
      try settings.checkFiles(application)
    } catch { throw ServerFault(description: "\(application): \(error.reason)") }
    link = try Self.link(to: server, settings, application, identity)
    do throws(NetworkError) {
      wakener = try Wakener()
    } catch { throw ServerFault(description: "\(application): \(error)") }
    (self.application, self.isOwnTracks, self.identity) = (application, isOwnTracks, identity)
    (self.settings, self.server, self.context) = (settings, server, context)
    let log = context.log
    if server.isReadable {
      log.warning(
        "\(application): positions cross the network readable for everyone: use TLS (\(application)-url)"
      )
    }
    queue = DispatchQueue(label: "lodestar-\(application)", qos: .utility)
    state = Locked(
      State(
        schedule: TrackerSchedule(interval: settings.interval, heartbeat: settings.heartbeat),
        notes: RepeatedNotes(log: log)))
    positions = Locked(
      Positions(
        store: PositionStore(folder: context.stateFolder + "/trackers/\(application)") {
          log.warning("\(application): \($0)")
        }))
  }

  private static func link(
    to server: TrackerServer, _ settings: TrackerSettings, _ application: String,
    _ identity: String
  ) throws(ServerFault) -> LinkMaker {
    switch server {
    case .mqtt(let broker):
      guard let library = MosquittoLibrary() else {
        throw ServerFault(
          description:
            "\(application): \(MosquittoLibrary.name) 2.0 or later is missing: run 'apt install libmosquitto1', then reload"
        )
      }
      let names = MQTTSettings().names(
        host: ProcessInfo.processInfo.hostName, machine: MachineIdentity.identifier)
      return {
        MQTTTrackerLink(
          broker, settings, topic: identity, client: names.client + "-owntracks", library, $0, $1)
      }
    case .http(let url):
      let library: CurlLibrary
      do throws(CurlLibrary.Missing) {
        library = try CurlLibrary()
      } catch { throw ServerFault(description: "\(application): \(error)") }
      let levels = identity.split(separator: "/")
      let headers =
        levels.count == 3
        ? ["Content-Type: application/json", "X-Limit-U: \(levels[1])", "X-Limit-D: \(levels[2])"]
        : ["Content-Type: application/x-www-form-urlencoded"]
      return { wakener, _ in
        HTTPTrackerLink(
          url, settings, prefix: application, headers: headers, library, wakener)
      }
    }
  }

  func start() {
    WorkerThread.start("lodestar-\(application)") { [self] in
      run()
      hasEnded.withLock { $0 -= 1 }
    }
    let feed = HostFeed(application, context) { [weak self] in self?.receive($0) }
    state.withLock { $0.feed = feed }
    feed.request(.estimates)
  }

  func stop() {
    isOver.withLock { $0 = true }
    state.withLock { state in
      defer { state.feed = nil }
      return state.feed
    }?.stop()
    wakener.wake()
    queue.async { [positions, hasEnded] in
      positions.withLock { $0.store.close() }
      hasEnded.withLock { $0 -= 1 }
    }
    hasEnded.wait(atMost: Self.endTimeout) { $0 <= 0 ? () : nil }
  }

  // MARK: Positions

  private func receive(_ update: HostUpdate) {
    switch update {
    case .estimate(let estimate):
      let payload: [UInt8]? = state.withLock { state in
        // The protocols have no word for a recording.
        guard state.feed?.source.isLive == true, let position = TrackerPosition(estimate),
          let reason = state.schedule.reason(estimate)
        else { return nil }
        return isOwnTracks
          ? position.ownTracks(
            topic: identity, isPosted: isPosted, reason, isMoving: state.schedule.isMoving)
          : position.osmAnd(id: identity)
      }
      guard let payload else { return }
      queue.async { [weak self] in self?.append(payload) }
    case .access(let access):
      // Exact positions are not sent once the policy gives less.
      guard access.authorization != .notDetermined else { return }
      let isLess = access.accuracy != .full || !access.allowsUpdates
      queue.async { [weak self] in
        self?.positions.withLock { positions in
          if isLess { positions.store.removeAll() }
          positions.isPermitted = access.allowsUpdates
        }
        self?.wakener.wake()
      }
    case .samples, .receiver, .source, .fix: break
    }
  }

  private var isPosted: Bool { if case .http = server { true } else { false } }

  private func append(_ payload: [UInt8]) {
    positions.withLock { $0.dropped += $0.store.append(payload, isAway: $0.isAway) }
    wakener.wake()
  }

  // MARK: Sending

  private func run() {
    let link = link(wakener) { [isOver] in isOver.withLock { $0 } }
    var delay = RetryDelay.ofFleet
    while !isOver.withLock({ $0 }) {
      do throws(TrackerFault) {
        // What waits is sent by a live board, once the policy has decided.
        guard state.withLock({ $0.feed?.source.isLive }) == true,
          positions.withLock({ $0.isPermitted })
        else {
          wakener.wait(atMost: Self.pause)
          continue
        }
        try link.connect()
        guard let next = positions.withLock({ $0.store.next() }) else {
          try link.wait(atMost: Self.pause)
          continue
        }
        try link.deliver(next.payload, isNewest: next.isNewest)
        context.outputs.add(application, isSent: true)
        delay.reset()
        accepted(next)
      } catch {
        guard !isOver.withLock({ $0 }) else { break }
        context.outputs.add(application, isSent: false)
        wait(max(delay.next(), error.pause), because: error.reason)
      }
    }
    link.end()
  }

  private func accepted(_ next: PositionStore.Next) {
    let (isBack, waiting, dropped) = positions.withLock { positions in
      positions.store.remove(next.number)
      defer { (positions.isAway, positions.dropped) = (false, 0) }
      return (positions.isAway, positions.store.count, positions.dropped)
    }
    if isBack {
      context.log.notice("\(application): \(server.place) accepts; \(waiting) positions follow")
    }
    if dropped > 0 {
      context.log.warning(
        "\(application): the oldest \(dropped) positions are lost: \(PositionStore.mostPositions) wait at most"
      )
    }
  }

  private func wait(_ seconds: Double, because reason: String) {
    let isFirst = positions.withLock { positions in
      defer { positions.isAway = true }
      positions.store.write()
      return !positions.isAway
    }
    let text = "\(application): \(server.place): \(reason)"
    if isFirst {
      context.log.warning(text + "; positions wait")
    } else {
      state.withLock { $0.notes.add(text) }
    }
    // Positions that are added meanwhile wake this thread.
    let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
    while !isOver.withLock({ $0 }) {
      let left = deadline.seconds(since: MonotonicClock.now)
      guard left > 0 else { return }
      wakener.wait(atMost: left)
    }
  }
}
