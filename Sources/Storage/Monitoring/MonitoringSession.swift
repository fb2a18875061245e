import Dispatch
import FoundationEssentials
import Glibc
import LinuxIO
public import Monitoring
public import Quantities
import Synchronization

/// Monitoring of one application with its journal. It accepts fixes, beacon reports and commands
/// from any thread, and delivers events in order on its own queue, after they are stored.
///
/// **Stored before delivered.** Commands, acknowledgements, events and states that become known are
/// on the medium before an event is delivered. Other changes by a fix (the length of a dwell, the
/// middle of a stay) are stored every `writeSeconds` at most, and every `decidingWriteSeconds`
/// while a decision is in progress. A kill loses up to that many seconds of a stay or of a dwell:
/// an event comes later, but none is lost.
///
/// **Delivered again.** An event that was delivered and not acknowledged is delivered again after a
/// kill, with the same number. A receiver that outlives this process, such as a client of the
/// daemon, skips numbers that it has received before.
///
/// **Without storage** (no journal, a full card) events are delivered nevertheless, and `onFault`
/// reports each fault once until a write succeeds. A new state is attempted at once, the same one
/// again after `retrySeconds`.
public final class MonitoringSession: MonitoringHost {
  /// Tuning, write intervals and clock.
  public struct Options: Sendable {
    /// The tuning.
    public var configuration = MonitoringConfiguration()
    /// The least interval between writes for fixes alone, seconds of the fixes' own time. Small:
    /// the memory card wears. Large: a kill loses more of a stay.
    public var writeSeconds = 120.0
    /// `writeSeconds` while a crossing or a departure is in progress. Large: a kill loses more of
    /// a dwell, and so possibly a short passage through a region.
    public var decidingWriteSeconds = 5.0
    /// Returns the time of commands.
    public var clock: @Sendable () -> UTCTime = {
      UTCTime(secondsSince1970: Date().timeIntervalSince1970)
        ?? UTCTime(nanosecondsSince1970: 0)
    }

    /// Makes the defaults.
    public init() {}
  }

  /// The files of the journal that were not used at the start; an older state was used, or none.
  public let refusals: [JournalRefusal]

  private let queue = DispatchQueue(label: "lodestar-session")
  private let options: Options
  /// Opens the journal, where that was not possible at the start; nil for none.
  private let opening: (@Sendable () throws(JournalError) -> MonitoringJournal)?
  /// Time until an unchanged state is attempted again after a fault, seconds: a card wears, and may
  /// stay full.
  private static let retrySeconds = 30.0

  private let state: Mutex<State>

  private struct State {
    var journal: MonitoringJournal?
    var monitor: ApplicationMonitor
    /// The last attempt that failed: the state's revision and the instant.
    var failed: (revision: UInt64, at: Timestamp)?
    var storedRevision: UInt64
    var storedTime: UTCTime?
    /// The number of fixes and reports, at all and at the last write.
    var inputs: UInt64 = 0
    var storedInputs: UInt64 = 0
    var receiver: (@Sendable (MonitoringEvent) -> Void)?
    var delivered: Set<UInt64> = []
    var openMonitors: Set<String> = []
    var reportedDemand = FixDemand.none
    var isDeliveryQueued = false
    var demandReceiver: (@Sendable (FixDemand) -> Void)?
    var faultReceiver: (@Sendable (FileFault) -> Void)?
    var lastFault: FileFault?

    init(_ monitor: ApplicationMonitor, _ journal: MonitoringJournal?) {
      (self.monitor, self.journal) = (monitor, journal)
      storedRevision = monitor.revision
    }

    mutating func resetDelivered(of name: String) {
      for event in monitor.pending {
        if case .condition(let condition) = event.kind, condition.monitor == name {
          delivered.remove(event.sequence)
        }
      }
    }

    mutating func nextDelivery(
      isStoring: Bool
    ) -> (MonitoringEvent, @Sendable (MonitoringEvent) -> Void)? {
      guard let receiver else { return nil }
      let next = monitor.pending.first {
        guard !delivered.contains($0.sequence) else { return false }
        if case .condition(let event) = $0.kind { return openMonitors.contains(event.monitor) }
        return true
      }
      guard let next else { return nil }
      // An event is stored before it is delivered, unless storing fails.
      if isStoring, lastFault == nil, storedRevision != monitor.revision { return nil }
      delivered = delivered.filter { sequence in
        monitor.pending.contains { $0.sequence == sequence }
      }
      delivered.insert(next.sequence)
      return (next, receiver)
    }
  }

  /// Continues with the state of a journal.
  /// - Parameters:
  ///   - journal: The storage of the state; nil for none.
  ///   - options: Tuning and clock.
  /// - Throws: `file` where the journal cannot be read.
  public convenience init(
    journal: MonitoringJournal?, options: Options = Options()
  ) throws(JournalError) {
    self.init(journal, try journal?.load(), options, opening: nil)
  }

