import Board
import Dispatch
import Formats
import HostProtocol
import LinuxIO
import LocationHost
import Quantities

/// The time of an attached receiver and its pulses for chronyd (driver SOCK) and ntpd (driver 28,
/// shared memory). Only confirmed times are sent, never those of a simulation, a recording or a
/// receiver that is not attached to this machine.
final class TimeOutput: Server {
  /// Limit of the samples that wait for the queue; beyond it they are dropped.
  private static let mostSamples = 16
  /// Least interval of two times, seconds: a receiver may report twenty times a second.
  private static let interval = 0.95
  /// NTP's precision of a receiver's time, by the delay of its line: half a second, as gpsd states
  /// it.
  private static let timePrecision = -1
  /// That of a pulse: a microsecond, as gpsd states it.
  private static let pulsePrecision = -20

  private struct State {
    var confirmation: TimeConfirmation
    var source: SourceDescription?
    var isAttached = false
    var lastTime = Timestamp(nanoseconds: 0)
    var feed: HostFeed?
    var waiting = 0
    var isOver = false
    /// Whether the last datagram of each key was accepted; absent before the first.
    var isAccepted: [String: Bool] = [:]
  }

  private let settings: TimeSettings
  private let context: ServerContext
  private let sockets: (time: DatagramSocket?, pulse: DatagramSocket?)
  private let shared: (time: SharedClock?, pulse: SharedClock?)
  private let state: Locked<State>
  private let queue = DispatchQueue(label: "lodestar-time")

  /// Opens the outputs; nil without any.
  init?(_ settings: TimeSettings, _ context: ServerContext) throws(ServerFault) {
    guard !settings.keysInUse.isEmpty else { return nil }
    (self.settings, self.context) = (settings, context)
    state = Locked(State(confirmation: TimeConfirmation(unresolvedWait: settings.unresolvedWait)))
    sockets = (
      try Self.socket(settings.chrony, "time-chrony"),
      try Self.socket(settings.chronyPulse, "time-chrony-pps")
    )
    guard let unit = settings.ntpUnit else {
      shared = (nil, nil)
      return
    }
    do throws(FileFault) {
      shared = (try SharedClock(unit: unit), try SharedClock(unit: unit + 1))
    } catch {
      throw ServerFault(
        description:
          "time-ntp-unit: cannot \(error.action) \(error.path): \(error.reason); units 0 and 1 "
          + "are root's: choose one from 2 on that no other program uses (ipcs -m)")
    }
  }

  private static func socket(
    _ path: String?, _ key: String
  ) throws(ServerFault) -> DatagramSocket? {
    do throws(NetworkError) {
      return try path.map { path throws(NetworkError) in try DatagramSocket(path: path) }
    } catch {
      throw ServerFault(description: "\(key): \(error)")
    }
  }

  func start() {
    let feed = HostFeed("time", context) { [weak self] in self?.receive($0) }
    state.withLock { $0.feed = feed }
    receive(feed.source)
    feed.request(.receiver)
  }

  func stop() {
    let feed = state.withLock { state in
      state.isOver = true
      return state.feed
    }
    feed?.stop()
  }

  // MARK: Updates of the host

  private func receive(_ update: HostUpdate) {
    switch update {
    case .source(let source): receive(source)
    case .receiver(.time(let time)): receive(time)
    case .receiver(.pulse(let report)): receive(report)
    default: break
    }
  }

  /// A receiver's time is used only from a device of this machine: that of another daemon or of a
  /// network comes with an unknown delay.
  private func receive(_ source: SourceDescription) {
    var place: String?
    if case .receiver(let port) = source.position { place = port }
    let isReal = source.isOpen && source.isLive && !source.isSimulated
    let isAttached = isReal && place?.hasPrefix("/") == true
    let isNew = state.withLock { state in
      // A source that is described again has not changed: its confirmation goes on.
      guard state.source != source else { return false }
      state.source = source
      state.isAttached = isAttached
      state.confirmation = TimeConfirmation(unresolvedWait: settings.unresolvedWait)
      return true
    }
    guard isNew, source.isOpen, !isAttached, let key = settings.keysInUse.first else { return }
    let reason =
      !isReal ? "the source has no real time" : place.map { "\($0) is not attached here" }
    context.log.warning(
      "\(key): no time is sent: \(reason ?? "no receiver"); attach a receiver, or remove \(key)")
  }

  private func receive(_ time: ReceiverTime) {
    let isDue = state.withLock { state in
      guard state.isAttached, state.confirmation.add(time),
        abs(time.arrival.seconds(since: state.lastTime)) >= Self.interval
      else { return false }
      state.lastTime = time.arrival
      return true
    }
    guard isDue else { return }
    post { output in
      output.send(
        time.utc, time.systemUTC, to: output.sockets.time, key: "time-chrony",
        path: output.settings.chrony)
      output.shared.time?.store(
        reference: time.utc, system: time.systemUTC, precision: Self.timePrecision)
    }
  }

  private func receive(_ report: PulseReport) {
    guard report.isPaired, let second = report.pulse.second, let system = report.pulse.systemUTC
    else { return }
    let isConfirmed = state.withLock { state in
      state.isAttached && state.confirmation.isConfirmed(at: report.pulse.instant)
    }
    guard isConfirmed else { return }
    // The pulse came so much before its second.
    let early = Double(report.pulse.quantisationErrorPicoseconds ?? 0) * 1e-12
    let utc = second.advanced(bySeconds: -early)
    post { output in
      output.send(
        utc, system, to: output.sockets.pulse, key: "time-chrony-pps",
        path: output.settings.chronyPulse)
      output.shared.pulse?.store(reference: utc, system: system, precision: Self.pulsePrecision)
    }
  }

  // MARK: On the queue

  private func post(_ body: @escaping @Sendable (TimeOutput) -> Void) {
    let isAccepted = state.withLock { state in
      guard !state.isOver, state.waiting < Self.mostSamples else { return false }
      state.waiting += 1
      return true
    }
    guard isAccepted else { return }
    queue.async { [weak self] in
      guard let self else { return }
      let isOver = state.withLock { state in
        state.waiting -= 1
        return state.isOver
      }
      if !isOver { body(self) }
    }
  }

  /// Sends a datagram. The first one that is accepted and the first one that is not are logged.
  private func send(
    _ reference: UTCTime, _ system: UTCTime, to socket: DatagramSocket?, key: String, path: String?
  ) {
    guard let socket, let path else { return }
    var fault: NetworkError?
    do throws(NetworkError) {
      try socket.send(ChronySample.bytes(reference: reference, system: system)[...])
    } catch {
      fault = error
    }
    let isNew = state.withLock { state in
      defer { state.isAccepted[key] = fault == nil }
      return state.isAccepted[key] != (fault == nil)
    }
    guard isNew else { return }
    guard let fault else {
      context.log.notice("\(key): chronyd receives samples at \(path)")
      return
    }
    let remedy =
      fault.kind == .notPermitted
      ? "permit the daemon's user to write to it"
      : "start chronyd with 'refclock SOCK \(path)'"
    context.log.warning("\(key): \(fault.peer): \(fault.systemReason); \(remedy); sending goes on")
  }
}
