import LinuxIO
import Synchronization

/// One connection to BlueZ, from the start of a scanner to its end. Everything except `start` and
/// `end` runs on the connection's thread.
final class BlueZSession: Sendable {
  private let connection: DBusConnection
  private let rfkill: String
  private let deliver = Mutex<(@Sendable (BeaconScanEvent) -> Void)?>(nil)
  // Used on the connection's thread only; the lock is held for single accesses.
  private let state = Mutex(State())

  private struct State {
    var purpose: BeaconScanPurpose?
    var registrations: [DBusRegistration] = []
    var tree: DBusObjectTree?
    var scanning: BlueZScan?
    var devices = BlueZDevices()
    var lastFault: BeaconError?
    var isRetrying = false
    var isRenewing = false
  }

  private var scanning: BlueZScan? { state.withLock { $0.scanning } }

  init(_ address: DBusAddress, rfkill: String) {
    connection = DBusConnection(address)
    self.rfkill = rfkill
  }

  // MARK: From any thread

  func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    self.deliver.withLock { $0 = deliver }
    connection.perform { [weak self] in self?.begin(purpose) }
  }

  /// Ends the session; it stays alive until BlueZ has received the requests.
  func end() {
    deliver.withLock { $0 = nil }
    connection.perform { [self] in
      state.withLock { $0.purpose = nil }
      release()
      let (registrations, tree) = state.withLock { state in
        defer { state.registrations = [] }
        return (state.registrations, state.tree)
      }
      for registration in registrations { registration.cancel() }
      tree?.close()
      connection.close()
    }
  }

  private func report(_ event: BeaconScanEvent) { deliver.withLock { $0 }?(event) }

  // MARK: On the connection's thread

  private func begin(_ purpose: BeaconScanPurpose) {
    let isFirst = state.withLock { state in
      defer { state.purpose = purpose }
      return state.purpose == nil
    }
    if isFirst { subscribe() }
    adjustScan()
  }

  private func subscribe() {
    func match(
      _ interface: String, _ name: String, _ path: String?, _ argument: String?
    ) -> DBusMatch {
      DBusMatch(
        service: BlueZNames.service, interface: interface, name: name, pathNamespace: path,
        firstArgument: argument)
    }
    let (objects, properties) = (BlueZNames.objects, BlueZNames.properties)
    let matches: [(DBusMatch, @Sendable (BlueZSession, DBusSignal) -> Void)] = [
      (match(objects, "InterfacesAdded", nil, nil), { $0.added($1) }),
      (match(objects, "InterfacesRemoved", nil, nil), { $0.removed($1) }),
      (
        match(properties, "PropertiesChanged", "/org/bluez", BlueZNames.device),
        { $0.deviceChanged($1) }
      ),
      (
        match(properties, "PropertiesChanged", "/org/bluez", BlueZNames.adapter),
        { session, _ in session.adjustScan() }
      ),
    ]
    var registrations = matches.map { match, body in
      connection.subscribe(to: match) { [weak self] signal in
        if let self { body(self, signal) }
      }
    }
    let watch = connection.watch(BlueZNames.service) { [weak self] owner in
      if owner == nil { self?.forget() }
      self?.adjustScan()
    }
    registrations.append(watch)
    state.withLock { $0.registrations = registrations }
  }

  /// Clears the state: BlueZ has lost this process's scan.
  private func forget() {
    state.withLock { ($0.scanning, $0.devices) = (nil, BlueZDevices()) }
  }

  /// Adjusts the scan to the purpose and the available adapter.
  private func adjustScan() {
    guard let purpose = state.withLock({ $0.purpose }) else { return }
    do throws(BeaconError) {
      let adapter = try BlueZScanner.adapter(
        over: connection, rfkill: rfkill, preferring: scanning?.adapter)
      if scanning?.adapter != adapter.path { forget() }
      try scan(with: adapter, for: purpose)
      state.withLock { $0.lastFault = nil }
    } catch {
      forget()
      let isNew = state.withLock { state in
        defer { state.lastFault = error }
        return state.lastFault != error
      }
      // A repeated error is reported once.
      if isNew { report(.unavailable(error)) }
      retry()
    }
  }

  /// Tries again later: new adapters and daemons send signals, but the end of a refusal does not.
  private func retry() {
    let isFirst = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    guard isFirst else { return }
    connection.perform(after: BlueZScanner.retryPause) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRetrying = false }
      if scanning == nil { adjustScan() }
    }
  }

  private func scan(
    with adapter: BlueZAdapter, for purpose: BeaconScanPurpose
  ) throws(BeaconError) {
    var scan = scanning ?? BlueZScan(adapter: adapter.path)
    if scan.monitor == .none {
      scan.monitor = adapter.monitorsPatterns ? .asked : .refused
      if adapter.monitorsPatterns { register(at: adapter.path) }
    }
    let needsDiscovery = purpose == .ranging || scan.monitor == .refused
    if needsDiscovery, !scan.discovers {
      try discover(with: adapter.path)
    } else if !needsDiscovery, scan.discovers {
      call(adapter.path, BlueZNames.adapter, "StopDiscovery")
    }
    scan.discovers = needsDiscovery
    let wasListening = scanning?.listens ?? false
    state.withLock { $0.scanning = scan }
    if scan.listens, !wasListening { report(.listening(adapter: adapter.name)) }
    if scan.needsRenewal(for: purpose) { renewLater() }
  }

  /// Restarts discovery when known beacons are not reported: a controller that reports each beacon
  /// once in a scan would leave ranging without strengths for the rest of its 10 s.
  private func renewLater() {
    let isFirst = state.withLock { state in
      defer { state.isRenewing = true }
      return !state.isRenewing
    }
    guard isFirst else { return }
    connection.perform(after: BlueZScanner.renewalSeconds) { [weak self] in
      guard let self else { return }
      let (purpose, scanning, areSilent) = state.withLock { state in
        state.isRenewing = false
        let areSilent = state.devices.areSilent(
          for: BlueZScanner.renewalSeconds, at: MonotonicClock.now)
        return (state.purpose, state.scanning, areSilent)
      }
      guard let purpose, let scan = scanning, scan.needsRenewal(for: purpose) else { return }
      if areSilent {
        call(scan.adapter, BlueZNames.adapter, "StopDiscovery")
        do throws(BeaconError) {
          try discover(with: scan.adapter)
        } catch {
          // `adjustScan` tries again, and reports a second failure.
          forget()
          adjustScan()
        }
      }
      renewLater()
    }
  }

  // MARK: Requests to BlueZ

  /// Registers the pattern. BlueZ requests this process's objects before it answers.
  private func register(at adapter: String) {
    if state.withLock({ $0.tree == nil }) { expose() }
    let asked = DBusCall(
      BlueZNames.service, adapter, BlueZNames.monitors, "RegisterMonitor",
      [.objectPath(BlueZNames.monitorRoot)])
    connection.call(asked) { [weak self] result in
      guard let self, scanning?.adapter == adapter, scanning?.monitor == .asked else { return }
      switch result {
      case .success: state.withLock { $0.scanning?.monitor = .active }
      // The registration survives a power cycle of the adapter.
      case .failure(let error) where error.isNamed("org.bluez.Error.AlreadyExists"):
        state.withLock { $0.scanning?.monitor = .active }
      case .failure: state.withLock { $0.scanning?.monitor = .refused }
      }
      if scanning?.discovers == false, scanning?.monitor == .active {
        report(.listening(adapter: BlueZAdapter.name(of: adapter)))
      }
      adjustScan()
    }
  }

  private func expose() {
    do throws(DBusError) {
      let tree = DBusObjectTree(connection, root: BlueZNames.monitorRoot)
      // Company, type and length at the start of manufacturer data (0xFF). No RSSI property, not
      // even the sampling period: BlueZ would then report a device only once, 10 s after its first
      // advertisement.
      let pattern: [UInt8] = [0x4C, 0x00] + IBeaconAdvertisement.prefix
      let properties: [String: DBusValue] = [
        "Type": .string("or_patterns"),
        "Patterns": .array(
          of: "(yyay)", [.structure([.byte(0), .byte(0xFF), .bytes(pattern)])]),
      ]
      try tree.add(
        BlueZNames.monitor, at: BlueZNames.monitorPath, properties: properties
      ) { [weak self] call in self?.monitorCalled(call) ?? .values([]) }
      state.withLock { $0.tree = tree }
    } catch {
      // The bus is lost; the next call reports it.
    }
  }

  private func discover(with path: String) throws(BeaconError) {
    let filter = DBusValue.properties(["Transport": .string("le"), "DuplicateData": .boolean(true)])
    let service = BlueZNames.service
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(service, path, BlueZNames.adapter, "SetDiscoveryFilter", [filter]))
      _ = try connection.call(DBusCall(service, path, BlueZNames.adapter, "StartDiscovery"))
    } catch {
      // This connection has already started discovery.
      if error.isNamed("org.bluez.Error.InProgress") { return }
      throw BeaconError(.refused(BlueZAdapter.name(of: path)), cause: error)
    }
  }

  /// Calls a method and ignores a failure, such as a missing daemon.
  private func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [DBusValue] = []
  ) {
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(BlueZNames.service, path, interface, method, arguments), within: 2)
    } catch {
      // BlueZ releases the resources of a connection when it ends, which is next.
    }
  }

  private func release() {
    guard let held = scanning else { return }
    if held.discovers { call(held.adapter, BlueZNames.adapter, "StopDiscovery") }
    if held.monitor == .asked || held.monitor == .active {
      call(
        held.adapter, BlueZNames.monitors, "UnregisterMonitor",
        [.objectPath(BlueZNames.monitorRoot)])
    }
    forget()
  }

  // MARK: Signals and calls from BlueZ

  private func added(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].text,
      let interfaces = signal.arguments[1].members
    else { return }
    if interfaces[BlueZNames.adapter] != nil { adjustScan() }
    if let properties = interfaces[BlueZNames.device]?.members { update(path, properties) }
  }

  private func removed(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].text,
      let names = signal.arguments[1].elements?.compactMap(\.text)
    else { return }
    if names.contains(BlueZNames.device) { state.withLock { $0.devices.remove(path) } }
    if names.contains(BlueZNames.adapter), path == scanning?.adapter {
      forget()
      adjustScan()
    }
  }

  private func deviceChanged(_ signal: DBusSignal) {
    guard signal.arguments.count == 3, let properties = signal.arguments[1].members else { return }
    update(signal.path, properties)
  }

  private func update(_ path: String, _ properties: [String: DBusValue]) {
    // With the slash, because hci1 is a prefix of hci10.
    guard let scanning, path.hasPrefix(scanning.adapter + "/") else { return }
    let sighting = state.withLock {
      $0.devices.update(path, properties, at: MonotonicClock.now)
    }
    if let sighting { report(.sighting(sighting)) }
  }

  private func monitorCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    let device = call.arguments.first?.text ?? ""
    switch call.method {
    case "DeviceFound":
      // Discovery reports the same advertisement with its strength.
      if scanning?.discovers == false { found(device) }
    case "Release":
      // Deactivated: the adapter was switched off, or the pattern was refused.
      if scanning?.monitor == .active {
        state.withLock { $0.scanning?.monitor = .refused }
        adjustScan()
      }
    // DeviceLost: sent only with thresholds, or by controllers that match patterns themselves;
    // `BeaconPresence` counts the silence instead.
    default: break
    }
    return .values([])
  }

  private func found(_ path: String) {
    if !state.withLock({ $0.devices.knows(path) }) {
      let asked = DBusCall(
        BlueZNames.service, path, BlueZNames.properties, "GetAll", [.string(BlueZNames.device)])
      do throws(DBusError) {
        let answer = try connection.call(asked, within: 2)
        if let properties = answer.first?.members {
          state.withLock { _ = $0.devices.update(path, properties, at: MonotonicClock.now) }
        }
      } catch {
        // The device was removed; the next advertisement reports it again.
        return
      }
    }
    let sighting = state.withLock { $0.devices.sighting(path, at: MonotonicClock.now) }
    if let sighting { report(.sighting(sighting)) }
  }
}
