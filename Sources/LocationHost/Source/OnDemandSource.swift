import Engine
import Foundation
import HostProtocol
import Monitoring
import Quantities

/// A source that is open while a client needs it, and for some seconds after a client has looked at it: the source
/// of a host within a program. It is opened and released on the thread that asks.
package final class OnDemandSource: HostSource, @unchecked Sendable {
  // Unchecked: what changes is read and written under `lock`; `turn` orders openings and releases.

  /// Seconds that a source stays open for a service to start, after it was opened to be looked at.
  package static let lookSeconds = 5.0

  private let opening: SourceOpening
  private let events: SourceEvents
  private let clock: any HostClock
  private let turn = NSRecursiveLock()
  private let lock = NSLock()
  private var opened: OpenedSource?
  private var current: SourceDescription
  private var isNeeded = false
  private var wantsSamples = false
  private var demand = FixDemand.none
  private var appliedDemand: FixDemand?
  private var lookAlarm: Observation?
  private var estimates: Observation?
  private var rows: Observation?
  private var calibrations: Observation?

  /// Makes a source that is not open.
  package init(_ opening: SourceOpening, events: SourceEvents, clock: any HostClock) {
    (self.opening, self.events, self.clock) = (opening, events, clock)
    current = SourceDescription(isLive: opening.isLive)
  }

  package var source: SourceDescription { lock.withLock { current } }
  package var calibrator: (any FieldCalibrator)? {
    lock.withLock { opened }?.publisher.calibrator
  }
  package var latest: Estimate? { lock.withLock { opened }?.publisher.latest }
  package var isAlive: Bool { true }
  package var status: String { source.fault ?? (source.isOpen ? "open" : "not open") }

  package func start() {}

  package func stop() {
    lock.withLock { (isNeeded, lookAlarm) = (false, nil) }
    apply()
  }

  package func look() -> SourceDescription {
    let alarm = clock.alarm(after: Self.lookSeconds) { [weak self] in
      guard let self else { return }
      lock.withLock { lookAlarm = nil }
      apply()
    }
    lock.withLock { lookAlarm = alarm }
    apply()
    let source = self.source
    // A source that could not be opened is not looked at.
    if !source.isOpen { lock.withLock { lookAlarm = nil } }
    return source
  }

  package func set(_ demand: FixDemand, isNeeded: Bool, wantsSamples: Bool) {
    lock.withLock {
      // After its use it is released at once, also where it was looked at shortly before.
      if self.isNeeded, !isNeeded { lookAlarm = nil }
      (self.demand, self.isNeeded, self.wantsSamples) = (demand, isNeeded, wantsSamples)
    }
    apply()
  }

  /// Opens, releases and adjusts the source to what is needed.
  private func apply() {
    turn.lock()
    let (isWanted, isOpen) = lock.withLock { (isNeeded || lookAlarm != nil, opened != nil) }
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
      lock.withLock {
        (opened, appliedDemand) = (source, nil)
        current = SourceDescription(publisher, isLive: opening.isLive)
      }
      let estimates = publisher.observe { [events] in events.estimate($0) }
      let calibrations = publisher.calibrator?.observe { [events] in events.calibration() }
      lock.withLock { (self.estimates, self.calibrations) = (estimates, calibrations) }
      source.start()
    } catch {
      let failure: SourceDescription.Failure = error.mayPass ? .passing : .lasting
      lock.withLock {
        current = SourceDescription(
          isLive: opening.isLive, fault: error.remedy, failure: failure)
      }
    }
  }

  private func release() {
    let (source, held) = lock.withLock {
      defer {
        (opened, estimates, rows, calibrations) = (nil, nil, nil, nil)
        current = SourceDescription(isLive: opening.isLive)
      }
      return (opened, [estimates, rows, calibrations])
    }
    for observation in held { observation?.cancel() }
    source?.stop()
  }

  private func adjust() {
    let (source, rowsChange, newDemand) = lock.withLock {
      let rowsChange = opened != nil && wantsSamples != (rows != nil) ? wantsSamples : nil
      let newDemand = opened != nil && appliedDemand != demand ? demand : nil
      if let newDemand { appliedDemand = newDemand }
      return (opened, rowsChange, newDemand)
    }
    guard let source else { return }
    if rowsChange == true {
      let observation = source.publisher.observeRows { [events] in events.row($0) }
      lock.withLock { rows = observation }
    } else if rowsChange == false {
      let observation = lock.withLock {
        defer { rows = nil }
        return rows
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