  /// Continues with the state of a journal that may not be available yet: then it begins without a
  /// state, and adds the stored one as soon as the journal can be opened.
  /// - Parameters:
  ///   - options: Tuning and clock.
  ///   - opening: Opens the journal.
  /// - Throws: `busy`; `file` where the journal exists and cannot be read.
  package convenience init(
    options: Options, opening: @escaping @Sendable () throws(JournalError) -> MonitoringJournal
  ) throws(JournalError) {
    let journal: MonitoringJournal
    do throws(JournalError) {
      journal = try opening()
    } catch {
      guard case .file(let fault) = error else { throw error }
      self.init(nil, nil, options, opening: opening, fault: fault)
      return
    }
    self.init(journal, try journal.load(), options, opening: nil)
  }

  private init(
    _ journal: MonitoringJournal?, _ stored: ApplicationMonitor?, _ options: Options,
    opening: (@Sendable () throws(JournalError) -> MonitoringJournal)?, fault: FileFault? = nil
  ) {
    (self.options, self.opening) = (options, opening)
    var stored = stored
    stored?.configuration = options.configuration
    var state = State(
      stored ?? ApplicationMonitor(configuration: options.configuration), journal)
    state.lastFault = fault
    self.state = Mutex(state)
    refusals = journal?.refusals ?? []
  }

  // MARK: MonitoringHost

  /// The present registrations.
  public func registrations() -> MonitoringRegistrations {
    state.withLock { $0.monitor.registrations }
  }

  /// Why a command exceeds the application's budget; nil where it does not.
  public func excess(of command: MonitoringCommand) -> MonitoringBudget.Excess? {
    state.withLock { $0.monitor.excess(of: command) }
  }

  /// The bytes of the stored state, as estimated.
  public var storedBytes: Int { state.withLock { $0.monitor.storedBytes } }

  /// Executes a command of the application.
  public func perform(_ command: MonitoringCommand) {
    let time = options.clock()
    change { state in
      switch command {
      case .openMonitor(let name):
        // Its pending events are delivered now.
        state.openMonitors.insert(name)
      case .closeMonitor(let name):
        state.openMonitors.remove(name)
        state.resetDelivered(of: name)
      default: break
      }
      state.monitor.perform(command, at: time)
    }
  }

