import Engine
import Formats
import Foundation
import HostProtocol
import Monitoring
import Quantities

/// Keeps the source open: tries again while there is no sensor, opens a board again that has vanished, and knows
/// whether the engine makes progress. It has a thread of its own, since looking for chips takes seconds.
package final class BoardSupervisor: HostSource, @unchecked Sendable {
  // Unchecked: what changes is read and written under `condition`.

  /// Seconds until a source that could not be opened is tried again.
  static let retry = 5.0
  /// Seconds without any chip and receiver after which a board is opened again.
  static let vanishing = 10.0
  /// Seconds that opening may take: a slow bus, a receiver that is told its settings.
  static let longestOpening = 120.0

  private let opening: SourceOpening
  private let events: SourceEvents
  private let log: HostLog
  /// The slowest chip gives a sample a second.
  private let silenceLimit: Double
  private let condition = NSLock()
  /// Signalled once the supervisor has been stopped.
  private let stopping = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  /// Held while the receiver's demand is set.
  private let setting = NSLock()
  private var opened: OpenedSource?
  private var current = SourceDescription()
  private var isStopped = false
  private var openingSince: UInt64?
  private var progress = Progress()
  private var demand = FixDemand.none

  /// Makes a supervisor; `silenceLimit` is the seconds without a sample after which a board in service hangs.
  package init(
    _ opening: SourceOpening, events: SourceEvents, log: HostLog, silenceLimit: Double = 10
  ) {
    self.opening = opening
    self.silenceLimit = silenceLimit
    self.events = events
    self.log = log
    current.isLive = opening.isLive
    current.fault = "the sensors are being looked for"
  }

  /// What stands behind the estimates now.
  package var source: SourceDescription { locked { current } }

  /// The calibrator of what is open.
  package var calibrator: (any FieldCalibrator)? { locked { opened }?.publisher.calibrator }

  /// The newest estimate; nil before the first.
  package var latest: Estimate? { locked { opened }?.publisher.latest }

  /// The source is looked for all the time: what is known of it.
  package func look() -> SourceDescription { source }

  /// Sets how often the receiver has to report a fix; samples always come.
  package func set(_ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool) {
    setReceiverDemand(demand)
  }

  package func start() {
    let thread = Thread { [self] in run() }
    thread.name = "lodestar-board"
    thread.start()
  }

  /// Ends the source; what was found of a calibration is stored when it returns.
  package func stop() {
    locked { isStopped = true }
    stopping.signal()
    _ = ended.wait(timeout: .now() + 8)
  }

  /// How often all clients together need a fix: the one place where the receiver's demand is set.
  package func setReceiverDemand(_ new: FixDemand) {
    let isNew = locked {
      defer { demand = new }
      return demand != new
    }
    if isNew { updateReceiver() }
  }

  /// Sets the demand of now; one call after another, so that the newest is set last.
  private func updateReceiver() {
    setting.withLock {
      let (source, demand) = locked { (opened, self.demand) }
      source?.setReceiverDemand(demand)
    }
  }

  /// Whether the engine works: it takes samples in, or honestly waits for a sensor.
  package var isAlive: Bool {
    let (opened, since, seconds) = locked { (self.opened, openingSince, progress.secondsStill) }
    if let since {
      return Double(DispatchTime.now().uptimeNanoseconds - since) * 1e-9 < Self.longestOpening
    }
    // A recording may be silent for long.
    guard let opened, !opening.isPlayed, !opened.isQuiet else { return true }
    if seconds < silenceLimit { return true }
    // Samples that nobody takes in, or a chip in service that gives none: something hangs.
    guard let status = opened.boardStatus() else { return !opening.isLive && opened.end() != nil }
    return status.chips.allSatisfy { $0.fault != nil }
  }

  /// One line for people.
  package var status: String {
    let (source, opened) = locked { (current, self.opened) }
    guard source.isOpen else { return source.fault ?? "no source" }
    var words = source.isSimulated ? ["SIMULATED"] : opening.isPlayed ? ["a recording"] : []
    words += [
      source.hasMagnetometer ? "magnetometer" : "no magnetometer",
      source.hasReceiver ? "receiver" : "no receiver",
    ]
    let lost = opened?.boardStatus()?.chips.filter { $0.fault != nil }.map { "\($0.name) lost" }
    return (words + (lost ?? [])).joined(separator: ", ")
  }

  // MARK: On the thread

  private func run() {
    while !locked({ isStopped }) {
      locked { openingSince = DispatchTime.now().uptimeNanoseconds }
      let result = open()
      locked { openingSince = nil }
      switch result {
      case .success(let source):
        follow(source)
        if opening.isPlayed { return rest() }
      case .failure(let error):
        report(
          fault: "\(error)",
          isNew: { self.log.warning("\($0); tried again every \(Int(Self.retry)) s") })
        pause(Self.retry)
      }
    }
    ended.signal()
  }

  /// Nothing is left to be opened.
  private func rest() {
    while !locked({ isStopped }) { pause(3600) }
    ended.signal()
  }

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
    locked {
      opened = source
      progress = Progress()
      current = SourceDescription(publisher, isLive: opening.isLive)
    }
    source.start()
    updateReceiver()
    log.notice("open: \(status)")
    events.source(self.source)
    events.calibration()
    let fault = waitForEnd(of: source)
    estimates.cancel()
    rows.cancel()
    calibration?.cancel()
    source.stop()
    locked { opened = nil }
    if let fault { report(fault: fault) { self.log.warning($0) } }
  }

  /// Waits until the source gives nothing more.
  /// - Returns: Why; nil where the daemon ends.
  private func waitForEnd(of source: OpenedSource) -> String? {
    var lostSince: UInt64?
    while !locked({ isStopped }) {
      pause(0.5)
      if let end = source.end() { return end }
      guard let status = source.boardStatus() else { continue }
      let hasReceiver = source.publisher.hasReceiver
      let isLost =
        status.chips.allSatisfy { $0.fault != nil }
        && (!hasReceiver || status.receiverFault != nil)
      let now = DispatchTime.now().uptimeNanoseconds
      lostSince = isLost ? lostSince ?? now : nil
      if let lostSince, Double(now - lostSince) * 1e-9 >= Self.vanishing {
        return "the board is gone: every chip and receiver is lost; it is looked for again"
      }
    }
    return nil
  }

  private func report(fault: String, isNew: (String) -> Void) {
    let (source, hasChanged) = locked {
      let before = current
      current = SourceDescription(isLive: opening.isLive, fault: fault)
      return (current, before != current)
    }
    guard hasChanged else { return }
    isNew(fault)
    events.source(source)
  }

  private func advance() { locked { progress.advance() } }

  private func pause(_ seconds: Double) {
    // The signal is given back for the next pause.
    if stopping.wait(timeout: .now() + seconds) == .success { stopping.signal() }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}

/// When the engine took something in.
private struct Progress {
  private var last = DispatchTime.now().uptimeNanoseconds

  mutating func advance() { last = DispatchTime.now().uptimeNanoseconds }

  var secondsStill: Double { Double(DispatchTime.now().uptimeNanoseconds - last) * 1e-9 }
}
