public import CalibrationStore
import Foundation
public import Monitoring
public import Quantities

/// Monitoring of one application with its journal: takes fixes, sightings and commands from any thread, and
/// tells events in order on a queue of its own, once they are kept.
///
/// **Kept before told.** Whatever makes an event, a command, an acknowledgement or a state that came to be
/// known is on the medium before the event is handed over. What a fix changes besides (how long a dwell has
/// lasted, where a stay's middle is) is kept every `writeSeconds` at most, and every `decidingWriteSeconds`
/// while something is being decided: a kill costs up to so many seconds of a stay or of a dwell, so that an
/// event comes so much later, and no event.
///
/// **Told again.** An event that was handed over and not acknowledged is handed over again after a kill, with
/// the same number. A receiver that outlives the desk, as a client of the daemon does, passes over numbers
/// that it knows.
///
/// **Where nothing can be kept** (no journal, a full card) events are told all the same and `onFault` hears
/// why, once until it works again.
public final class MonitoringDesk: MonitoringHost, @unchecked Sendable {
  /// What a desk is made with.
  public struct Options: Sendable {
    /// The tuning.
    public var configuration = MonitoringConfiguration()
    /// What a fix alone changes is written no more often, seconds of the fixes' own time. Small: the memory
    /// card wears. Large: a kill costs more of a stay.
    public var writeSeconds = 120.0
    /// The same while a crossing or a departure is being decided. Large: a kill costs more of a dwell, and with
    /// it a region that one is in for no longer than that.
    public var decidingWriteSeconds = 5.0
    /// The time of commands.
    public var clock: @Sendable () -> UTCTime = {
      UTCTime(secondsSince1970: Date().timeIntervalSince1970)
        ?? UTCTime(nanosecondsSince1970: 0)
    }

    /// Makes the defaults.
    public init() {}
  }

  /// The files of the journal that were not used when the desk was opened; an older state was, or none.
  public let refusals: [JournalRefusal]

  private let lock = NSLock()
  private let queue = DispatchQueue(label: "lodestar.monitoring")
  private let journal: MonitoringJournal?
  private let options: Options

  // Under the lock.
  private var monitor: ApplicationMonitor
  private var keptRevision: UInt64
  private var keptTime: UTCTime?
  private var receiver: (@Sendable (MonitoringEvent) -> Void)?
  private var handedOver: Set<UInt64> = []
  private var openMonitors: Set<String> = []
  private var toldDemand = FixDemand.none
  private var isWorkQueued = false
  private var demandReceiver: (@Sendable (FixDemand) -> Void)?
  private var faultReceiver: (@Sendable (FileFault) -> Void)?
  private var lastFault: FileFault?

  /// Opens a desk over a journal and goes on with what it holds.
  /// - Parameters:
  ///   - journal: Where monitoring is kept; nil to keep nothing.
  ///   - options: Tuning and clock.
  /// - Throws: Where the journal cannot be read.
  public init(
    journal: MonitoringJournal?, options: Options = Options()
  ) throws(JournalError) {
    (self.journal, self.options) = (journal, options)
    var kept = try journal?.load()
    kept?.configuration = options.configuration
    monitor = kept ?? ApplicationMonitor(configuration: options.configuration)
    keptRevision = monitor.revision
    refusals = journal?.refusals ?? []
  }

  // MARK: MonitoringHost

  /// What is asked for now.
  public func registrations() -> MonitoringRegistrations {
    lock.withLock { monitor.registrations }
  }

  /// Does what the application asks.
  public func perform(_ command: MonitoringCommand) {
    let time = options.clock()
    change { desk in
      switch command {
      case .openMonitor(let name):
        // Whoever opens it hears what waits.
        desk.openMonitors.insert(name)
      case .closeMonitor(let name):
        desk.openMonitors.remove(name)
        desk.forgetHandedOver(of: name)
      default: break
      }
      desk.monitor.perform(command, at: time)
    }
  }

