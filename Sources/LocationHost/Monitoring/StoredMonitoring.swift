import Configuration
import Foundation
import HostProtocol
import Monitoring
import Quantities
import Storage

/// Journals in the state folder: `monitoring/UID/APPLICATION`, and `monitoring-simulated` for what no sensor has
/// seen: events of a simulation are no reason to believe that the board was there.
package struct StoredMonitoring: MonitoringJournals {
  private let folder: String
  private let log: HostLog

  package init(stateFolder: String, isLive: Bool, log: HostLog) {
    folder = stateFolder + (isLive ? "/monitoring" : "/monitoring-simulated")
    self.log = log
  }

  package func applications() -> [ApplicationKey] {
    names(in: folder).flatMap { name in
      guard let uid = UInt32(name) else { return [ApplicationKey]() }
      return names(in: "\(folder)/\(name)").filter(Policy.isApplicationID).map {
        ApplicationKey(uid: uid, id: $0)
      }
    }
  }

  /// What is in a folder; nothing where it cannot be listed, which hides no other folder.
  private func names(in folder: String) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      log.error(
        "\(folder): what is stored of applications cannot be listed: \(error.localizedDescription)")
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
    // An older state counts on from where it was.
    if !session.refusals.isEmpty { number.forget() }
    session.onFault { [log] in
      // Events from now on may be numbered again.
      number.forget()
      log.error("\(key.id): monitoring is not kept: \($0); events may be lost at a restart")
    }
    return session
  }
}

extension StoredMonitoring {
  package func journal(of key: ApplicationKey) -> UInt64 {
    do {
      return try number(of: key).value()
    } catch {
      log.error("\(key.id): the journal's number is not kept: \(error.reason)")
      return UInt64.random(in: 1...(1 << 53))
    }
  }

  package func remove(_ key: ApplicationKey) {
    do {
      try FileManager.default.removeItem(atPath: "\(folder)/\(key.uid)/\(key.id)")
    } catch {
      log.warning("\(key.id): its journal is not removed: \(error.localizedDescription)")
    }
  }

  private func number(of key: ApplicationKey) -> JournalNumber {
    JournalNumber(folder: "\(folder)/\(key.uid)/\(key.id)")
  }

  /// How often and how long apart, s, a journal is tried that is in use: a process that is just being started
  /// holds the files of the one that starts it for an instant.
  private static let (attempts, pause) = (6, 0.02)

  private func opened(
    _ key: ApplicationKey, _ options: MonitoringSession.Options
  ) throws(HostFault) -> MonitoringSession {
    // An application's identifier is a name of a folder as it is, up to its 200 bytes.
    let folder = "\(folder)/\(key.uid)/\(key.id)"
    var attempt = 1
    while true {
      do throws(JournalError) {
        return try MonitoringSession(
          journal: try MonitoringJournal(folder: folder), options: options)
      } catch {
        if attempt < Self.attempts, error.isBusy {
          attempt += 1
          Thread.sleep(forTimeInterval: Self.pause)
        } else {
          throw HostFault(.other, "monitoring of \(key.id) cannot be opened: \(error)")
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

/// Monitoring that ends with the process.
package struct VolatileMonitoring: MonitoringJournals {
  /// Makes it.
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
