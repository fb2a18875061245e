import Foundation
import ServiceProtocol

/// Desks are opened for those who ask something of monitoring, and let go when nothing is left of it.
extension DeskKeeper {
  /// Why an application gets no desk where it has none; nil where it may have one.
  func quotaFault(_ key: ApplicationKey) -> ServiceFault? {
    let count = entries.keys.filter { $0.uid == key.uid }.count
    guard count >= mostApplications else { return nil }
    return ServiceFault(
      .tooMany,
      "\(count) applications of the user \(key.uid) are monitored for, which is as many as may be: let one go"
    )
  }

  /// Nothing stays of an application that has asked for nothing, is owed nothing and is not there.
  func releaseIfEmpty(_ key: ApplicationKey) {
    guard let entry = entries[key], entry.sessions.isEmpty, entry.desk.isEmpty else { return }
    entry.desk.deliver(to: nil)
    entry.desk.close()
    entries[key] = nil
    source.remove(key)
    do {
      let folder = folder(of: key)
      guard FileManager.default.fileExists(atPath: folder) else { return }
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      log.warning("\(folder(of: key)): \(error.localizedDescription)")
    }
  }

  func folder(of key: ApplicationKey) -> String {
    "\(applicationsFolder)/\(key.uid)/\(key.id)"
  }

  /// Opens an application's desk where it is not open.
  /// - Returns: Why it cannot be.
  @discardableResult
  func open(_ key: ApplicationKey) -> ServiceFault? {
    guard entries[key] == nil else { return nil }
    do throws(ServiceFault) {
      let record = ApplicationRecord.read(from: folder(of: key))
      entries[key] = DeskEntry(
        desk: try source.desk(of: key, configuration: configuration, clock: now),
        journal: source.journal(of: key),
        record: record,
        plan: LaunchPlan(interval: launchInterval), groups: Set(record?.groups ?? []))
      failed.remove(key)
      // Every client that is here, not only the one whose command opened it. The newest takes the events.
      for (session, one) in connected.sorted(by: { $0.key < $1.key }) where one.key == key {
        join(key, session, one.peer)
      }
      return nil
    } catch {
      if failed.insert(key).inserted { log.error("\(error)") }
      return error
    }
  }
}

extension ApplicationDesk {
  /// Whether nothing is asked for and nothing waits.
  fileprivate var isEmpty: Bool {
    let registered = registrations()
    return registered.regions.isEmpty && !registered.visits && !registered.significantChanges
      && registered.monitors.values.allSatisfy(\.isEmpty) && pending.isEmpty
  }
}
