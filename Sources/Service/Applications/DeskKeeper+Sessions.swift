import Foundation
import Monitoring
import ServiceProtocol

/// Who is connected, what they ask, and who of them hears of events.
extension DeskKeeper {
  /// A client of the application is connected.
  func connect(
    _ key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    onJournal: @escaping @Sendable (UInt64) -> Void
  ) {
    queue.async { [self] in
      connected[session] = DeskClient(key: key, peer: peer, onJournal: onJournal)
      // Nothing is kept of an application that asks nothing of monitoring.
      guard entries[key] != nil else { return }
      join(key, session, peer)
    }
  }

  /// A client is gone.
  func disconnect(_ key: ApplicationKey, session: Int) {
    queue.async { [self] in
      (listeners[session], connected[session]) = (nil, nil)
      guard var entry = entries[key] else { return }
      entry.sessions.remove(session)
      let monitors = entry.monitors.removeValue(forKey: session) ?? []
      let wasListener = entry.listener?.session == session
      if wasListener { entry.listener = nil }
      entries[key] = entry
      for name in monitors where !entry.monitors.values.contains(where: { $0.contains(name) }) {
        entry.desk.perform(.closeMonitor(name: name))
      }
      if wasListener { handOn(key) }
      launchIfDue(key)
      releaseIfEmpty(key)
    }
  }

  /// Events come to the session, those that were not acknowledged first; or no more.
  func listen(
    _ key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    to body: (@Sendable (MonitoringEvent) -> Void)?, done: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      defer { done() }
      if let body {
        // Without a desk there is nothing to hear; the first command opens it.
        listeners[session] = body
        guard entries[key] != nil else { return }
        join(key, session, peer)
        hearNow(key, session)
      } else {
        listeners[session] = nil
        guard entries[key]?.listener?.session == session else { return }
        entries[key]?.listener = nil
        handOn(key)
      }
    }
  }

  /// Does what an application asks, and says that it is kept, or why not.
  func perform(
    _ command: MonitoringCommand, of key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    done: @escaping @Sendable (ServiceFault?) -> Void
  ) {
    queue.async { [self] in
      if command.asks, isForbidden(key, peer.allGroups) {
        return done(ServiceFault(.access, "\(key.id) may not be told of places, by the policy"))
      }
      if entries[key] == nil, !failed.contains(key) {
        // Nothing is opened for what takes something back that is not there.
        if command.onlyTakesBack { return done(nil) }
        if let fault = quotaFault(key) { return done(fault) }
      }
      if let fault = open(key) { return done(fault) }
      join(key, session, peer)
      switch command {
      case .openMonitor(let name): entries[key]?.monitors[session, default: []].insert(name)
      case .closeMonitor(let name):
        entries[key]?.monitors[session]?.remove(name)
        // Another client of the application has it open.
        if entries[key]?.monitors.values.contains(where: { $0.contains(name) }) == true {
          return done(nil)
        }
      default: break
      }
      entries[key]?.desk.perform(command)
      entries[key]?.desk.settle()
      done(notKept(command, key))
      tellDemand()
    }
  }

  /// Why a command that was done is not kept; nil where it is, and where nothing of it is to be.
  func notKept(_ command: MonitoringCommand, _ key: ApplicationKey) -> ServiceFault? {
    switch command {
    case .openMonitor, .closeMonitor: return nil
    default: break
    }
    return entries[key]?.desk.keepingFault.map {
      ServiceFault(.notKept, "\(key.id): done and not kept: \($0); it may be lost at a restart")
    }
  }

  /// What an application has asked for.
  func registrations(
    of key: ApplicationKey, answer: @escaping @Sendable (MonitoringRegistrations) -> Void
  ) {
    queue.async { [self] in
      answer(entries[key]?.desk.registrations() ?? MonitoringRegistrations())
    }
  }

  func join(_ key: ApplicationKey, _ session: Int, _ peer: UnixSocket.Peer) {
    guard entries[key]?.sessions.insert(session).inserted == true else { return }
    entries[key]?.plan.clientCame()
    entries[key]?.hasBeenJoined = true
    if let journal = entries[key]?.journal { connected[session]?.onJournal(journal) }
    let groups = peer.allGroups
    entries[key]?.groups = groups
    if listeners[session] != nil { hearNow(key, session) }
    let record = ApplicationRecord(
      manager: .of(pid: peer.pid, uid: key.uid), groups: groups.sorted())
    guard record != entries[key]?.record else { return }
    entries[key]?.record = record
    do {
      try record.write(to: folder(of: key))
    } catch {
      log.error("\(folder(of: key)): \(error.localizedDescription)")
    }
  }

  /// Another client of the application that wants its events has them now; without one they wait.
  func handOn(_ key: ApplicationKey) {
    guard let entry = entries[key] else { return }
    if let other = entry.sessions.sorted().last(where: { listeners[$0] != nil }) {
      hearNow(key, other)
    } else {
      entry.desk.deliver(to: nil)
    }
  }

  func hearNow(_ key: ApplicationKey, _ session: Int) {
    guard let body = listeners[session], let entry = entries[key] else { return }
    let (groups, access) = (entry.groups, access)
    entries[key]?.listener = (session, body)
    entries[key]?.isSilenced = isForbidden(key, groups)
    guard entries[key]?.isSilenced == false else { return entry.desk.deliver(to: nil) }
    entry.desk.deliver { event in
      // What was decided with exact places is told by the accuracy of now.
      let isFull = access.access(of: key, groups: groups).accuracy == .full
      body(isFull ? event : event.reduced)
    }
    // A desk that had no receiver has forgotten which are open.
    for name in Set(entry.monitors.values.joined()) { entry.desk.perform(.openMonitor(name: name)) }
  }

  /// Events stop and go on with what the application may.
  func deliverByAccess() {
    for (key, entry) in entries {
      guard let listener = entry.listener, entry.isSilenced != isForbidden(key, entry.groups) else {
        continue
      }
      hearNow(key, listener.session)
    }
  }
}

extension MonitoringCommand {
  /// Whether it asks for something that takes places; who opens a monitor hears what he may.
  fileprivate var asks: Bool {
    if case .openMonitor = self { false } else { !onlyTakesBack }
  }

  /// Whether it has no effect where nothing was asked for.
  fileprivate var onlyTakesBack: Bool {
    switch self {
    case .stopRegion, .stopVisits, .stopSignificantChanges, .closeMonitor, .removeCondition,
      .acknowledge:
      true
    case .startRegion, .requestState, .startVisits, .startSignificantChanges, .openMonitor,
      .addCondition:
      false
    }
  }
}
