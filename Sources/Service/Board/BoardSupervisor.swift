import Engine
import Foundation
import Monitoring
import Quantities
import Recording
import ServiceProtocol

/// Keeps the source open: tries again while there is no sensor, opens a board again that has vanished, and knows
/// whether the engine makes progress. It has a thread of its own, since looking for chips takes seconds.
package final class BoardSupervisor: @unchecked Sendable {
  /// Seconds until a source that could not be opened is tried again.
  static let retry = 5.0
  /// Seconds without any chip and receiver after which a board is opened again.
  static let vanishing = 10.0
  /// Seconds that opening may take: a slow bus, a receiver that is told its settings.
  static let longestOpening = 120.0

  /// Hears of what the supervisor finds, on its thread.
  package struct Hearing: Sendable {
    var estimate: @Sendable (Estimate) -> Void
    var row: @Sendable (SensorRow) -> Void
    var source: @Sendable (ServedSource) -> Void
    var calibration: @Sendable () -> Void
    var notice: @Sendable (String) -> Void

    /// Makes one of its parts.
    package init(
      estimate: @escaping @Sendable (Estimate) -> Void,
      row: @escaping @Sendable (SensorRow) -> Void = { _ in },
      source: @escaping @Sendable (ServedSource) -> Void,
      calibration: @escaping @Sendable () -> Void, notice: @escaping @Sendable (String) -> Void
    ) {
      (self.estimate, self.row, self.source) = (estimate, row, source)
      (self.calibration, self.notice) = (calibration, notice)
    }
  }

  private let opening: SourceOpening
  private let hearing: Hearing
  private let log: ServiceLog
  /// The slowest chip gives a sample a second.
  private let patience: Double
  private let condition = NSCondition()
  /// Held while the receiver is told.
  private let telling = NSLock()
  private var opened: OpenedSource?
  private var current = ServedSource()
  private var isStopped = false
  private var hasEnded = false
  private var openingSince: UInt64?
  private var progress = Progress()
  private var demand = FixDemand.none

  /// Makes a supervisor; `patience` is the seconds without anything taken in after which a board in service hangs.
  package init(
    _ opening: SourceOpening, hearing: Hearing, log: ServiceLog, patience: Double = 10
  ) {
    self.opening = opening
    self.patience = patience
    self.hearing = hearing
    self.log = log
    current.isLive = opening.isLive
    current.fault = "the sensors are being looked for"
  }

  /// What stands behind the estimates now.
  package var source: ServedSource { locked { current } }

  /// The calibrator of what is open.
  var calibrator: (any FieldCalibrator)? { locked { opened }?.publisher.calibrator }

  package func start() {
    let thread = Thread { [self] in run() }
    thread.name = "lodestar-board"
    thread.start()
  }

  /// Ends the source; what was found of a calibration is kept when it returns.
  package func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    let end = Date(timeIntervalSinceNow: 8)
    while !hasEnded, condition.wait(until: end) {}
    condition.unlock()
  }

  /// How often a fix is needed by everybody together: the one place where the receiver is told.
  package func setReceiverDemand(_ new: FixDemand) {
    let isNew = locked {
      defer { demand = new }
      return demand != new
    }
    if isNew { tellReceiver() }
  }

  /// Tells it what is wanted now; one call after another, so that the newest is told last.
  private func tellReceiver() {
    telling.withLock {
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
    if seconds < patience { return true }
    // Samples that nobody takes in, or a chip in service that gives none: something hangs.
    guard let status = opened.boardStatus() else { return !opening.isLive && opened.end() != nil }
    return status.chips.allSatisfy { $0.fault != nil }
  }

  /// One line for people.
  var status: String {
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
        tell(
          fault: "\(error)",
          isNew: { self.log.warning("\($0); tried again every \(Int(Self.retry)) s") })
        pause(Self.retry)
      }
    }
    locked {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Nothing is left to be opened.
  private func rest() {
    while !locked({ isStopped }) { pause(3600) }
    locked {
      hasEnded = true
      condition.broadcast()
    }
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
    source.onNotice { [log, hearing] text in
      log.notice(text)
      hearing.notice(text)
    }
    source.onProgress { [weak self] in self?.advance() }
    let estimates = publisher.observe { [hearing] in hearing.estimate($0) }
    let rows = publisher.observeRows { [hearing] in hearing.row($0) }
    let calibration = publisher.calibrator?.observe { [hearing] in hearing.calibration() }
    locked {
      opened = source
      progress = Progress()
      current = ServedSource(
        isOpen: true, hasMagnetometer: publisher.hasMagnetometer,
        hasReceiver: publisher.hasReceiver, isSimulated: publisher.isSimulated,
        isLive: opening.isLive && !publisher.isSimulated,
        mounting: publisher.mounting.quaternion,
        position: publisher.positionSource.map { ServedSource.Position($0) })
    }
    source.start()
    tellReceiver()
    log.notice("open: \(status)")
    hearing.source(self.source)
    hearing.calibration()
    let fault = waitForEnd(of: source)
    estimates.cancel()
    rows.cancel()
    calibration?.cancel()
    source.stop()
    locked { opened = nil }
    if let fault { tell(fault: fault) { self.log.warning($0) } }
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

  private func tell(fault: String, isNew: (String) -> Void) {
    let (source, hasChanged) = locked {
      let before = current
      current = ServedSource(isLive: opening.isLive, fault: fault)
      return (current, before != current)
    }
    guard hasChanged else { return }
    isNew(fault)
    hearing.source(source)
  }

  private func advance() { locked { progress.advance() } }

  private func pause(_ seconds: Double) {
    condition.lock()
    if !isStopped { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    condition.unlock()
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

extension Rotation {
  /// w, x, y, z.
  fileprivate var quaternion: [Double] { [w, v.x, v.y, v.z] }
}

extension ServedSource.Position {
  fileprivate init(_ source: PositionSource) {
    switch source {
    case .receiver(let place): self = .receiver(place)
    case .recording(let path): self = .recording(path)
    case .simulation: self = .simulation
    }
  }
}
