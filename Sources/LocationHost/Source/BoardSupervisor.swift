import Board
import Formats
import HostProtocol
import LinuxIO
import Monitoring
import Observers
import Pipeline
import Quantities
import Synchronization

/// A source that is always open. It retries without a sensor, reopens a board that was
/// disconnected, and watches the engine's progress. It has its own thread, because a search for
/// chips takes seconds.
package final class BoardSupervisor: HostSource {
  /// Seconds between attempts to open a source.
  static let retry = 5.0
  /// Seconds without any chip and receiver after which a board is searched for again; each search
  /// doubles them. An open board opens its buses and ports itself when they return.
  static let (firstSearch, longestSearch) = (300.0, 3600.0)
  /// Seconds in service after which `firstSearch` is used again.
  static let steadyTime = 60.0
  /// Seconds that opening may take, with a slow bus and the set-up of a receiver.
  static let longestOpening = 120.0
  /// Seconds that `stop` waits for a source that is being opened, which has nothing to store (a
  /// pipe without a writer never opens), and for an open source.
  private static let (openingEnd, longestEnd) = (0.5, 8.0)
  /// The least interval of reports in which only a figure has changed, seconds.
  private static let figureInterval = 10.0

  private let opening: SourceOpening
  private let events: SourceEvents
  private let log: HostLog
  /// Seconds without a sample after which the engine counts as hanging. The slowest chip gives one
  /// sample a second.
  private let silenceLimit: Double
  private let state = Mutex(State())
  /// Separate from the state, whose changes would wake the thread.
  private let phase = Waitable(Phase.running)
  /// Held while the receiver's demand is set.
  private let setting = Mutex(())

  private struct State {
    var opened: OpenedSource?
    var source = SourceDescription()
    var openingSince: Timestamp?
    /// The time of the engine's last input.
    var lastProgress = MonotonicClock.now
    var demand = FixDemand.none
    var wantsReceiver = false
    var activity = Activity.other
    var receiver: Observation?
    /// When the source's state was last reported.
    var figuresReported = MonotonicClock.now
  }

  /// The time until the next search; used on the thread only.
  private let search = Locked(
    RetryDelay(first: BoardSupervisor.firstSearch, longest: BoardSupervisor.longestSearch))

  private enum Phase { case running, stopping, ended }

  package init(
    _ opening: SourceOpening, events: SourceEvents, log: HostLog, silenceLimit: Double = 10
  ) {
    self.opening = opening
    self.silenceLimit = silenceLimit
    self.events = events
    self.log = log
    state.withLock { state in
      state.source.isLive = opening.isLive
      state.source.fault = "the search for sensors is in progress"
    }
  }

  /// The current source.
  package var source: SourceDescription { state.withLock { $0.source } }

  /// The calibrator of the open source.
  package var calibrator: (any FieldCalibrator)? { opened?.publisher.calibrator }

  /// The newest estimate; nil before the first.
  package var latest: Estimate? { opened?.publisher.latest }

  /// The devices of the open board.
  package var boardStatus: BoardStatus? { opened?.driverStatus() }

  private var opened: OpenedSource? { state.withLock { $0.opened } }

  /// The current source; it is always open or being opened.
  package func describeSensors() -> SourceDescription { source }

  /// Sets the receiver's demand; samples are always delivered.
  package func set(
    _ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool, wantsReceiver: Bool,
    activity: Activity
  ) {
    let isNew = state.withLock { state in
      defer { (state.wantsReceiver, state.activity) = (wantsReceiver, activity) }
      return state.wantsReceiver != wantsReceiver || state.activity != activity
    }
    if isNew { updateReceiver() }
    setReceiverDemand(demand)
  }

  package func start() {
    WorkerThread.start("lodestar-board") { [self] in run() }
  }

  /// Closes the source; its calibration is stored when this returns.
  package func stop() {
    phase.withLock { if $0 == .running { $0 = .stopping } }
    func wait(_ seconds: Double) -> Bool {
      phase.wait(atMost: seconds) { $0 == .ended ? true : nil } ?? false
    }
    guard !wait(Self.openingEnd), state.withLock({ $0.openingSince == nil }) else { return }
    _ = wait(Self.longestEnd)
  }

  /// Sets the combined demand for fixes.
  package func setReceiverDemand(_ new: FixDemand) {
    let isNew = state.withLock { state in
      defer { state.demand = new }
      return state.demand != new
    }
    if isNew { updateReceiver() }
  }

  /// Sends the current demand to the receiver. Calls are serialized, so that the newest demand is
  /// sent last.
  private func updateReceiver() {
    setting.withLock { _ in
      let (source, demand, activity, wantsOutput, receiver) = state.withLock {
        ($0.opened, $0.demand, $0.activity, $0.wantsReceiver, $0.receiver)
      }
      source?.setReceiverDemand(demand)
      source?.setActivity(activity)
      guard wantsOutput && source != nil else {
        receiver?.cancel()
        state.withLock { $0.receiver = nil }
        return
      }
      guard receiver == nil else { return }
      let new = source?.publisher.observeReceiver { [events] in events.receiver($0) }
      state.withLock { $0.receiver = new }
    }
  }

  /// Whether the engine works: it processes samples, or waits for a sensor.
  package var isAlive: Bool {
    let (opened, since, last) = state.withLock { ($0.opened, $0.openingSince, $0.lastProgress) }
    if let since { return MonotonicClock.now.seconds(since: since) < Self.longestOpening }
    // A recording may have long gaps.
    guard let opened, !opening.isPlayed, !opened.isQuiet else { return true }
    if MonotonicClock.now.seconds(since: last) < silenceLimit { return true }
    // The engine processes no samples, or a working chip gives none: something hangs.
    guard let status = opened.boardStatus() else { return !opening.isLive && opened.end() != nil }
    return status.chips.allSatisfy { $0.fault != nil }
  }

  /// The state in one line, for log messages.
  package var status: String {
    let (source, opened) = state.withLock { ($0.source, $0.opened) }
    guard source.isOpen else { return source.fault ?? "no source" }
    var words = source.isSimulated ? ["SIMULATED"] : opening.isPlayed ? ["a recording"] : []
    guard let board = opened?.boardStatus() else {
      words += [
        source.hasMagnetometer
          ? "magnetometer" : source.hasCompass == true ? "another compass" : "no magnetometer",
        source.hasReceiver ? "receiver" : "no receiver",
      ]
      return words.joined(separator: ", ")
    }
    return
      (words
      + board.words(hasReceiver: source.hasReceiver, hasCompass: source.hasCompass == true))
      .joined(separator: ", ")
  }

  // MARK: On the thread

  private func run() {
    defer {
      opening.discard()
      phase.withLock { $0 = .ended }
    }
    while !isStopped {
      state.withLock { $0.openingSince = MonotonicClock.now }
      let result = open()
      state.withLock { $0.openingSince = nil }
      switch result {
      case .success(let source):
        guard !isStopped else { return source.stop() }
        follow(source)
      case .failure(let error):
        report(
          fault: "\(error)",
          isNew: { self.log.warning("\($0); retrying every \(Int(bounded: Self.retry)) s") })
        pause(Self.retry)
      }
    }
  }

  private var isStopped: Bool { phase.read { $0 != .running } }

  private func open() -> Result<OpenedSource, SourceError> {
    do throws(SourceError) {
      return .success(try opening.open())
    } catch {
      return .failure(error)
    }
  }

  private func follow(_ source: OpenedSource) {
    let publisher = source.publisher
    source.onNotice { [log, events] text in
      log.notice(text)
      events.notice(text)
    }
    source.onProgress { [weak self] in self?.advance() }
    let estimates = publisher.observe { [events] in events.estimate($0) }
    let rows = publisher.observeRows { [events] in events.row($0) }
    let calibration = publisher.calibrator?.observe { [events] in events.calibration() }
    state.withLock { state in
      state.opened = source
      state.lastProgress = MonotonicClock.now
      state.source = SourceDescription(publisher, isLive: opening.isLive)
    }
    source.start()
    updateReceiver()
    log.notice("open: \(status)")
    events.source(self.source)
    events.calibration()
    let fault = waitForEnd(of: source)
    if opening.isPlayed, let fault {
      report(fault: fault) { self.log.warning($0) }
      // A recording is played once. Its source stays open, so that the estimates report the end.
      pause(.infinity)
    }
    estimates.cancel()
    rows.cancel()
    calibration?.cancel()
    source.stop()
    state.withLock { $0.opened = nil }
    updateReceiver()
    if let fault, !opening.isPlayed { report(fault: fault) { self.log.warning($0) } }
  }

  /// Waits for the end of the source.
  /// - Returns: The reason; nil if the supervisor is stopped.
  private func waitForEnd(of source: OpenedSource) -> String? {
    var lostSince: Timestamp?
    var changed = MonotonicClock.now
    let limit = search.withLock { $0.next() }
    while !isStopped {
      pause(0.5)
      if let end = source.end() { return end }
      guard let status = source.boardStatus() else { continue }
      report(status)
      let hasReceiver = source.publisher.hasReceiver
      let isLost =
        status.chips.allSatisfy { $0.fault != nil }
        && (!hasReceiver || status.receivers.allSatisfy { $0.fault != nil })
        && status.compasses.allSatisfy { $0.fault != nil }
      let now = MonotonicClock.now
      if isLost != (lostSince != nil) { changed = now }
      lostSince = isLost ? lostSince ?? now : nil
      if !isLost, now.seconds(since: changed) >= Self.steadyTime { search.withLock { $0.reset() } }
      if let lostSince, now.seconds(since: lostSince) >= limit {
        return "the board is disconnected: no chip and no receiver responds; searching for it again"
      }
    }
    return nil
  }

  private func report(_ status: BoardStatus) {
    let troubles = status.troubles.isEmpty ? nil : status.troubles
    let condition = status.receiverCondition
    let receivers = SourceDescription.receivers(status)
    let now = MonotonicClock.now
    let source: SourceDescription? = state.withLock { state in
      let hasChanged =
        state.source.troubles != troubles || state.source.receivers != receivers
        || state.source.receiver?.withoutFigures != condition?.withoutFigures
      let isDue =
        state.source.receiver != condition
        && now.seconds(since: state.figuresReported) >= Self.figureInterval
      guard hasChanged || isDue else { return nil }
      state.figuresReported = now
      (state.source.troubles, state.source.receiver) = (troubles, condition)
      state.source.receivers = receivers
      return state.source
    }
    if let source { events.source(source) }
  }

  private func report(fault: String, isNew: (String) -> Void) {
    let source = SourceDescription(isLive: opening.isLive, fault: fault)
    let hasChanged = state.withLock { state in
      defer { state.source = source }
      return state.source != source
    }
    guard hasChanged else { return }
    isNew(fault)
    events.source(source)
  }

  private func advance() { state.withLock { $0.lastProgress = MonotonicClock.now } }

  /// Waits for `seconds`, or until the supervisor is stopped.
  private func pause(_ seconds: Double) {
    phase.wait(atMost: seconds) { $0 == .running ? nil : () }
  }
}
