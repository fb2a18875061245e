// Runs Radio over a real bluetoothd and kernel with an emulated controller, on the bus of
// DBUS_SYSTEM_BUS_ADDRESS. Prints PASS and FAIL; exit status 1 where anything failed.
import Foundation
import LinuxIO
import Radio

let record = Record()
let uuid = UUID(
  uuid: (0xB9, 0x40, 0x7F, 0x30, 0xF5, 0xF8, 0x46, 0x6E, 0xAF, 0xF9, 1, 2, 3, 4, 5, 6))

func sender(_ minor: UInt16, _ rssi: Int8) -> EmulatedController.Sender {
  let beacon = IBeaconAdvertisement(identity: BeaconIdentity(uuid: uuid, major: 1, minor: minor))
  return EmulatedController.Sender(
    address: [UInt8(minor), 0, 0, 0, 0, 0xC0],
    data: [0x02, 0x01, 0x06, 0x1A, 0xFF] + beacon.payload, rssi: rssi)
}

func fault(_ service: BeaconService) -> BeaconError.Kind? {
  do throws(BeaconError) {
    try service.checkAvailability()
    return nil
  } catch {
    return error.kind
  }
}

let bus = DBusConnection()
let service = BeaconService()
record.check("without a controller there is no adapter", within: 60) {
  fault(service) == .noAdapter
}
let controller = try EmulatedController()
record.check("BlueZ finds the controller and switches it on", within: 60) { fault(service) == nil }

let hasMonitors = try BlueZScanner.adapter().monitorsPatterns
print("     bluetoothd offers \(hasMonitors ? "monitors" : "no monitors")")

// A region alone: passive where there are monitors.
controller.send([sender(1, -50), sender(2, -80)])
let region = record.watch(service, BeaconConstraint(uuid: uuid, major: 1, minor: 1))
record.check("a region is entered", within: 60) { record.states.last == .inside }
let passive = controller.counts
print("     scans: \(passive.passiveScans) passive, \(passive.activeScans) active")
if hasMonitors {
  record.check("only passive scans were made for it") {
    passive.passiveScans > 0 && passive.activeScans == 0
  }
}
Thread.sleep(forTimeInterval: 40)
let watched = controller.counts
print(
  "     scans: \(watched.passiveScans) passive, \(watched.activeScans) active; "
    + "\(watched.reports - passive.reports) reports of the controller in 40 s")
record.check("at a constant strength it is not left within 40 s") { record.states == [.inside] }

// Ranging.
let ranging = record.range(service, BeaconConstraint(uuid: uuid))
record.check("two beacons of constant strength are ranged, nearest first", within: 60) {
  record.beacons.map(\.rssiDBm) == [-50, -80] && record.beacons.map(\.identity.minor) == [1, 2]
}
record.clear()
Thread.sleep(forTimeInterval: 40)
let reports = record.reports
let complete = reports.filter { $0.map(\.rssiDBm) == [-50, -80] }.count
let active = controller.counts
print("     \(reports.count) reports in 40 s, \(complete) with both strengths")
print(
  "     scans: \(active.passiveScans) passive, \(active.activeScans) active, "
    + "\(active.filteredScans) with the duplicate filter")
record.check("reports come about once a second") { (30...45).contains(reports.count) }
if hasMonitors {
  record.check("nine of ten have both strengths") { complete * 10 >= reports.count * 9 }
} else {
  // This controller reports each beacon once a scan; the scanner restarts discovery.
  record.check("half of them have both strengths") { complete * 2 >= reports.count }
}

controller.send([sender(1, -62), sender(2, -80)])
record.check("a change of strength is followed", within: 30) {
  record.beacons.first { $0.identity.minor == 1 }?.rssiDBm == -62
}
controller.send([sender(2, -80)])
record.check("a silent beacon becomes unknown", within: 30) {
  record.beacons.first { $0.identity.minor == 1 }?.proximity == .unknown
}
record.check("and is listed no more", within: 30) {
  record.beacons.map(\.identity.minor) == [2]
}
record.check("its region is left", within: 60) { record.states.last == .outside }

func power(_ isOn: Bool) {
  do {
    _ = try bus.call(
      DBusCall(
        "org.bluez", "/org/bluez/hci0", "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(isOn))]), within: 20)
  } catch {
    print("     power: \(error)")
  }
}
power(false)
record.check("an adapter that is switched off is reported", within: 30) {
  record.failures.last == .poweredOff("hci0")
}
power(true)
record.clear()
record.check("switched on again it ranges", within: 60) {
  record.beacons.map(\.identity.minor) == [2]
}
controller.unplug()
record.check("a controller that is pulled out is reported", within: 30) {
  record.failures.last == .noAdapter
}
let next = try EmulatedController()
next.send([sender(2, -80)])
record.clear()
record.check("and another takes its place", within: 60) {
  record.beacons.map(\.identity.minor) == [2]
}
ranging.cancel()
region.cancel()
record.check("with the last user discovery ends", within: 30) {
  do {
    return try bus.property(
      "Discovering", of: "org.bluez.Adapter1", at: "/org/bluez/hci0", service: "org.bluez"
    ).boolean == false
  } catch {
    return false
  }
}
next.unplug()
exit(record.failed ? 1 : 0)
