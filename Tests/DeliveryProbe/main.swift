// Creates a manager in the context that the argument names, runs the main loop of such a program,
// and prints where the delegate is called. `DeliveryContextTests` reads the output.
import CoreLocation
import Engine
import LocationHost
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

final class Scene: @unchecked Sendable {
  let publisher = ScriptedPublisher()
  var manager: CLLocationManager?
  var probe: Probe?

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
default:
  print("usage: DeliveryProbe runloop|dispatch|queue|thread|task|actor")
  exit(2)
}
