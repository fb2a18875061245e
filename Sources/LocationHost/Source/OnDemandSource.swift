import Board
import HostProtocol
import LinuxIO
import Monitoring
import Observers
import Pipeline
import Quantities
import Synchronization

/// The source of a host within a program. It is open while a client needs it, and for some seconds
/// after `describeSensors`. A simulation or recording stays open from its first use until `stop`,
/// so that its time continues between the requests of a program. It is opened and closed on the
/// caller's thread.
package final class OnDemandSource: HostSource {
  /// Seconds that a source stays open after `describeSensors`, so that a service can start without
  /// reopening it.
  package static let lookSeconds = 5.0

  private let opening: SourceOpening
  private let events: SourceEvents
  private let clock: any HostClock
  /// Serializes opening and closing. Recursive: a client may change its demand on the same thread
  /// when it receives the first estimate during opening.
  private let turn = RecursiveLock()
  private let state: Mutex<State>

  private struct State {
    var opened: OpenedSource?
    var source: SourceDescription
    var isNeeded = false
    var isStopped = false
    var wantsSamples = false
    var wantsReceiver = false
    var demand = FixDemand.none
    var appliedDemand: FixDemand?
    var activity = Activity.other
    var lookAlarm: Observation?
    var estimates: Observation?
    var rows: Observation?
    var receiver: Observation?
    var calibrations: Observation?

    mutating func close(_ description: SourceDescription) {
      (opened, estimates, rows, receiver, calibrations) = (nil, nil, nil, nil, nil)
      source = description
    }
  }

  /// Makes a source that is not open.
  package init(_ opening: SourceOpening, events: SourceEvents, clock: any HostClock) {
    (self.opening, self.events, self.clock) = (opening, events, clock)
    state = Mutex(State(source: SourceDescription(isLive: opening.isLive)))
  }

  package var source: SourceDescription { state.withLock { $0.source } }
  package var calibrator: (any FieldCalibrator)? {
    state.withLock { $0.opened }?.publisher.calibrator
  }
  package var latest: Estimate? {
    state.withLock { $0.opened }?.publisher.latest.map(opening.timed)
  }
  package var isAlive: Bool { true }
  package var status: String { source.fault ?? (source.isOpen ? "open" : "not open") }

  package func start() {}

  package func stop() {
    state.withLock { ($0.isNeeded, $0.lookAlarm, $0.isStopped) = (false, nil, true) }
    apply()
  }

  package func describeSensors() -> SourceDescription {
    let alarm = clock.alarm(after: Self.lookSeconds) { [weak self] in
      guard let self else { return }
      setLookAlarm(nil)
      apply()
    }
    setLookAlarm(alarm)
    apply()
    let source = self.source
    // A source that could not be opened needs no alarm to close it.
    if !source.isOpen { setLookAlarm(nil) }
    return source
  }

  package func set(
    _ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool, wantsReceiver: Bool,
    activity: Activity
  ) {
    state.withLock { state in
      // After use the source is closed at once, also shortly after `describeSensors`.
      if state.isNeeded, !isNeeded { state.lookAlarm = nil }
      (state.demand, state.isNeeded, state.wantsSamples) = (demand, isNeeded, wantsSamples)
      (state.wantsReceiver, state.activity) = (wantsReceiver, activity)
    }
    apply()
  }

  private func setLookAlarm(_ alarm: Observation?) { state.withLock { $0.lookAlarm = alarm } }

  /// Opens, closes and adjusts the source by the demand.
  private func apply() {
    turn.lock()
    let (isWanted, isOpen) = state.withLock { state in
      let isOpen = state.opened != nil
      let goesOn = isOpen && !opening.isLive && !state.isStopped
      return (state.isNeeded || state.lookAlarm != nil || goesOn, isOpen)
    }
    let hasChanged = isWanted != isOpen
    if isWanted, !isOpen { open() } else if !isWanted, isOpen { release() }
    adjust()
    turn.unlock()
    // Outside the lock: receivers may set new demands.
    if hasChanged {
      events.source(source)
      events.calibration()
    }
  }

  private func open() {
    do throws(SourceError) {
      let source = try opening.open()
      let publisher = source.publisher
      source.onNotice { [events] in events.notice($0) }
      // The description comes before the first estimate.
      state.withLock { state in
        (state.opened, state.appliedDemand) = (source, nil)
        state.source = SourceDescription(publisher, isLive: opening.isLive)
      }
      let estimates = publisher.observe { [events, opening] in
        events.estimate(opening.timed($0))
      }
      let calibrations = publisher.calibrator?.observe { [events] in events.calibration() }
      state.withLock { ($0.estimates, $0.calibrations) = (estimates, calibrations) }
      source.start()
    } catch {
      let failure: SourceDescription.Failure = error.mayPass ? .passing : .lasting
      state.withLock { state in
        state.source = SourceDescription(
          isLive: opening.isLive, fault: error.remedy, failure: failure)
      }
    }
  }

  private func release() {
    let (source, held) = state.withLock { state in
      defer { state.close(SourceDescription(isLive: opening.isLive)) }
      return (state.opened, [state.estimates, state.rows, state.receiver, state.calibrations])
    }
    for observation in held { observation?.cancel() }
    source?.stop()
  }

  private func adjustReceiver(_ source: OpenedSource) {
    let (wants, observation) = state.withLock { ($0.wantsReceiver, $0.receiver) }
    guard wants != (observation != nil) else { return }
    observation?.cancel()
    let new =
      wants ? source.publisher.observeReceiver { [events] in events.receiver($0) } : nil
    state.withLock { $0.receiver = new }
  }

  private func adjust() {
    let (opened, rowsChange, newDemand) = state.withLock { state in
      let mustChangeRows = state.wantsSamples != (state.rows != nil)
      let newDemand =
        state.opened != nil && state.appliedDemand != state.demand ? state.demand : nil
      if let newDemand { state.appliedDemand = newDemand }
      return (state.opened, mustChangeRows ? state.wantsSamples : nil, newDemand)
    }
    guard let source = opened else { return }
    if rowsChange == true {
      let observation = source.publisher.observeRows { [events] in events.row($0) }
      state.withLock { $0.rows = observation }
    } else if rowsChange == false {
      let observation = state.withLock { state in
        defer { state.rows = nil }
        return state.rows
      }
      observation?.cancel()
    }
    adjustReceiver(source)
    if let newDemand { source.setReceiverDemand(newDemand) }
    source.setActivity(state.withLock { $0.activity })
  }
}

extension SourceError {
  /// Whether a later attempt may succeed: a board is attached, or a bus becomes free.
  package var mayPass: Bool {
    switch self {
    case .noSensors, .bus, .chips, .gpsd, .signalK, .nmea2000: true
    case .unknownChoice, .recording, .simulation: false
    }
  }

  /// The error and what to do, for the user of a program.
  package var remedy: String {
    switch self {
    case .noSensors:
      "No readable sensor was found. Set LODESTAR_SOURCE=simulate to run the program with a "
        + "simulation, or LODESTAR_SOURCE=replay:FILE to run it with a recording."
    case .unknownChoice, .bus, .chips, .gpsd, .signalK, .nmea2000, .recording, .simulation:
      "\(self)"
    }
  }
}
