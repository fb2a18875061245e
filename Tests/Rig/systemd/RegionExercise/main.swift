// An application that registers a region and ends, and that the daemon starts again when the region
// is left. Prints a line for each event.
import CoreLocation

private final class Watcher: NSObject, CLLocationManagerDelegate {
  let region: CLCircularRegion = {
    let home = CLLocationCoordinate2D(latitude: 48, longitude: 11)
    let region = CLCircularRegion(center: home, radius: 150, identifier: "home")
    region.notifyOnEntry = false
    return region
  }()

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    say("started \(region.identifier)")
    if !isLaunched { exit(0) }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    say("exit \(region.identifier)")
    manager.stopMonitoring(for: region)
    // The stop has to reach the daemon.
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { exit(0) }
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    say("failed \(region?.identifier ?? "-"): \(error.localizedDescription)")
    exit(1)
  }
}

private func say(_ text: String) {
  FileHandle.standardOutput.write(Data("\(isLaunched ? "launched: " : "")\(text)\n".utf8))
}

private let isLaunched =
  ProcessInfo.processInfo.environment["CL_LAUNCHED_FOR_LOCATION"] == "1"
private let manager = CLLocationManager()
private let watcher = Watcher()
manager.delegate = watcher
if isLaunched {
  say("knows \(manager.monitoredRegions.map(\.identifier).sorted())")
} else {
  manager.startMonitoring(for: watcher.region)
}
DispatchQueue.main.asyncAfter(deadline: .now() + 30) {
  say("nothing came")
  exit(1)
}
dispatchMain()
