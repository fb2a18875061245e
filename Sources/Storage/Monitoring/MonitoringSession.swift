import Foundation
import LinuxIO
public import Monitoring
public import Quantities
import Synchronization

/// Monitoring of one application with its journal. It accepts fixes, beacon reports and commands from any
/// thread, and delivers events in order on its own queue, after they are stored.
///
/// **Stored before delivered.** Commands, acknowledgements, events and states that become known are on the
/// medium before an event is delivered. Other changes by a fix (the length of a dwell, the middle of a stay)
/// are stored every `writeSeconds` at most, and every `decidingWriteSeconds` while a decision is in progress.
/// A kill loses up to that many seconds of a stay or of a dwell: an event comes later, but none is lost.
///
/// **Delivered again.** An event that was delivered and not acknowledged is delivered again after a kill, with
/// the same number. A receiver that outlives this process, such as a client of the daemon, skips numbers
/// that it has received before.
///
/// **Without storage** (no journal, a full card) events are delivered nevertheless, and `onFault` reports each
/// fault once until a write succeeds.
public final class MonitoringSession: MonitoringHost {
  /// Tuning, write intervals and clock.
  public struct Options: Sendable {
    /// The tuning.
    public var configuration = MonitoringConfiguration()
    /// The least interval between writes for fixes alone, seconds of the fixes' own time. Small: the memory
    /// card wears. Large: a kill loses more of a stay.
    public var writeSeconds = 120.0
    /// The same while a crossing or a departure is in progress. Large: a kill loses more of a dwell, and so
    /// possibly a short passage through a region.
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

  private let queue = DispatchQueue(label: "lodestar.monitoring")
  private let journal: MonitoringJournal?
  private let options: Options

  private let state: Mutex<State>

  private struct State {
    var monitor: ApplicationMonitor
    var storedRevision: UInt64
    var storedTime: UTCTime?
    /// The number of fixes and reports, at all and at the last write.
    var inputs: UInt64 = 0
    var storedInputs: UInt64 = 0
    var receiver: (@Sendable (MonitoringEvent) -> Void)?
    var delivered: Set<UInt64> = []
    var openMonitors: Set<String> = []
    var reportedDemand = FixDemand.none
    var isWorkQueued = false
    var demandReceiver: (@Sendable (FixDemand) -> Void)?
    var faultReceiver: (@Sendable (FileFault) -> Void)?
    var lastFault: FileFault?

    init(_ monitor: ApplicationMonitor) {
      self.monitor = monitor
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
  public init(
    journal: MonitoringJournal?, options: Options = Options()
  ) throws(JournalError) {
    (self.journal, self.options) = (journal, options)
    var stored = try journal?.load()
    stored?.configuration = options.configuration
    state = Mutex(State(stored ?? ApplicationMonitor(configuration: options.configuration)))
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
  /// A condition's events are delivered only while its monitor is open. After a change of `body` one call of
  /// the previous one may still be in progress.
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
  ///   - arrival: When it arrived, machine's clock; nil where there is no other clock than the receiver's.
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

  /// Moves the deadlines by a step of the machine's clock, seconds, so that every wait takes as long as before.
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

  /// Waits until all input is stored and its events are delivered. Must not be called from a receiver.
  public func settle() { queue.sync { work() } }

  /// Stores the whole state now, before an orderly shutdown. Must not be called from a receiver.
  public func close() {
    queue.sync { work(storingAll: true) }
  }

  // MARK: Work

  private func change(_ body: (inout State) -> Void) {
    let mustQueue = state.withLock { state in
      body(&state)
      defer { state.isWorkQueued = true }
      return !state.isWorkQueued
    }
    if mustQueue { queue.async { [self] in work() } }
  }

  private func work(storingAll: Bool = false) {
    state.withLock { $0.isWorkQueued = false }
    // Input by a receiver during its call is queued as further work.
    while true {
      store(all: storingAll)
      let isStoring = journal != nil
      let delivery = state.withLock { $0.nextDelivery(isStoring: isStoring) }
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
    guard let journal else { return }
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
        state.lastFault = nil
      }
    } catch {
      let body = state.withLock { state in
        defer { state.lastFault = error }
        return state.lastFault == error ? nil : state.faultReceiver
      }
      body?(error)
    }
  }
}
