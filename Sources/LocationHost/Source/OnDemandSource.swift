import Engine
import Foundation
import HostProtocol
import Monitoring
import Quantities
import Synchronization

/// A source that is open while a client needs it, and for some seconds after a client has looked at it: the source
/// of a host within a program. It is opened and released on the thread that asks.
package final class OnDemandSource: HostSource {
  /// Seconds that a source stays open for a service to start, after it was opened to be looked at.
  package static let lookSeconds = 5.0

  private let opening: SourceOpening
  private let events: SourceEvents
  private let clock: any HostClock
  /// Orders openings and releases. Recursive: a client that receives the first estimate of a source
  /// while it is opened may change its demand on the same thread.
  private let turn = NSRecursiveLock()
  private let state: Mutex<State>

  private struct State {
    var opened: OpenedSource?
    var source: SourceDescription
    var isNeeded = false
    var wantsSamples = false
    var demand = FixDemand.none
    var appliedDemand: FixDemand?
    var lookAlarm: Observation?
    var estimates: Observation?
    var rows: Observation?
    var calibrations: Observation?

    mutating func close(_ description: SourceDescription) {
      (opened, estimates, rows, calibrations) = (nil, nil, nil, nil)
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
  package var latest: Estimate? { state.withLock { $0.opened }?.publisher.latest }
  package var isAlive: Bool { true }
  package var status: String { source.fault ?? (source.isOpen ? "open" : "not open") }

  package func start() {}

  package func stop() {
    state.withLock { ($0.isNeeded, $0.lookAlarm) = (false, nil) }
    apply()
  }

  package func look() -> SourceDescription {
    let alarm = clock.alarm(after: Self.lookSeconds) { [weak self] in
      guard let self else { return }
      setLookAlarm(nil)
      apply()
    }
    setLookAlarm(alarm)
    apply()
    let source = self.source
    // A source that could not be opened is not looked at.
    if !source.isOpen { setLookAlarm(nil) }
    return source
  }

  package func set(_ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool) {
    state.withLock { state in
      // After its use it is released at once, also where it was looked at shortly before.
      if state.isNeeded, !isNeeded { state.lookAlarm = nil }
      (state.demand, state.isNeeded, state.wantsSamples) = (demand, isNeeded, wantsSamples)
    }
    apply()
  }

  private func setLookAlarm(_ alarm: Observation?) { state.withLock { $0.lookAlarm = alarm } }

  /// Opens, releases and adjusts the source to what is needed.
  private func apply() {
    turn.lock()
    let (isWanted, isOpen) = state.withLock { state in
      (state.isNeeded || state.lookAlarm != nil, state.opened != nil)
    }
    let hasChanged = isWanted != isOpen
    if isWanted, !isOpen { open() } else if !isWanted, isOpen { release() }
    adjust()
    turn.unlock()
    // Outside the turn: receivers come back with new demands.
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
      let estimates = publisher.observe { [events] in events.estimate($0) }
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
      return (state.opened, [state.estimates, state.rows, state.calibrations])
    }
    for observation in held { observation?.cancel() }
    source?.stop()
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
    if let newDemand { source.setReceiverDemand(newDemand) }
  }
}

extension SourceError {
  /// True where it may be otherwise later: something is plugged in, a bus becomes free.
  package var mayPass: Bool {
    switch self {
    case .noSensors, .bus, .chips, .gpsd: true
    case .unknownChoice, .recording, .simulation: false
    }
  }

  /// What is wrong and what to do about it, for the user of a program.
  package var remedy: String {
    switch self {
    case .noSensors:
      "No sensor that can be read was found. Set LODESTAR_SOURCE=simulate to try the program without "
        + "one, or LODESTAR_SOURCE=replay:FILE to give it a recording."
    case .unknownChoice, .bus, .chips, .gpsd, .recording, .simulation: "\(self)"
    }
  }
}