  /// Hands every event that was not acknowledged to `body`, in order, then each new one.
  ///
  /// A condition's events wait until its monitor is opened, and again from when it is closed. After a change
  /// of the receiver one call of the one before may still be under way.
  public func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    change { desk in
      desk.receiver = body
      desk.handedOver = []
      if body == nil { desk.openMonitors = [] }
    }
  }

  // MARK: Inputs

  /// Takes a fix.
  public func process(_ fix: PlaceFix) { change { $0.monitor.process(fix) } }

  /// Takes what a scanner says of the beacons of a pattern.
  /// - Parameters:
  ///   - report: What it says.
  ///   - time: When.
  public func process(_ report: BeaconReport, at time: UTCTime) {
    change { $0.monitor.process(report, at: time) }
  }

  /// Takes what a scanner says of the beacons of a pattern, where it does not say which was heard.
  /// - Parameters:
  ///   - pattern: The pattern that was listened for.
  ///   - isPresent: False where none of them is heard any more.
  ///   - time: When.
  public func process(_ pattern: BeaconPattern, isPresent: Bool, at time: UTCTime) {
    process(BeaconReport(pattern: pattern, isPresent: isPresent), at: time)
  }

  /// Lets time pass; to be called at `nextDeadline`, or every second.
  public func advance(to time: UTCTime) { change { $0.monitor.advance(to: time) } }

  /// When `advance` decides something next; nil where it will not.
  public var nextDeadline: UTCTime? { lock.withLock { monitor.nextDeadline } }

  /// How often a fix is needed now.
  public var demand: FixDemand { lock.withLock { monitor.demand } }

  /// The beacons to listen for.
  public var beaconPatterns: Set<BeaconPattern> { lock.withLock { monitor.beaconPatterns } }

  /// The newest fix that was taken, also before the desk was opened: what is told first after a start.
  public var lastFix: PlaceFix? { lock.withLock { monitor.lastFix } }

  /// Events that were given up because nobody took them.
  public var droppedEvents: Int { lock.withLock { monitor.droppedEvents } }

  /// The events that wait, oldest first.
  public var pending: [MonitoringEvent] { lock.withLock { monitor.pending } }

  /// Why the last write was not kept; nil where it was, and where nothing was to be.
  public var fault: FileFault? { lock.withLock { lastFault } }

  /// Goes on with another tuning from now on: what was decided stays decided.
  public func use(_ configuration: MonitoringConfiguration) {
    change { $0.monitor.configuration = configuration }
  }

  /// Hears what `demand` is, at once and on each change, on the desk's queue.
  public func onDemandChange(_ body: (@Sendable (FixDemand) -> Void)?) {
    lock.withLock { demandReceiver = body }
    queue.async { [self] in
      let demand = lock.withLock {
        toldDemand = monitor.demand
        return toldDemand
      }
      body?(demand)
    }
  }

  /// Hears why nothing can be kept, on the desk's queue.
  public func onFault(_ body: (@Sendable (FileFault) -> Void)?) {
    lock.withLock { faultReceiver = body }
  }

  /// Waits until what was put in is kept and handed over. Not from within a receiver.
  public func settle() { queue.sync { work() } }

  /// Keeps everything now, as before an orderly end. Not from within a receiver.
  public func close() {
    lock.withLock { keptTime = nil }
    queue.sync { work(keepingAll: true) }
  }

  // MARK: Work

  private func change(_ body: (MonitoringDesk) -> Void) {
    let mustQueue = lock.withLock {
      body(self)
      defer { isWorkQueued = true }
      return !isWorkQueued
    }
    if mustQueue { queue.async { [self] in work() } }
  }

  private func forgetHandedOver(of name: String) {
    for event in monitor.pending {
      if case .condition(let told) = event.kind, told.monitor == name {
        handedOver.remove(event.sequence)
      }
    }
  }

  private func work(keepingAll: Bool = false) {
    lock.withLock { isWorkQueued = false }
    // What a receiver puts in while it is told is queued as work again.
    while true {
      keep(all: keepingAll)
      guard let (event, body) = nextToTell() else { break }
      body(event)
    }
    let change: (FixDemand, (@Sendable (FixDemand) -> Void)?)? = lock.withLock {
      let demand = monitor.demand
      guard demand != toldDemand else { return nil }
      toldDemand = demand
      return (demand, demandReceiver)
    }
    if let change { change.1?(change.0) }
  }

  private func nextToTell() -> (MonitoringEvent, @Sendable (MonitoringEvent) -> Void)? {
    lock.withLock {
      guard let receiver else { return nil }
      let next = monitor.pending.first {
        // What was made since it was kept waits for its turn.
        guard !handedOver.contains($0.sequence) else { return false }
        if case .condition(let told) = $0.kind { return openMonitors.contains(told.monitor) }
        return true
      }
      guard let next else { return nil }
      // What is not kept yet is kept first, unless it cannot be.
      if journal != nil, lastFault == nil, keptRevision != monitor.revision { return nil }
      handedOver = handedOver.filter { sequence in
        monitor.pending.contains { $0.sequence == sequence }
      }
      handedOver.insert(next.sequence)
      return (next, receiver)
    }
  }

  private func keep(all: Bool) {
    guard let journal else { return }
    let snapshot: ApplicationMonitor? = lock.withLock {
      let time = monitor.lastFix?.time
      let least = monitor.isDeciding ? options.decidingWriteSeconds : options.writeSeconds
      var isOld = time != nil
      if let time, let keptTime { isOld = abs(time.seconds(since: keptTime)) >= least }
      guard all || monitor.revision != keptRevision || isOld else { return nil }
      return monitor
    }
    guard let snapshot else { return }
    do throws(FileFault) {
      try journal.save(snapshot)
      lock.withLock {
        (keptRevision, keptTime, lastFault) = (snapshot.revision, snapshot.lastFix?.time, nil)
      }
    } catch {
      let body = lock.withLock {
        defer { lastFault = error }
        return lastFault == error ? nil : faultReceiver
      }
      body?(error)
    }
  }
}
