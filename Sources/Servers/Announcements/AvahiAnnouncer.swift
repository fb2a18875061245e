import LinuxIO
import LocationHost

/// Whether ports are announced, and at which bus.
public struct AnnouncementSettings: Sendable, Equatable {
  /// True to announce.
  public var isOn = true
  /// The bus of Avahi.
  public var bus = DBusAddress.system

  /// Makes the default settings: announcements at the system bus.
  public init() {}
}

/// Announces the ports of the servers by Avahi, in one entry group. A daemon of Avahi that restarts
/// receives them again.
///
/// Everything but the protocol's functions runs on the thread of the connection.
/// - Source: Avahi 0.8, org.freedesktop.Avahi.Server.xml and EntryGroup.xml; avahi-common/defs.h
///   for the numbers.
final class AvahiAnnouncer: Server {
  private static let service = "org.freedesktop.Avahi"
  private static let server = "org.freedesktop.Avahi.Server"
  private static let entryGroup = "org.freedesktop.Avahi.EntryGroup"
  /// The daemon's state in which it accepts entries.
  private static let running = 2
  /// States of a group.
  private static let (established, collision, failure) = (2, 3, 4)
  /// All interfaces, all protocols; the flag for an address without a reverse record.
  private static let (anyInterface, anyProtocol, noReverse) = (Int32(-1), Int32(-1), UInt32(16))
  /// Time after the first announcement in which Avahi may start, seconds.
  private static let startTime = 20.0
  /// The pause after an error, seconds.
  private static let retryPause = 30.0
  /// Limit of a name in DNS, bytes.
  private static let mostInName = 63

  private struct State {
    var announcements: [Announcement] = []
    var registrations: [DBusRegistration] = []
    var isRunning = false
    var group: String?
    var name: String?
    /// Counts the names that were taken.
    var renamings = 0
    var isRetrying = false
    var noted = ""
  }

  private let connection: DBusConnection
  private let context: ServerContext
  private let state = Locked(State())

  /// Makes an announcer; nil without announcements.
  init?(_ settings: AnnouncementSettings, _ context: ServerContext) {
    guard settings.isOn else { return nil }
    connection = DBusConnection(settings.bus)
    self.context = context
  }

  func start() {
    context.announcements.observe { [weak self] announcements in
      guard let self else { return }
      connection.perform { [weak self] in self?.update(announcements) }
    }
  }

  func stop() {
    context.announcements.observe(nil)
    // Avahi withdraws the entries of a connection that ends.
    connection.close()
  }

  // MARK: On the connection's thread

  private func update(_ announcements: [Announcement]) {
    let isFirst = state.withLock { state in
      state.announcements = announcements
      return state.registrations.isEmpty && !announcements.isEmpty
    }
    // Without a port to announce the bus is not used.
    if isFirst { begin() } else { publish() }
  }

  private func begin() {
    func match(_ interface: String) -> DBusMatch {
      DBusMatch(service: Self.service, interface: interface, name: "StateChanged")
    }
    let registrations = [
      connection.subscribe(to: match(Self.server)) { [weak self] signal in
        self?.serverChanged(signal.arguments.first?.integer)
      },
      connection.subscribe(to: match(Self.entryGroup)) { [weak self] in self?.groupChanged($0) },
      connection.watch(Self.service) { [weak self] in self?.ownerChanged($0) },
    ]
    state.withLock { $0.registrations = registrations }
    connection.perform(after: Self.startTime) { [weak self] in self?.reportAbsence() }
  }

  private func reportAbsence() {
    guard state.withLock({ !$0.isRunning && !$0.announcements.isEmpty }) else { return }
    var reason = "Avahi does not run"
    do throws(DBusError) { _ = try connection.call(.bus("GetId")) } catch { reason = "\(error)" }
    context.log.notice(
      "announce: \(reason): programs of the network do not find the ports by themselves; sudo apt install "
        + "avahi-daemon, or set announce to off")
  }

  private func ownerChanged(_ owner: String?) {
    state.withLock { state in
      (state.isRunning, state.group, state.noted) = (owner != nil, nil, "")
    }
    publish()
  }

  private func serverChanged(_ number: Int?) {
    if number == Self.running { return publish() }
    // The machine's name is being changed: the entries have the old one.
    guard let group = state.withLock({ $0.group }) else { return }
    do throws(DBusError) { _ = try call(group, Self.entryGroup, "Reset") } catch { retry(error) }
  }

  private func groupChanged(_ signal: DBusSignal) {
    guard signal.path == state.withLock({ $0.group }) else { return }
    switch signal.arguments.first?.integer {
    case Self.established: reportSuccess()
    case Self.collision: rename()
    case Self.failure:
      let reason = signal.arguments.last?.text ?? ""
      report(isWarning: true, "announce: Avahi cannot announce the ports: \(reason)")
    default: break
    }
  }

