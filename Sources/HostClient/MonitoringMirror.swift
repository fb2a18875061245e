import HostProtocol
import Monitoring

/// A client's copy of its monitoring at the host: unconfirmed commands and unacknowledged events.
/// It ensures that neither is lost or processed twice over a reconnection.
package struct MonitoringMirror: Sendable {
  package private(set) var registrations = MonitoringRegistrations()
  private(set) var events: [MonitoringEvent] = []
  private var pending: [Pending] = []
  private var acknowledged = RecentNumbers()
  private var delivered: Set<UInt64> = []
  private var registrationsRequest: UInt64?
  private var journal: UInt64?
  /// Added to the event numbers of a journal, so that each number is used once over all journals.
  private var offset: UInt64 = 0
  /// The registrations of the previous host, until the next host has them.
  private var previous: MonitoringRegistrations?
  /// The last reported registrations of the host, with pending commands applied; nil before the
  /// first report.
  private var reported: MonitoringRegistrations?
  /// The highest event number so far.
  private var highest: UInt64 = 0
  /// Adopted commands are numbered downwards, a program's commands upwards.
  private var nextAdopted = UInt64.max / 2

  /// Limit of unconfirmed commands. Beyond it, replaced commands are dropped first, then the
  /// oldest.
  package static let mostPending = 2048

  private struct Pending {
    var id: UInt64
    var command: MonitoringCommand
    /// True if the host has refused it temporarily: it is sent again.
    var isRefused = false
    /// True if it waits for an authorization.
    var isDenied = false
    /// True after the first refusal, which alone is reported.
    var isReported = false
    /// True after the first response of a host.
    var isAnswered = false
  }

  /// An empty mirror.
  package init() {}

  /// Adds a command.
  /// - Returns: The message to send; nil while the registrations are requested after a
  ///   reconnection.
  package mutating func perform(_ command: MonitoringCommand, id: UInt64) -> ClientMessage? {
    var command = command
    if case .acknowledge(let sequence) = command {
      events.removeAll { $0.sequence == sequence }
      delivered.remove(sequence)
      acknowledged.insert(sequence)
      // An event of an earlier journal no longer exists at the host.
      guard sequence > offset else { return nil }
      command = .acknowledge(sequence: sequence - offset)
    }
    registrations.apply(command)
    // A refused command is not sent after one that replaces it.
    pending.removeAll { $0.isRefused && command.undoes($0.command) }
    pending.append(Pending(id: id, command: command))
    if pending.count > Self.mostPending { dropReplaced() }
    return registrationsRequest == nil ? .monitor(id: id, command) : nil
  }

  /// The number of unconfirmed commands.
  package var pendingCount: Int { pending.count }

  private mutating func dropReplaced() {
    var followed: Set<[String]> = []
    var kept: [Pending] = []
    for entry in pending.reversed() {
      if let slot = entry.command.slot, !followed.insert(slot).inserted { continue }
      kept.append(entry)
    }
    // Leaves a quarter free, so that not every further command drops others.
    pending = Array(kept.prefix(Self.mostPending * 3 / 4).reversed())
  }

  /// Processes the host's response to a command. A command that the host cannot execute or store
  /// now stays pending; a later response or the next connection settles it.
  /// - Returns: True if the number belongs to a monitoring command.
  package mutating func confirm(
    _ id: UInt64, _ fault: HostFault? = nil, keepsDenied: Bool = true
  ) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    let command = pending[index].command
    let isFollowedUp = pending[(index + 1)...].contains { $0.command.undoes(command) }
    pending[index].isAnswered = true
    switch fault?.code {
    // Executed but not stored: the daemon's end would lose it, so it is checked after a
    // reconnection.
    case .notKept where !isFollowedUp && !command.isQuestion: break
    case .access where !keepsDenied, .bluetooth where !keepsDenied: pending.remove(at: index)
    case .other where !isFollowedUp, .inUse where !isFollowedUp, .access where !isFollowedUp,
      .undecided where !isFollowedUp,
      .tooMany where !isFollowedUp:
      pending[index].isRefused = true
      pending[index].isDenied = fault?.code == .access || fault?.code == .undecided
      pending[index].isReported = true
    default: pending.remove(at: index)
    }
    return true
  }

  /// True if a refusal of the command was reported already.
  package func isReported(_ id: UInt64) -> Bool {
    pending.contains { $0.id == id && $0.isReported }
  }

  /// True if the command is unconfirmed.
  func isPending(_ id: UInt64) -> Bool { pending.contains { $0.id == id } }

  /// True until a host has answered the command for the first time, after it was stored.
  func isUnanswered(_ id: UInt64) -> Bool { pending.contains { $0.id == id && !$0.isAnswered } }

  /// True while a refused command may succeed later without a change of the access.
  package var hasRefused: Bool { pending.contains { $0.isRefused && !$0.isDenied } }

  /// The temporarily refused commands, to be sent again; those that wait for an authorization only
  /// if `isGranted`.
  package mutating func again(isGranted: Bool = false) -> [ClientMessage] {
    guard registrationsRequest == nil else { return [] }
    var messages: [ClientMessage] = []
    for index in pending.indices
    where pending[index].isRefused && (isGranted || !pending[index].isDenied) {
      pending[index].isRefused = false
      messages.append(.monitor(id: pending[index].id, pending[index].command))
    }
    return messages
  }

  /// Processes an event that was acknowledged before: the acknowledgement was lost.
  /// - Returns: The message to send; nil if the event was not acknowledged, or its acknowledgement
  ///   is unconfirmed.
  package mutating func acknowledgeAgain(_ sequence: UInt64, id: UInt64) -> ClientMessage? {
    let command = MonitoringCommand.acknowledge(sequence: sequence)
    guard let number = numbered(sequence), acknowledged.contains(number),
      !pending.contains(where: { $0.command == command })
    else { return nil }
    pending.append(Pending(id: id, command: command))
    return registrationsRequest == nil ? .monitor(id: id, command) : nil
  }

  /// The messages to send after a reconnection. If a command may have been executed before the
  /// connection was lost, the registrations are requested first.
  package mutating func resumption(id number: UInt64) -> [ClientMessage] {
    guard !pending.isEmpty || previous != nil else {
      registrationsRequest = nil
      return []
    }
    registrationsRequest = number
    return [.registrations(id: number)]
  }

  /// Processes the host's registrations after a reconnection.
  /// - Returns: The commands that the host has not executed; nil if `id` is another request's.
  package mutating func receive(_ new: MonitoringRegistrations, id: UInt64) -> [ClientMessage]? {
    guard id == registrationsRequest else { return nil }
    registrationsRequest = nil
    // Commands executed before the connection was lost are not repeated, unless a later command
    // changes the same registration.
    let all = pending
    pending = all.filter { entry in
      !new.holds(entry.command)
        || all.filter { $0.command.subject == entry.command.subject }.count > 1
    }
    // A registration that was removed while another host served is removed here too. Unknown
    // registrations stay.
    var stops: [MonitoringCommand] = []
    if let previous, let reported {
      stops = new.stops.filter { reported.stops.contains($0) && !previous.stops.contains($0) }
    }
    previous = nil
    registrations = new
    for command in stops {
      registrations.apply(command)
      pending.append(Pending(id: nextAdopted, command: command))
      nextAdopted -= 1
    }
    for entry in pending { registrations.apply(entry.command) }
    reported = registrations
    for index in pending.indices { pending[index].isRefused = false }
    return pending.map { .monitor(id: $0.id, $0.command) }
  }

  /// Updates the registrations from a response to another request.
  package mutating func learn(_ new: MonitoringRegistrations) {
    registrations = new
    for entry in pending { registrations.apply(entry.command) }
    reported = registrations
  }

  /// The number of an event for the application; nil beyond the greatest number, which no host
  /// reaches.
  private func numbered(_ sequence: UInt64) -> UInt64? {
    let (number, isBeyond) = sequence.addingReportingOverflow(offset)
    return isBeyond ? nil : number
  }

  /// Adds an event. Numbers may arrive out of order: events of a monitor wait until it is opened.
  /// - Returns: True if the event is new.
  package mutating func receive(_ event: MonitoringEvent) -> Bool {
    var event = event
    guard let number = numbered(event.sequence) else { return false }
    event.sequence = number
    guard !acknowledged.contains(event.sequence),
      !events.contains(where: { $0.sequence == event.sequence })
    else { return false }
    events.append(event)
    highest = max(highest, event.sequence)
    registrations.apply(event)
    return true
  }

  /// Queues the commands that register the previous host's registrations with the next one.
  package mutating func adopt(_ old: MonitoringRegistrations) {
    previous = old
    for command in old.starts {
      registrations.apply(command)
      // Numbers of their own, which no other request has.
      pending.append(Pending(id: nextAdopted, command: command))
      nextAdopted -= 1
    }
  }

  /// Sets the number of the journal that events come from. A different journal restarts the event
  /// numbers, so that stored numbers are invalid.
  package mutating func journalIs(_ number: UInt64) {
    defer { journal = number }
    guard let journal, journal != number else { return }
    // Unacknowledged events stay: the offset keeps their numbers distinct.
    offset = highest
    acknowledged = RecentNumbers()
    pending.removeAll { if case .acknowledge = $0.command { true } else { false } }
  }

  /// Marks all unacknowledged events as undelivered, for a new receiver.
  package mutating func receiverChanged() { delivered = [] }

  /// The undelivered events; they are then marked as delivered.
  package mutating func deliverNew() -> [MonitoringEvent] {
    let new = events.filter { !delivered.contains($0.sequence) }
    delivered.formUnion(new.map(\.sequence))
    return new
  }
}

/// The most recently acknowledged numbers: their events may still arrive again.
private struct RecentNumbers {
  /// Four times the limit of pending events of an application.
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
