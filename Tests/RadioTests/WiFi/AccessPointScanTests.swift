import Foundation
import LinuxIO
import Radio
import TestSupport
import Testing

/// Against mocks of the daemons, made after their documents.
@Suite(
  "Scans for access points, against mocks of the daemons",
  .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.absence)),
  .timeLimit(.minutes(30)))
struct AccessPointScanTests {
  private static let manager = "/org/freedesktop/NetworkManager"
  private static let managerName = "org.freedesktop.NetworkManager"

  private static func kind(_ bus: PrivateBus) -> WiFiError.Kind? {
    do throws(WiFiError) {
      _ = try SystemAccessPoints(DBusAddress(bus.address)).accessPoints()
      return nil
    } catch {
      return error.kind
    }
  }

  /// NetworkManager with an Ethernet device and optionally a Wi-Fi device.
  private static func networkManager(
    _ bus: PrivateBus, hasWiFi: Bool, requests: Collected<String>, mayScan: Bool = true
  ) throws -> DBusObjectTree {
    let connection = DBusConnection(DBusAddress(bus.address))
    let tree = DBusObjectTree(connection, root: "/")
    let devices = ["/d/1"] + (hasWiFi ? ["/d/2"] : [])
    try tree.add(managerName, at: manager) { call in
      guard call.method == "GetDevices" else { return .unknownMethod(call) }
      return .values([.array(of: "o", devices.map(DBusValue.objectPath))])
    }
    try tree.add(managerName + ".Device", at: "/d/1", properties: ["DeviceType": .uint32(1)])
    try tree.add(managerName + ".Device", at: "/d/2", properties: ["DeviceType": .uint32(2)])
    let wireless = managerName + ".Device.Wireless"
    let paths = ["/a/1", "/a/2", "/a/3", "/a/gone"]
    try tree.add(wireless, at: "/d/2", properties: ["LastScan": .int64(1000)]) { [weak tree] call in
      requests.add(call.method)
      switch call.method {
      case "RequestScan":
        guard mayScan else {
          return .fault(
            name: "org.freedesktop.NetworkManager.Device.NotAllowed",
            message: "Scanning not allowed immediately following previous scan")
        }
        do throws(DBusError) {
          try tree?.change(["LastScan": .int64(2000)], of: wireless, at: "/d/2")
        } catch {
          return .unknownMethod(call)
        }
        return .values([])
      case "GetAllAccessPoints":
        return .values([.array(of: "o", paths.map(DBusValue.objectPath))])
      default: return .unknownMethod(call)
      }
    }
    let point = managerName + ".AccessPoint"
    try tree.add(
      point, at: "/a/1",
      properties: [
        "HwAddress": .string("00:1A:2B:00:00:01"), "Ssid": .bytes(Array("Café".utf8)),
        "Strength": .byte(75), "Frequency": .uint32(5180), "LastSeen": .int32(-1),
      ])
    try tree.add(
      point, at: "/a/2",
      properties: ["HwAddress": .string("00:1A:2B:00:00:02"), "LastSeen": .int32(1)])
    try tree.add(point, at: "/a/3", properties: ["HwAddress": .string("nonsense")])
    try connection.own(managerName)
    return tree
  }

  @Test("a scan is requested from NetworkManager, and its access points are read")
  func networkManagerScan() throws {
    let bus = try PrivateBus()
    let requests = Collected<String>()
    let tree = try Self.networkManager(bus, hasWiFi: true, requests: requests)
    let points = try SystemAccessPoints(DBusAddress(bus.address)).accessPoints()
    #expect(requests.all == ["RequestScan", "GetAllAccessPoints"])
    #expect(points.count == 2)
    let first = try #require(points.first)
    #expect(first.bssid.description == "00:1a:2b:00:00:01")
    #expect(first.ssid == Array("Café".utf8))
    #expect(first.signalDBm == -55)
    #expect(first.frequencyMHz == 5180)
    #expect(first.ageSeconds == nil)
    let last = try #require(points.last)
    #expect(last.ssid.isEmpty && !last.mayBeSent)
    #expect(last.signalDBm == nil)
    #expect(try #require(last.ageSeconds) > 1)
    withExtendedLifetime(tree) {}
  }

  @Test("a refused scan is no fault: the present list is used")
  func refusedScan() throws {
    let bus = try PrivateBus()
    let requests = Collected<String>()
    let tree = try Self.networkManager(bus, hasWiFi: true, requests: requests, mayScan: false)
    let points = try SystemAccessPoints(DBusAddress(bus.address)).accessPoints()
    #expect(points.count == 2)
    withExtendedLifetime(tree) {}
  }

  @Test("no daemon and no Wi-Fi device are distinguished")
  func absent() throws {
    let bus = try PrivateBus()
    #expect(Self.kind(bus) == .noScanner)
    let tree = try Self.networkManager(bus, hasWiFi: false, requests: Collected())
    #expect(Self.kind(bus) == .noDevice)
    withExtendedLifetime(tree) {}
  }

  @Test("a percentage of NetworkManager's is turned back into dBm within half a step")
  func percent() {
    // nm_wifi_utils_level_to_quality, forward.
    for level in -100 ... -40 {
      let quality = 100 - Int(100.0 * Double(abs(level + 40)) / 60.0)
      guard let back = NetworkManagerScan.dBm(percent: quality) else {
        Issue.record("\(quality)")
        continue
      }
      #expect(abs(back - level) <= 1)
    }
    #expect(NetworkManagerScan.dBm(percent: 101) == nil)
    #expect(NetworkManagerScan.dBm(percent: -1) == nil)
  }

  @Test("without NetworkManager wpa_supplicant is used, which reports dBm")
  func supplicant() throws {
    let bus = try PrivateBus()
    let connection = DBusConnection(DBusAddress(bus.address))
    let tree = DBusObjectTree(connection, root: "/")
    let name = "fi.w1.wpa_supplicant1"
    let scans = Collected<String>()
    try tree.add(
      name, at: "/fi/w1/wpa_supplicant1",
      properties: ["Interfaces": .array(of: "o", [.objectPath("/i/0")])])
    try tree.add(
      name + ".Interface", at: "/i/0",
      properties: [
        "Scanning": .boolean(false),
        "BSSs": .array(of: "o", [.objectPath("/b/0"), .objectPath("/b/1")]),
      ]
    ) { call in
      scans.add(call.arguments.first?.members?["Type"]?.text ?? "")
      return .values([])
    }
    try tree.add(
      name + ".BSS", at: "/b/0",
      properties: [
        "BSSID": .bytes([0, 0x1A, 0x2B, 0, 0, 1]), "SSID": .bytes([65]), "Signal": .int16(-67),
        "Frequency": .uint16(2437), "Age": .uint32(3),
      ])
    try tree.add(
      name + ".BSS", at: "/b/1",
      properties: ["BSSID": .bytes([0, 0x1A, 0x2B, 0, 0, 2]), "Signal": .int16(70)])
    try connection.own(name)
    let points = try SystemAccessPoints(DBusAddress(bus.address)).accessPoints()
    #expect(scans.all == ["passive"])
    #expect(points.map(\.signalDBm) == [-67, nil])
    #expect(points.map(\.frequencyMHz) == [2437, nil])
    #expect(points.map(\.ageSeconds) == [3, nil])
    withExtendedLifetime(tree) {}
  }
}
