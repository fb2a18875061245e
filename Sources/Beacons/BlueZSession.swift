import Foundation
import LinuxDBus

/// One connection to BlueZ, from the start of a scanner to its end. Everything but `want` and `end` runs on
/// the connection's thread.
final class BlueZSession: @unchecked Sendable {
  let connection: DBusConnection
  private let rfkill: String
  private let lock = NSLock()
  private var deliver: (@Sendable (BeaconScanEvent) -> Void)?

  // The connection's thread's own.
  private var purpose: BeaconScanPurpose?
  private var registrations: [DBusRegistration] = []
  var tree: DBusObjectTree?
  var scanning: BlueZScan?
  var devices = BlueZDevices()
  private var lastFault: BeaconError?
  private var isRetrying = false
  private var isRenewing = false

  init(_ address: DBusAddress, rfkill: String) {
    connection = DBusConnection(address)
    self.rfkill = rfkill
  }

  // --- from any thread

  func want(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    lock.withLock { self.deliver = deliver }
    connection.perform { [weak self] in self?.begin(purpose) }
  }

  /// The session stays until BlueZ has been told.
  func end() {
    lock.withLock { deliver = nil }
    connection.perform { [self] in
      purpose = nil
      release()
      registrations = []
      tree?.close()
      connection.close()
    }
  }

  func tell(_ event: BeaconScanEvent) { lock.withLock { deliver }?(event) }

  // --- on the connection's thread

  private func begin(_ purpose: BeaconScanPurpose) {
    let isFirst = self.purpose == nil
    self.purpose = purpose
    if isFirst { subscribe() }
    settle()
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
        { session, _ in session.settle() }
      ),
    ]
    registrations = matches.map { match, body in
      connection.subscribe(to: match) { [weak self] signal in
        if let self { body(self, signal) }
      }
    }
    let watch = connection.watch(BlueZNames.service) { [weak self] owner in
      if owner == nil { self?.forget() }
      self?.settle()
    }
    registrations.append(watch)
  }

  /// What BlueZ held for this process is gone with it.
  func forget() {
    scanning = nil
    devices = BlueZDevices()
  }

  /// Brings the scan to what is wanted and possible.
  func settle() {
    guard let purpose else { return }
    do throws(BeaconError) {
      let adapter = try BlueZScanner.adapter(
        over: connection, rfkill: rfkill, preferring: scanning?.adapter)
      if scanning?.adapter != adapter.path { forget() }
      try scan(with: adapter, for: purpose)
      lastFault = nil
    } catch {
      forget()
      // A flapping adapter is told of once for each cause.
      if lastFault != error { tell(.unavailable(error)) }
      lastFault = error
      retry()
    }
  }

  /// Signals tell of adapters and daemons that come; a refusal is only found out by asking again.
  private func retry() {
    guard !isRetrying else { return }
    isRetrying = true
    connection.perform(after: BlueZScanner.retryPause) { [weak self] in
      guard let self else { return }
      isRetrying = false
      if scanning == nil { settle() }
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
    scanning = scan
    if scan.listens, !wasListening { tell(.listening(adapter: adapter.name)) }
    if scan.needsRenewal(for: purpose) { renewLater() }
  }

  /// Has discovery begin again where known beacons are not reported: a controller that reports each once a
  /// scan would leave ranging without strengths for the rest of its 10 s.
  private func renewLater() {
    guard !isRenewing else { return }
    isRenewing = true
    connection.perform(after: BlueZScanner.renewalSeconds) { [weak self] in
      guard let self else { return }
      isRenewing = false
      guard let purpose, let scan = scanning, scan.needsRenewal(for: purpose) else { return }
      if devices.areSilent(for: BlueZScanner.renewalSeconds, at: BeaconClock.now) {
        call(scan.adapter, BlueZNames.adapter, "StopDiscovery")
        do throws(BeaconError) {
          try discover(with: scan.adapter)
        } catch {
          // Asked once more, and told of where that fails too.
          forget()
          settle()
        }
      }
      renewLater()
    }
  }
}
