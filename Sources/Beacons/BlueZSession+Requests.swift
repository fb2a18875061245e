import LinuxDBus

/// What BlueZ is asked for, on the connection's thread.
extension BlueZSession {
  /// Registers the pattern. BlueZ asks for this process's objects before it answers.
  func register(at adapter: String) {
    if tree == nil { expose() }
    let asked = DBusCall(
      BlueZNames.service, adapter, BlueZNames.monitors, "RegisterMonitor",
      [.objectPath(BlueZNames.monitorRoot)])
    connection.call(asked) { [weak self] result in
      guard let self, scanning?.adapter == adapter, scanning?.monitor == .asked else { return }
      switch result {
      case .success: scanning?.monitor = .active
      // It outlived the adapter's being switched off.
      case .failure(let error) where error.isNamed("org.bluez.Error.AlreadyExists"):
        scanning?.monitor = .active
      case .failure: scanning?.monitor = .refused
      }
      if scanning?.discovers == false, scanning?.monitor == .active {
        tell(.listening(adapter: BlueZAdapter.name(of: adapter)))
      }
      settle()
    }
  }

  private func expose() {
    do throws(DBusError) {
      let tree = DBusObjectTree(connection, root: BlueZNames.monitorRoot)
      // Company, type and length at the beginning of manufacturer data (0xFF). Nothing of RSSI, not even the
      // sampling period: else BlueZ tells of a device once, 10 s after it was first heard.
      let pattern: [UInt8] = [0x4C, 0x00] + IBeaconAdvertisement.prefix
      let properties: [String: DBusValue] = [
        "Type": .string("or_patterns"),
        "Patterns": .array(
          of: "(yyay)", [.structure([.byte(0), .byte(0xFF), .bytes(pattern)])]),
      ]
      try tree.add(
        BlueZNames.monitor, at: BlueZNames.monitorPath, properties: properties
      ) { [weak self] call in self?.monitorCalled(call) ?? .values([]) }
      self.tree = tree
    } catch {
      // The bus is gone, and BlueZ with it: what follows says so.
    }
  }

  func discover(with path: String) throws(BeaconError) {
    let filter = DBusValue.properties(["Transport": .string("le"), "DuplicateData": .boolean(true)])
    let service = BlueZNames.service
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(service, path, BlueZNames.adapter, "SetDiscoveryFilter", [filter]))
      _ = try connection.call(DBusCall(service, path, BlueZNames.adapter, "StartDiscovery"))
    } catch {
      // A session of this connection's own is one that is wanted.
      if error.isNamed("org.bluez.Error.InProgress") { return }
      throw BeaconError(.refused(BlueZAdapter.name(of: path)), cause: error)
    }
  }

  /// Calls what cannot matter if it fails, as when the daemon is gone.
  func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [DBusValue] = []
  ) {
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(BlueZNames.service, path, interface, method, arguments), within: 2)
    } catch {
      // BlueZ lets go of what a connection held when that ends, which is next.
    }
  }

  func release() {
    guard let held = scanning else { return }
    if held.discovers { call(held.adapter, BlueZNames.adapter, "StopDiscovery") }
    if held.monitor == .asked || held.monitor == .active {
      call(
        held.adapter, BlueZNames.monitors, "UnregisterMonitor",
        [.objectPath(BlueZNames.monitorRoot)])
    }
    forget()
  }
}