  /// Registers all announcements in place of the earlier ones.
  private func publish() {
    let (announcements, isRunning) = state.withLock { ($0.announcements, $0.isRunning) }
    guard isRunning else { return }
    do throws(DBusError) {
      guard try call("/", Self.server, "GetState").first?.integer == Self.running else { return }
      let group = try group()
      _ = try call(group, Self.entryGroup, "Reset")
      guard !announcements.isEmpty else { return }
      let name = try name()
      try addLocalHost(announcements.map(\.reach), to: group)
      for announcement in announcements { try add(announcement, named: name, to: group) }
      _ = try call(group, Self.entryGroup, "Commit")
    } catch {
      // A name of this machine, of another program.
      if case .refused("org.freedesktop.Avahi.CollisionError", _) = error.kind {
        rename()
      } else {
        retry(error)
      }
    }
  }

  private func add(
    _ announcement: Announcement, named name: String, to group: String
  ) throws(DBusError) {
    let text = announcement.text.map { DBusValue.bytes(Array($0.utf8)) }
    let (interface, host) =
      switch announcement.reach {
      case .everywhere: (Self.anyInterface, "")
      case .interface(let index): (index, "")
      case .loopback(_, let index): (index, localHost)
      }
    _ = try call(
      group, Self.entryGroup, "AddService",
      [
        .int32(interface), .int32(Self.anyProtocol), .uint32(0), .string(name),
        .string(announcement.type), .string(""), .string(host),
        .uint16(UInt16(clamping: announcement.port)), .array(of: "ay", text),
      ])
  }

  /// Adds the host of the ports of loopback: the machine's own name may lead to an address at which
  /// they are not reached.
  private func addLocalHost(_ reaches: [ListeningReach], to group: String) throws(DBusError) {
    var added: [String] = []
    for case .loopback(let address, let index) in reaches where !added.contains(address) {
      added.append(address)
      _ = try call(
        group, Self.entryGroup, "AddAddress",
        [
          .int32(index), .int32(Self.anyProtocol), .uint32(Self.noReverse), .string(localHost),
          .string(address),
        ])
    }
  }

  private var localHost: String {
    let number = state.withLock { $0.renamings }
    return "lodestar-local\(number == 0 ? "" : "-\(number + 1)").local"
  }

  private func group() throws(DBusError) -> String {
    if let known = state.withLock({ $0.group }) { return known }
    let answer = try call("/", Self.server, "EntryGroupNew")
    guard let path = answer.first?.text else {
      throw DBusError(
        .unexpectedAnswer("no path"), bus: connection.address.name, service: Self.service,
        method: "EntryGroupNew")
    }
    state.withLock { $0.group = path }
    return path
  }

  private func name() throws(DBusError) -> String {
    if let known = state.withLock({ $0.name }) { return known }
    let host = try call("/", Self.server, "GetHostName").first?.text ?? ""
    var name = "Lodestar on \(host)"
    while name.utf8.count > Self.mostInName { name.removeLast() }
    state.withLock { [name] in $0.name = name }
    return name
  }

  /// Chooses another name after a collision.
  private func rename() {
    do throws(DBusError) {
      let name = try name()
      let other = try call("/", Self.server, "GetAlternativeServiceName", [.string(name)])
      state.withLock { state in
        state.name = other.first?.text
        state.renamings += 1
      }
      publish()
    } catch {
      retry(error)
    }
  }

  private func retry(_ error: DBusError) {
    report(isWarning: true, "announce: \(error)")
    let isFirst = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    guard isFirst else { return }
    connection.perform(after: Self.retryPause) { [weak self] in
      self?.state.withLock { $0.isRetrying = false }
      self?.publish()
    }
  }

  private func reportSuccess() {
    let (name, announcements) = state.withLock { ($0.name ?? "", $0.announcements) }
    let ports = announcements.map { one in
      "\(one.type) port \(one.port)" + (one.reach.isLoopback ? " (this machine only)" : "")
    }
    report(
      isWarning: false, "announced by Avahi as '\(name)': \(ports.joined(separator: ", "))")
  }

  /// Logs a text that is not the last one.
  private func report(isWarning: Bool, _ text: String) {
    let isNew = state.withLock { state in
      defer { state.noted = text }
      return state.noted != text
    }
    guard isNew else { return }
    if isWarning { context.log.warning(text) } else { context.log.notice(text) }
  }

  private func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [DBusValue] = []
  ) throws(DBusError) -> [DBusValue] {
    try connection.call(DBusCall(Self.service, path, interface, method, arguments))
  }
}
