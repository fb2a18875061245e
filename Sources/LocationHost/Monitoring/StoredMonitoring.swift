import Configuration
import Glibc
import HostProtocol
import LinuxIO
import Monitoring
import Quantities
import Storage

/// Journals in the state folder: `monitoring/UID/APPLICATION`. Simulations and recordings use
/// `monitoring-simulated`, so that their events do not mix with real ones.
package struct StoredMonitoring: MonitoringJournals {
  private let folder: String
  private let log: HostLog
  private let health: StateHealth

  package init(stateFolder: String, isLive: Bool, log: HostLog, health: StateHealth? = nil) {
    folder = stateFolder + (isLive ? "/monitoring" : "/monitoring-simulated")
    self.log = log
    self.health = health ?? StateHealth(log: log)
  }

  package func applications() -> [ApplicationKey] {
    names(in: folder).flatMap { name in
      guard let uid = UInt32(name) else { return [ApplicationKey]() }
      return names(in: "\(folder)/\(name)").filter(Policy.isApplicationID).map {
        ApplicationKey(uid: uid, id: $0)
      }
    }
  }

  /// The names in a folder; empty if it cannot be listed, so that other folders are still read.
  private func names(in folder: String) -> [String] {
    do throws(FileFault) {
      return try LinuxFiles().names(in: folder).sorted()
    } catch {
      if error.code != ENOENT {
        health.report(.error, "\(folder): the journals cannot be listed: \(error.reason)")
      }
      return []
    }
  }

  package func monitoring(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(HostFault) -> any ApplicationMonitoring {
    var options = MonitoringSession.Options()
    options.configuration = configuration
    options.clock = clock
    let number = number(of: key)
    number.forgetWithoutState()
    let session = try opened(key, options)
    for refusal in session.refusals { log.warning("\(refusal)") }
    // An older state was loaded: event numbers may repeat.
    if !session.refusals.isEmpty { number.forget() }
    let report: @Sendable (FileFault) -> Void = { [health] in
      // After a restart, event numbers may repeat.
      number.forget()
      health.report(
        .error, "\(key.id): monitoring cannot be stored: \($0); events may be lost at a restart")
    }
    // A journal that could not be opened is opened later.
    if let fault = session.fault { report(fault) }
    session.onFault(report)
    return session
  }
}

extension StoredMonitoring {
  package func journal(of key: ApplicationKey) -> UInt64 {
    do {
      return try number(of: key).value { log.warning("\(key.id): \($0)") }
    } catch {
      health.report(.error, "\(key.id): the journal's number cannot be used: \(error.reason)")
      return UInt64.random(in: 1...(1 << 53))
    }
  }

  package func remove(_ key: ApplicationKey) {
    do throws(FileFault) {
      try LinuxFiles().removeFolder("\(folder)/\(key.uid)/\(key.id)")
    } catch {
      log.warning("\(key.id): the journal cannot be removed: \(error.reason)")
    }
  }

  private func number(of key: ApplicationKey) -> JournalNumber {
    JournalNumber(folder: "\(folder)/\(key.uid)/\(key.id)")
  }

  /// The attempts to open a journal that is in use, and the pause between them, s. A child process
  /// that is being started holds its parent's files for a moment.
  private static let (attempts, pause) = (6, 0.02)

  private func opened(
    _ key: ApplicationKey, _ options: MonitoringSession.Options
  ) throws(HostFault) -> MonitoringSession {
    // An identifier of at most 200 bytes is a valid folder name.
    let folder = "\(folder)/\(key.uid)/\(key.id)"
    var attempt = 1
    while true {
      do throws(JournalError) {
        return try MonitoringSession(options: options) { () throws(JournalError) in
          try MonitoringJournal(folder: folder)
        }
      } catch {
        if attempt < Self.attempts, error.isBusy {
          attempt += 1
          MonotonicClock.sleep(seconds: Self.pause)
        } else {
          throw HostFault(
            error.isBusy ? .inUse : .other, "monitoring of \(key.id) cannot be opened: \(error)")
        }
      }
    }
  }
}

extension JournalError {
  fileprivate var isBusy: Bool { if case .busy = self { true } else { false } }
}

extension MonitoringSession: ApplicationMonitoring {
  package var keepingFault: String? { fault.map { "\($0)" } }
}

/// Monitoring without storage; it ends with the process.
package struct VolatileMonitoring: MonitoringJournals {
  package init() {}

  package func journal(of key: ApplicationKey) -> UInt64 { UInt64.random(in: 1...(1 << 53)) }
  package func applications() -> [ApplicationKey] { [] }
  package func remove(_ key: ApplicationKey) {}

  package func monitoring(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(HostFault) -> any ApplicationMonitoring {
    var options = MonitoringSession.Options()
    (options.configuration, options.clock) = (configuration, clock)
    do throws(JournalError) {
      return try MonitoringSession(journal: nil, options: options)
    } catch {
      throw HostFault(.other, "monitoring of \(key.id) cannot be opened: \(error)")
    }
  }
}
