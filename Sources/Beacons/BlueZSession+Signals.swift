import LinuxDBus
import Quantities

/// What BlueZ says, on the connection's thread.
extension BlueZSession {
  func added(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].text,
      let interfaces = signal.arguments[1].members
    else { return }
    if interfaces[BlueZNames.adapter] != nil { settle() }
    if let properties = interfaces[BlueZNames.device]?.members { update(path, properties) }
  }

  func removed(_ signal: DBusSignal) {
    guard signal.arguments.count == 2, let path = signal.arguments[0].text,
      let names = signal.arguments[1].elements?.compactMap(\.text)
    else { return }
    if names.contains(BlueZNames.device) { devices.remove(path) }
    if names.contains(BlueZNames.adapter), path == scanning?.adapter {
      forget()
      settle()
    }
  }

  func deviceChanged(_ signal: DBusSignal) {
    guard signal.arguments.count == 3, let properties = signal.arguments[1].members else { return }
    update(signal.path, properties)
  }

  private func update(_ path: String, _ properties: [String: DBusValue]) {
    // The last slash: a prefix would take hci1's devices for those of hci10.
    guard let scanning, path.hasPrefix(scanning.adapter + "/") else { return }
    guard let sighting = devices.update(path, properties, at: BeaconClock.now) else { return }
    tell(.sighting(sighting))
  }

  func monitorCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    let device = call.arguments.first?.text ?? ""
    switch call.method {
    case "DeviceFound":
      // In discovery the same advertisement comes with its strength.
      if scanning?.discovers == false { found(device) }
    case "Release":
      // Deactivated: the adapter was switched off, or the pattern was not taken.
      if scanning?.monitor == .active {
        scanning?.monitor = .refused
        settle()
      }
    // DeviceLost: only with thresholds, or of controllers that look for the pattern themselves; silence is
    // counted above.
    default: break
    }
    return .values([])
  }

  private func found(_ path: String) {
    if !devices.knows(path) {
      let asked = DBusCall(
        BlueZNames.service, path, BlueZNames.properties, "GetAll", [.string(BlueZNames.device)])
      do throws(DBusError) {
        let answer = try connection.call(asked, within: 2)
        if let properties = answer.first?.members {
          _ = devices.update(path, properties, at: BeaconClock.now)
        }
      } catch {
        // Gone again; the next advertisement tells.
        return
      }
    }
    if let sighting = devices.sighting(path, at: BeaconClock.now) { tell(.sighting(sighting)) }
  }
}
