import Foundation
import LinuxIO
import Radio
import TestSupport

/// A mock of BlueZ on a private bus, made from its documents and sources, not from recorded
/// traffic. It has adapters, devices, discovery with filters and advertisement monitors, and
/// suppresses the same reports as BlueZ.
/// - Source: BlueZ, doc/org.bluez.Adapter.rst, org.bluez.Device.rst,
///   org.bluez.AdvertisementMonitor*.rst; 5.66, src/adapter.c, src/device.c, src/adv_monitor.c.
final class MockBlueZ: @unchecked Sendable {
  static let hci0 = "/org/bluez/hci0"
  private static let objects = "org.freedesktop.DBus.ObjectManager"

  let connection: DBusConnection
  let tree: DBusObjectTree
  private let lock = NSLock()
  private var log: [String] = []
  private var filters: [String: DBusValue] = [:]
  private var isDiscovering = false
  private var reported: [String: (rssi: Int, data: [UInt8])] = [:]
  private var applications: [(owner: String, root: String, monitor: String, pattern: [UInt8])] = []
  private var refusals: Set<String> = []

  init(_ bus: PrivateBus) throws {
    connection = DBusConnection(DBusAddress(bus.address))
    tree = DBusObjectTree(connection, root: "/")
    try connection.own("org.bluez")
  }

  /// The requests of clients, in order.
  var requests: [String] { lock.withLock { log } }

  /// Makes a method fail from now on.
  func refuse(_ method: String) { lock.withLock { _ = refusals.insert(method) } }

  func plugIn(
    _ path: String = hci0, powered: Bool = true, monitors: Bool = false, state: String = "on"
  ) throws {
    try tree.add(
      "org.bluez.Adapter1", at: path,
      properties: ["Powered": .boolean(powered), "PowerState": .string(state)]
    ) { [weak self] in self?.adapterCalled($0) ?? .unknownMethod($0) }
    guard monitors else { return }
    try tree.add(
      "org.bluez.AdvertisementMonitorManager1", at: path,
      properties: ["SupportedMonitorTypes": .array(of: "s", [.string("or_patterns")])]
    ) { [weak self] in self?.monitorsCalled($0) ?? .unknownMethod($0) }
  }

  func unplug(_ path: String = hci0) throws {
    lock.withLock {
      isDiscovering = false
      applications = []
      reported = [:]
    }
    try tree.remove(path)
  }

  func power(_ isOn: Bool, _ path: String = hci0) throws {
    lock.withLock { if !isOn { isDiscovering = false } }
    try tree.change(["Powered": .boolean(isOn)], of: "org.bluez.Adapter1", at: path)
  }

  private func record(_ text: String) -> Bool {
    lock.withLock {
      log.append(text)
      return refusals.contains(text)
    }
  }

  private static let refusal = DBusAnswer.fault(
    name: "org.bluez.Error.Failed", message: "Failed")

