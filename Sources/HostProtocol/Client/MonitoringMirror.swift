import Monitoring

/// What a program knows of its monitoring in the daemon: commands that were not confirmed, and events that were
/// not acknowledged, so that neither is lost nor done twice over a reconnection.
package struct MonitoringMirror: Sendable {
  package private(set) var registrations = MonitoringRegistrations()
  private(set) var events: [MonitoringEvent] = []
  private var pending: [Pending] = []
  private var acknowledged = RecentNumbers()
  private var handedOver: Set<UInt64> = []
  private var reconciling: UInt64?
  private var journal: UInt64?
  /// Added to the numbers of the journal, so that a number is used once over all journals.
  private var offset: UInt64 = 0
  /// What another host had, until the next one has it too.
  private var wanted: MonitoringRegistrations?
  /// What the daemon is known to have; nil before it was asked.
  private var learnt: MonitoringRegistrations?
  /// The highest number of an event so far.
  private var highest: UInt64 = 0
  /// Numbers of adopted commands count down, those of a program's commands up.
  private var nextAdopted = UInt64.max / 2

  /// Commands that wait for the daemon; beyond it those go whose place a later one takes, then the oldest.
  package static let mostPending = 2048

  private struct Pending {
    var id: UInt64
    var command: MonitoringCommand
    /// Whether the daemon has refused it for now: it is said again.
    var isRefused = false
    /// Whether it waits for a grant: time alone changes nothing.
    var isDenied = false
    /// Whether it was refused before: that is reported once.
    var isReported = false
  }

  /// Begins with nothing registered.
  package init() {}

  /// Takes a command in.
  /// - Returns: What to say; nil while it has to wait for the registrations after a reconnection.
  package mutating func perform(_ command: MonitoringCommand, id: UInt64) -> ClientMessage? {
    var command = command
    if case .acknowledge(let sequence) = command {
      events.removeAll { $0.sequence == sequence }
      handedOver.remove(sequence)
      acknowledged.insert(sequence)
      // Of a journal of before: nobody has that event any more.
      guard sequence > offset else { return nil }
      command = .acknowledge(sequence: sequence - offset)
    }
    registrations.apply(command)
    // What was refused before it is not done after it.
    pending.removeAll { $0.isRefused && command.undoes($0.command) }
    pending.append(Pending(id: id, command: command))
    if pending.count > Self.mostPending { shorten() }
    return reconciling == nil ? .monitor(id: id, command) : nil
  }

  /// Commands that are not confirmed.
  package var pendingCount: Int { pending.count }

  private mutating func shorten() {
    var followed: Set<[String]> = []
    var kept: [Pending] = []
    for entry in pending.reversed() {
      if let slot = entry.command.slot, !followed.insert(slot).inserted { continue }
      kept.append(entry)
    }
    // Room for some more, so that this is not done for each.
    pending = Array(kept.prefix(Self.mostPending * 3 / 4).reversed())
  }

  /// The daemon has answered. What it could not do or not keep for now stays: a later answer or the next
  /// connection settles it.
  /// - Returns: Whether it was a command of monitoring.
  package mutating func confirm(
    _ id: UInt64, _ fault: HostFault? = nil, keepsDenied: Bool = true
  ) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    let command = pending[index].command
    let isFollowedUp = pending[(index + 1)...].contains { $0.command.undoes(command) }
    switch fault?.code {
    // Done, and lost with the daemon only: looked for after a reconnection.
    case .notKept where !isFollowedUp && !command.isQuestion: break
    case .access where !keepsDenied, .bluetooth where !keepsDenied: pending.remove(at: index)
    case .other where !isFollowedUp, .access where !isFollowedUp, .undecided where !isFollowedUp,
      .tooMany where !isFollowedUp:
      pending[index].isRefused = true
      pending[index].isDenied = fault?.code == .access || fault?.code == .undecided
      pending[index].isReported = true
    default: pending.remove(at: index)
    }
    return true
  }

  /// Whether a refusal of it was reported already.
  package func isReported(_ id: UInt64) -> Bool {
    pending.contains { $0.id == id && $0.isReported }
  }

  /// Whether it waits for an answer.
  func isPending(_ id: UInt64) -> Bool { pending.contains { $0.id == id } }

  /// True while something was refused that may be done later, without another access.
  package var hasRefused: Bool { pending.contains { $0.isRefused && !$0.isDenied } }

  /// What was refused for now, to be said again; what waits for a grant only where there is one.
  package mutating func again(isGranted: Bool = false) -> [ClientMessage] {
    guard reconciling == nil else { return [] }
    var messages: [ClientMessage] = []
    for index in pending.indices
    where pending[index].isRefused && (isGranted || !pending[index].isDenied) {
      pending[index].isRefused = false
      messages.append(.monitor(id: pending[index].id, pending[index].command))
    }
    return messages
  }

  /// An event of a number that was acknowledged has come again: the acknowledgement was lost.
  /// - Returns: What to say; nil where the number is none of those, or its acknowledgement is on its way.
  package mutating func acknowledgeAgain(_ sequence: UInt64, id: UInt64) -> ClientMessage? {
    let command = MonitoringCommand.acknowledge(sequence: sequence)
    guard acknowledged.contains(sequence + offset),
      !pending.contains(where: { $0.command == command })
    else { return nil }
    pending.append(Pending(id: id, command: command))
    return reconciling == nil ? .monitor(id: id, command) : nil
  }

  /// What is said of it after a reconnection: what is registered is asked for first where a command may have
  /// been done before the connection ended.
  package mutating func resumption(id number: UInt64) -> [ClientMessage] {
    guard !pending.isEmpty || wanted != nil else {
      reconciling = nil
      return []
    }
    reconciling = number
    return [.registrations(id: number)]
  }

  /// Takes what the daemon has registered.
  /// - Returns: The commands that it has not done yet; nil where the number is another's.
  package mutating func take(_ new: MonitoringRegistrations, id: UInt64) -> [ClientMessage]? {
    guard id == reconciling else { return nil }
    reconciling = nil
    // Done before the connection ended, and not to be done twice; what comes after it is.
    let all = pending
    pending = all.filter { entry in
      !new.holds(entry.command)
        || all.filter { $0.command.subject == entry.command.subject }.count > 1
    }
    // What was stopped while another host served is stopped here too; what is not known to have been wanted stays.
    var stops: [MonitoringCommand] = []
    if let wanted, let learnt {
      stops = new.stops.filter { learnt.stops.contains($0) && !wanted.stops.contains($0) }
    }
    wanted = nil
    registrations = new
    for command in stops {
      registrations.apply(command)
      pending.append(Pending(id: nextAdopted, command: command))
      nextAdopted -= 1
    }
    for entry in pending { registrations.apply(entry.command) }
    learnt = registrations
    for index in pending.indices { pending[index].isRefused = false }
    return pending.map { .monitor(id: $0.id, $0.command) }
  }

  /// Knows what is registered without a question of its own.
  package mutating func learn(_ new: MonitoringRegistrations) {
    registrations = new
    for entry in pending { registrations.apply(entry.command) }
    learnt = registrations
  }

  /// Takes an event in. They need not come in the order of their numbers: those of a monitor wait until it is
  /// opened.
  /// - Returns: Whether it is a new one.
  package mutating func take(_ event: MonitoringEvent) -> Bool {
    var event = event
    event.sequence += offset
    guard !acknowledged.contains(event.sequence),
      !events.contains(where: { $0.sequence == event.sequence })
    else { return false }
    events.append(event)
    highest = max(highest, event.sequence)
    registrations.apply(event)
    return true
  }

  /// Registers with the next host what another one had, where that one does not have it yet.
  package mutating func adopt(_ old: MonitoringRegistrations) {
    wanted = old
    for command in old.starts {
      registrations.apply(command)
      // Numbers of requests that no answer has: they are given when the commands are sent.
      pending.append(Pending(id: nextAdopted, command: command))
      nextAdopted -= 1
    }
  }

  /// Events come from a journal of this number. Another one than before counts anew: what is known of numbers
  /// means nothing there.
  package mutating func journalIs(_ number: UInt64) {
    defer { journal = number }
    guard let journal, journal != number else { return }
    // Events that were received and not acknowledged stay: they have numbers of their own.
    offset = highest
    acknowledged = RecentNumbers()
    pending.removeAll { if case .acknowledge = $0.command { true } else { false } }
  }

  /// Another receiver takes the events: all that were not acknowledged are new to it.
  package mutating func receiverChanged() { handedOver = [] }

  /// The events that were not handed over yet.
  package mutating func takeNew() -> [MonitoringEvent] {
    let new = events.filter { !handedOver.contains($0.sequence) }
    handedOver.formUnion(new.map(\.sequence))
    return new
  }
}

/// The numbers that were acknowledged last: an event of one of them may still be on its way.
private struct RecentNumbers {
  /// Four times as many as may wait for an application.
  private static let most = 2048

  private var numbers: Set<UInt64> = []
  private var order: [UInt64] = []

  func contains(_ number: UInt64) -> Bool { numbers.contains(number) }

  mutating func insert(_ number: UInt64) {
    guard numbers.insert(number).inserted else { return }
    order.append(number)
    if order.count > Self.most { numbers.remove(order.removeFirst()) }
  }
}
