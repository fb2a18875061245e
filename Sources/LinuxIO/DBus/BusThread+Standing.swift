/// The state that outlives a connection: requested again after each reconnection.
struct StandingRequests {
  var subscriptions: [Int: (match: DBusMatch, body: (DBusSignal) -> Void)] = [:]
  var watches: [Int: (service: String, body: (String?) -> Void)] = [:]
  var objects: [String: (key: Int, answer: (DBusIncomingCall) -> DBusAnswer)] = [:]
  var names: Set<String> = []

  var isEmpty: Bool {
    subscriptions.isEmpty && watches.isEmpty && objects.isEmpty && names.isEmpty
  }

  /// The services whose owners are tracked.
  var services: Set<String> {
    Set(subscriptions.values.map(\.match.service)).union(watches.values.map(\.service))
  }
}

extension BusThread {
  private static let ownerChange = "NameOwnerChanged"

  private static func ownerMatch(_ service: String) -> DBusMatch {
    DBusMatch(
      service: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: ownerChange,
      firstArgument: service)
  }

  /// Sends a request to the bus without waiting for its answer.
  private func request(_ method: String, _ arguments: [DBusValue]) {
    guard link != nil else { return }
    _ = begin(
      .bus(method, arguments), deadline: BusClock.seconds + Self.busTimeout, isConnecting: true
    ) { _ in }
  }

  /// Requests everything again on a new connection.
  func restore() {
    for name in standing.names { request("RequestName", [.string(name), .uint32(0)]) }
    for service in standing.services { follow(service) }
    for subscription in standing.subscriptions.values {
      request("AddMatch", [.string(subscription.match.rule)])
    }
  }

  /// Tracks the owner of a service. The rule is sent before the query, so that no change is missed.
  private func follow(_ service: String) {
    guard service != "org.freedesktop.DBus", link != nil else { return }
    request("AddMatch", [.string(Self.ownerMatch(service).rule)])
    let deadline = BusClock.seconds + Self.busTimeout
    _ = begin(
      .bus("GetNameOwner", [.string(service)]), deadline: deadline, isConnecting: true
    ) { [self] answer in
      if case .success(let values) = answer {
        setOwner(of: service, to: values.first?.text)
      } else if owners[service] == nil {
        // No owner yet: notify the watchers once.
        notifyWatchers(of: service)
      }
    }
  }

  private func setOwner(of service: String, to owner: String?) {
    guard owners[service] != owner else { return }
    owners[service] = owner
    notifyWatchers(of: service)
  }

  private func notifyWatchers(of service: String) {
    for watch in standing.watches.values where watch.service == service {
      watch.body(owners[service])
    }
  }

  func forgetOwners() {
    for service in Array(owners.keys) { setOwner(of: service, to: nil) }
  }

  func add(_ key: Int, _ match: DBusMatch, _ body: @escaping (DBusSignal) -> Void) {
    let isFollowed = standing.services.contains(match.service)
    standing.subscriptions[key] = (match, body)
    guard link != nil else { return }
    if !isFollowed { follow(match.service) }
    request("AddMatch", [.string(match.rule)])
  }

  func removeSubscription(_ key: Int) {
    guard let gone = standing.subscriptions.removeValue(forKey: key) else { return }
    // The bus counts rules: the second of two equal ones stays.
    request("RemoveMatch", [.string(gone.match.rule)])
    unfollow(gone.match.service)
  }

  func add(_ key: Int, watching service: String, _ body: @escaping (String?) -> Void) {
    let isFollowed = standing.services.contains(service)
    standing.watches[key] = (service, body)
    guard link != nil else { return }
    if isFollowed { body(owners[service]) } else { follow(service) }
  }

  func removeWatch(_ key: Int) {
    guard let gone = standing.watches.removeValue(forKey: key) else { return }
    unfollow(gone.service)
  }

  private func unfollow(_ service: String) {
    guard !standing.services.contains(service), service != "org.freedesktop.DBus" else { return }
    request("RemoveMatch", [.string(Self.ownerMatch(service).rule)])
    owners[service] = nil
  }

  func removeObject(_ path: String, _ key: Int) {
    if standing.objects[path]?.key == key { standing.objects[path] = nil }
  }

  /// Delivers the messages in the inbox.
  func deliver() {
    while !inbox.isEmpty {
      let received = inbox.removeFirst()
      switch received.kind {
      case .signal: deliver(signal: received)
      case .call: deliver(call: received)
      case .reply, .fault: break
      }
    }
  }

  private func deliver(signal received: BusLink.Received) {
    // A signal beyond the limits is dropped: no call waits for it.
    guard case .success(let arguments) = received.values else { return }
    var signal = DBusSignal(received.path, received.interface, received.member, arguments)
    signal.sender = received.sender
    let isFromBus = received.sender == "org.freedesktop.DBus"
    if isFromBus, signal.name == Self.ownerChange, arguments.count == 3,
      let service = arguments[0].text, standing.services.contains(service)
    {
      let owner = arguments[2].text ?? ""
      setOwner(of: service, to: owner.isEmpty ? nil : owner)
    }
    for subscription in standing.subscriptions.values where subscription.match.accepts(signal) {
      // Any process may send a signal directly to this connection, so the sender is checked here.
      let service = subscription.match.service
      let isGenuine = owners[service] == signal.sender || (isFromBus && service == signal.sender)
      if isGenuine { subscription.body(signal) }
    }
  }

  private func deliver(call received: BusLink.Received) {
    let incoming: DBusAnswer
    if case .success(let arguments) = received.values {
      let call = DBusIncomingCall(
        sender: received.sender, path: received.path, interface: received.interface,
        method: received.member, arguments: arguments)
      incoming = answer(to: call)
    } else {
      incoming = .fault(
        name: "org.freedesktop.DBus.Error.LimitsExceeded", message: "too many values")
    }
    guard let message = received.call, let link else { return }
    do throws(DBusWire.Fault) {
      try link.answer(message, with: incoming)
    } catch {
      // The answer cannot be encoded: the call times out at the caller.
    }
  }

  private func answer(to call: DBusIncomingCall) -> DBusAnswer {
    if call.interface == "org.freedesktop.DBus.Peer", call.method == "Ping" { return .values([]) }
    if let object = standing.objects[call.path] { return object.answer(call) }
    return .fault(
      name: "org.freedesktop.DBus.Error.UnknownObject", message: "there is no object \(call.path)")
  }
}