  private func adapterCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    if record(call.method) { return Self.refusal }
    switch call.method {
    case "SetDiscoveryFilter":
      lock.withLock { filters = call.arguments.first?.members ?? [:] }
    case "StartDiscovery":
      let wasDiscovering = lock.withLock {
        defer { isDiscovering = true }
        return isDiscovering
      }
      if wasDiscovering {
        return .fault(name: "org.bluez.Error.InProgress", message: "Operation already in progress")
      }
    case "StopDiscovery": lock.withLock { isDiscovering = false }
    default: return .unknownMethod(call)
    }
    return .values([])
  }

  /// Asks the application for its objects before it answers, as the daemon does.
  private func monitorsCalled(_ call: DBusIncomingCall) -> DBusAnswer {
    if record(call.method) { return Self.refusal }
    guard let root = call.arguments.first?.text else {
      return .fault(name: "org.bluez.Error.InvalidArguments", message: "Invalid arguments")
    }
    let known = lock.withLock {
      applications.first { $0.owner == call.sender && $0.root == root }
    }
    if call.method == "UnregisterMonitor" {
      guard let known else {
        return .fault(name: "org.bluez.Error.DoesNotExist", message: "Does Not Exist")
      }
      lock.withLock { applications.removeAll { $0.owner == call.sender } }
      callMonitor(known.owner, known.monitor, "Release", [])
      return .values([])
    }
    guard known == nil else {
      return .fault(name: "org.bluez.Error.AlreadyExists", message: "Already Exists")
    }
    do throws(DBusError) {
      let answer = try connection.call(
        DBusCall(call.sender, root, Self.objects, "GetManagedObjects"))
      let listed = ManagedObjects(answer)?.objects ?? [:]
      for (path, interfaces) in listed where path.hasPrefix(root) {
        guard let monitor = interfaces["org.bluez.AdvertisementMonitor1"],
          // With any RSSI property a device would be reported once only, after 10 s.
          !monitor.keys.contains(where: { $0.hasPrefix("RSSI") }),
          monitor["Type"]?.text == "or_patterns", let pattern = Self.pattern(monitor["Patterns"])
        else { continue }
        lock.withLock { applications.append((call.sender, root, path, pattern)) }
        callMonitor(call.sender, path, "Activate", [])
      }
      return .values([])
    } catch {
      return Self.refusal
    }
  }

  /// The one pattern at the beginning of manufacturer data.
  private static func pattern(_ value: DBusValue?) -> [UInt8]? {
    guard let parts = value?.elements?.first?.elements, parts.count == 3, parts[0] == .byte(0),
      parts[1] == .byte(0xFF), let bytes = parts[2].bytes, !bytes.isEmpty, bytes.count <= 31
    else { return nil }
    return bytes
  }

  /// Calls an application's monitor without waiting for the answer (noreply).
  private func callMonitor(
    _ owner: String, _ path: String, _ method: String, _ arguments: [DBusValue]
  ) {
    let call = DBusCall(owner, path, "org.bluez.AdvertisementMonitor1", method, arguments)
    connection.call(call) { _ in }
  }

  /// One advertisement on the air.
  func advertise(
    _ beacon: IBeaconAdvertisement, from address: String, rssi: Int, adapter: String = hci0
  ) throws {
    try advertise(beacon.manufacturerData, 0x004C, from: address, rssi: rssi, adapter: adapter)
  }

  func advertise(
    _ data: [UInt8], _ company: UInt16, from address: String, rssi: Int, adapter: String = hci0
  ) throws {
    let onAir = [UInt8(company & 0xFF), UInt8(company >> 8)] + data
    let path = adapter + "/dev_" + address.replacingOccurrences(of: ":", with: "_")
    let (matching, discovers, filtered, duplicates, before) = lock.withLock {
      let matching = applications.filter { onAir.starts(with: $0.pattern) }
      let before = reported[path]
      if !matching.isEmpty || isDiscovering { reported[path] = (rssi, data) }
      return (
        matching, isDiscovering, isDiscovering && !filters.isEmpty,
        isDiscovering && filters["DuplicateData"]?.boolean == true, before
      )
    }
    guard discovers || !matching.isEmpty else { return }
    let manufacturerData = DBusValue.dictionary(
      key: "q", value: "v", [DBusValue.Entry(.uint16(company), .variant(.bytes(data)))])
    if let before {
      var changes: [String: DBusValue] = [:]
      if duplicates || before.data != data { changes["ManufacturerData"] = manufacturerData }
      if filtered || abs(before.rssi - rssi) >= 8 {
        changes["RSSI"] = .int16(Int16(rssi))
      } else {
        lock.withLock { reported[path]?.rssi = before.rssi }
      }
      if !changes.isEmpty { try tree.change(changes, of: "org.bluez.Device1", at: path) }
    } else {
      try tree.add(
        "org.bluez.Device1", at: path,
        properties: [
          "Address": .string(address), "RSSI": .int16(Int16(rssi)),
          "ManufacturerData": manufacturerData,
        ])
    }
    for each in matching {
      callMonitor(each.owner, each.monitor, "DeviceFound", [.objectPath(path)])
    }
  }

  /// Removes a device, as the daemon does 30 s after its last advertisement.
  func forget(_ address: String, adapter: String = hci0) throws {
    let path = adapter + "/dev_" + address.replacingOccurrences(of: ":", with: "_")
    lock.withLock { reported[path] = nil }
    try tree.remove(path)
  }
}
