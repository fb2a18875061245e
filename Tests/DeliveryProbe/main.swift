import Board
// Creates a manager in the context that the argument names, runs the main loop of such a program,
// and prints where the delegate is called. `DeliveryContextTests` reads the output.
//
// With `change NAME` it changes its monitoring and is killed as soon as the call has returned; with
// `stored` it prints what is registered. `StoredChangesTests` runs these.
import CoreLocation
import LocationHost
import Monitoring
import Quantities
import ScriptedSource

final class Probe: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  var isInsideStart = false
  let makingThread = Thread.current

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    print("reentrant:", isInsideStart)
    print("main:", Thread.isMainThread)
    print("same:", Thread.current == makingThread)
    exit(0)
  }
}

/// Waits for the second heading in a run loop inside the call for the first one.
final class WaitingProbe: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  let publisher: ScriptedPublisher
  private var headings: [Double] = []

  init(_ publisher: ScriptedPublisher) { self.publisher = publisher }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading.magneticHeading.rounded())
    guard headings.count == 1 else { return }
    publisher.send(.heading(180, at: 2))
    run { headings.count == 2 }
    print("inside:", headings)
    exit(0)
  }
}

/// Runs the run loop of the calling thread, at most for five seconds.
func run(until isDone: () -> Bool) {
  let deadline = Date(timeIntervalSinceNow: 5)
  while !isDone(), Date() < deadline {
    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
  }
}

final class Scene: @unchecked Sendable {
  let publisher = ScriptedPublisher()
  var manager: CLLocationManager?
  var probe: NSObject?

  /// Starts headings with a delegate that waits inside its call.
  func wait() {
    let publisher = self.publisher
    publisher.send(.heading(90))
    let services = LocationServices(
      over: ScriptedHost.make(
        SourceOpening(isLive: false) { () throws(SourceError) in OpenedSource(publisher: publisher)
        }))
    let probe = WaitingProbe(publisher)
    let manager = LocationServices.$current.withValue(services) { CLLocationManager() }
    manager.delegate = probe
    manager.startUpdatingHeading()
    (self.manager, self.probe) = (manager, probe)
  }

  func play() {
    let publisher = self.publisher
    publisher.send(.heading(90))
    let services = LocationServices(
      over: ScriptedHost.make(
        SourceOpening(isLive: false) { () throws(SourceError) in OpenedSource(publisher: publisher)
        }))
    LocationServices.$current.withValue(services) {
      let manager = CLLocationManager()
      let probe = Probe()
      manager.delegate = probe
      probe.isInsideStart = true
      manager.startUpdatingHeading()
      // Long enough for a delivery on the source's queue, if it called the delegate directly.
      Thread.sleep(forTimeInterval: 0.1)
      probe.isInsideStart = false
      (self.manager, self.probe) = (manager, probe)
    }
  }
}

/// Makes one change of the program's monitoring.
func change(_ name: String) async {
  let center = CLLocationCoordinate2D(latitude: 48, longitude: 11)
  let manager = CLLocationManager()
  let region = CLCircularRegion(center: center, radius: 200, identifier: "home")
  switch name {
  case "startMonitoring": manager.startMonitoring(for: region)
  case "stopMonitoring": manager.stopMonitoring(for: region)
  case "startVisits": manager.startMonitoringVisits()
  case "stopVisits": manager.stopMonitoringVisits()
  case "startChanges": manager.startMonitoringSignificantLocationChanges()
  case "stopChanges": manager.stopMonitoringSignificantLocationChanges()
  case "add":
    let condition = CLMonitor.CircularGeographicCondition(center: center, radius: 200)
    await CLMonitor("places").add(condition, identifier: "office")
  case "remove": await CLMonitor("places").remove("office")
  default: exit(2)
  }
}

/// What is registered, in one line.
var registered: String {
  let all = LocationServices.current.monitoring.registrations()
  let conditions = all.monitors.values.flatMap(\.keys)
  let services = [all.visits ? "visits" : "", all.significantChanges ? "changes" : ""]
  return (all.regions.keys.sorted() + conditions.sorted() + services).filter { !$0.isEmpty }
    .joined(separator: " ")
}

let scene = Scene()
DispatchQueue.global().asyncAfter(deadline: .now() + 10) {
  print("silent")
  exit(1)
}
switch CommandLine.arguments.dropFirst().first {
case "runloop":
  scene.play()
  RunLoop.main.run()
case "dispatch":
  scene.play()
  dispatchMain()
case "thread":
  Thread {
    scene.play()
    RunLoop.current.run()
  }.start()
  dispatchMain()
case "task":
  Task.detached { scene.play() }
  dispatchMain()
case "queue":
  DispatchQueue.main.async { scene.play() }
  dispatchMain()
case "actor":
  Task { @MainActor in
    await Task.yield()
    scene.play()
  }
  dispatchMain()
case "nested":
  scene.wait()
  RunLoop.main.run()
case "nested-queue":
  DispatchQueue.main.async { scene.wait() }
  RunLoop.main.run()
case "nested-thread":
  Thread {
    scene.wait()
    RunLoop.current.run()
  }.start()
  dispatchMain()
case "job":
  Task { @MainActor in
    scene.play()
    run { false }
    print("silent")
    exit(1)
  }
  RunLoop.main.run()
case "async-job":
  // No run loop runs: the main queue is served by a thread that is not the main one.
  Task { @MainActor in
    await Task.yield()
    scene.play()
    run { false }
    print("silent")
    exit(1)
  }
  dispatchMain()
case "geocoder":
  Task { @MainActor in
    CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 48.14, longitude: 11.58)) {
      places, _ in
      print("main:", Thread.isMainThread, places?.first?.isoCountryCode ?? "")
      exit(0)
    }
    run { false }
    print("silent")
    exit(1)
  }
  RunLoop.main.run()
case "change":
  Task {
    await change(CommandLine.arguments.last ?? "")
    kill(getpid(), SIGKILL)
  }
  dispatchMain()
case "stored":
  print(registered)
default:
  print(
    "usage: DeliveryProbe runloop|dispatch|queue|thread|task|actor|nested|"
      + "nested-queue|nested-thread|job|async-job|geocoder|change NAME|stored")
  exit(2)
}