  /// Calls `body` with every event that was not acknowledged, in order, then with each new one.
  ///
  /// A condition's events are delivered only while its monitor is open. After a change of `body`
  /// one call of the previous one may still be in progress.
  public func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    change { state in
      state.receiver = body
      state.delivered = []
      if body == nil { state.openMonitors = [] }
    }
  }

  // MARK: Inputs

  /// Processes a fix.
  /// - Parameters:
  ///   - fix: The fix, whose time is the receiver's.
  ///   - arrival: When it arrived, machine's clock; nil where there is no other clock than the
  ///     receiver's.
  public func process(_ fix: PlaceFix, at arrival: UTCTime? = nil) {
    change {
      $0.monitor.process(fix, at: arrival)
      $0.inputs += 1
    }
  }

  /// Processes a scanner's report on the beacons of a pattern.
  /// - Parameters:
  ///   - report: The report.
  ///   - time: The time of the report.
  public func process(_ report: BeaconReport, at time: UTCTime) {
    change {
      $0.monitor.process(report, at: time)
      $0.inputs += 1
    }
  }

  /// Processes a scanner's report that does not name the received beacon.
  /// - Parameters:
  ///   - pattern: The pattern of the scan.
  ///   - isPresent: False where no beacon of the pattern is received any more.
  ///   - time: The time of the report.
  public func process(_ pattern: BeaconPattern, isPresent: Bool, at time: UTCTime) {
    process(BeaconReport(pattern: pattern, isPresent: isPresent), at: time)
  }

  /// Processes the deadlines up to a time; to be called at `nextDeadline`, or every second.
  public func advance(to time: UTCTime) { change { $0.monitor.advance(to: time) } }

  /// Moves the deadlines by a step of the machine's clock, seconds, so that every wait takes as
  /// long as before.
  public func clockWasSet(by seconds: Double) { change { $0.monitor.clockWasSet(by: seconds) } }

  /// The next time at which `advance` has something to do; nil for none.
  public var nextDeadline: UTCTime? { state.withLock { $0.monitor.nextDeadline } }

  /// How often a fix is needed now.
  public var demand: FixDemand { state.withLock { $0.monitor.demand } }

  /// The beacon patterns to scan for.
  public var beaconPatterns: Set<BeaconPattern> { state.withLock { $0.monitor.beaconPatterns } }

  /// The newest accepted fix, also of an earlier run.
  public var lastFix: PlaceFix? { state.withLock { $0.monitor.lastFix } }

  /// Events that were dropped because too many were pending.
  public var droppedEvents: Int { state.withLock { $0.monitor.droppedEvents } }

  /// The events that are not acknowledged, oldest first.
  public var pending: [MonitoringEvent] { state.withLock { $0.monitor.pending } }

  /// The fault of the last write; nil where it succeeded, and before the first.
  public var fault: FileFault? { state.withLock { $0.lastFault } }

  /// Replaces the tuning; earlier decisions are not changed.
  public func use(_ configuration: MonitoringConfiguration) {
    change { $0.monitor.configuration = configuration }
  }

  /// Calls `body` with `demand` at once and on each change, on this object's queue.
  public func onDemandChange(_ body: (@Sendable (FixDemand) -> Void)?) {
    state.withLock { $0.demandReceiver = body }
    queue.async { [self] in
      let demand = state.withLock { state in
        state.reportedDemand = state.monitor.demand
        return state.reportedDemand
      }
      body?(demand)
    }
  }

  /// Calls `body` with the fault of a failed write, on this object's queue.
  public func onFault(_ body: (@Sendable (FileFault) -> Void)?) {
    state.withLock { $0.faultReceiver = body }
  }

  /// Waits until all input is stored and its events are delivered. Must not be called from a
  /// receiver.
  public func waitUntilIdle() { queue.sync { storeAndDeliver() } }

  /// Stores the whole state now, before an orderly shutdown. Must not be called from a receiver.
  public func close() {
    queue.sync { storeAndDeliver(storingAll: true) }
  }

  // MARK: Work

  private func change(_ body: (inout State) -> Void) {
    let mustQueue = state.withLock { state in
      body(&state)
      defer { state.isDeliveryQueued = true }
      return !state.isDeliveryQueued
    }
    if mustQueue { queue.async { [self] in storeAndDeliver() } }
  }

  private func storeAndDeliver(storingAll: Bool = false) {
    state.withLock { $0.isDeliveryQueued = false }
    // Input by a receiver during its call is queued as further work.
    while true {
      store(all: storingAll)
      let delivery = state.withLock { $0.nextDelivery(isStoring: $0.journal != nil) }
      guard let (event, body) = delivery else { break }
      body(event)
    }
    let change: (FixDemand, (@Sendable (FixDemand) -> Void)?)? = state.withLock { state in
      let demand = state.monitor.demand
      guard demand != state.reportedDemand else { return nil }
      state.reportedDemand = demand
      return (demand, state.demandReceiver)
    }
    if let change { change.1?(change.0) }
  }

  private func store(all: Bool) {
    guard all || isAttemptDue, let journal = openedJournal() else { return }
    let snapshot: (monitor: ApplicationMonitor, inputs: UInt64)? = state.withLock { state in
      let time = state.monitor.lastFix?.time
      let least = state.monitor.isDeciding ? options.decidingWriteSeconds : options.writeSeconds
      var isOld = time != nil
      if let time, let stored = state.storedTime {
        isOld = abs(time.seconds(since: stored)) >= least
      }
      guard
        all && state.inputs != state.storedInputs || state.monitor.revision != state.storedRevision
          || isOld
      else { return nil }
      return (state.monitor, state.inputs)
    }
    guard let (monitor, inputs) = snapshot else { return }
    do throws(FileFault) {
      try journal.save(monitor)
      state.withLock { state in
        state.storedInputs = inputs
        state.storedRevision = monitor.revision
        state.storedTime = monitor.lastFix?.time
        (state.lastFault, state.failed) = (nil, nil)
      }
    } catch {
      fail(error)
    }
  }

  /// False after a failed attempt with the same state, for some time.
  private var isAttemptDue: Bool {
    state.withLock { state in
      guard let failed = state.failed, failed.revision == state.monitor.revision else {
        return true
      }
      return MonotonicClock.now.seconds(since: failed.at) >= Self.retrySeconds
    }
  }

  /// The journal; nil for none, and where it cannot be opened.
  private func openedJournal() -> MonitoringJournal? {
    if let journal = state.withLock({ $0.journal }) { return journal }
    guard let opening else { return nil }
    do throws(JournalError) {
      let journal = try opening()
      let stored = try journal.load()
      let now = options.clock()
      state.withLock { state in
        if let stored { state.monitor.adopt(stored, at: now) }
        (state.journal, state.lastFault, state.failed) = (journal, nil, nil)
      }
      return journal
    } catch {
      switch error {
      case .file(let fault): fail(fault)
      case .busy(let path): fail(FileFault(action: "lock", path: path, code: EWOULDBLOCK))
      }
      return nil
    }
  }

  private func fail(_ fault: FileFault) {
    let body = state.withLock { state in
      defer { state.lastFault = fault }
      state.failed = (state.monitor.revision, MonotonicClock.now)
      return state.lastFault == fault ? nil : state.faultReceiver
    }
    body?(fault)
  }
}
