import PortRules
import Testing

@Suite("Delegate methods that are nearly right")
struct DelegateMethodTests {
  private func inDelegate(_ method: String) -> String {
    "class A: NSObject, CLLocationManagerDelegate {\n  \(method)\n}"
  }

  @Test(
    "a different name, type or effect is an error that shows the correct method",
    arguments: [
      "func locationManager(_ m: CLLocationManager, didUpdateLocation l: [CLLocation]) {}",
      "func locationManager(_ m: CLLocationManager, didupdateLocations l: [CLLocation]) {}",
      "func locationManager(manager: CLLocationManager!, didUpdateLocations l: [AnyObject]!) {}",
      "func locationManager(_ m: CLLocationManager!, didUpdateLocations l: [CLLocation]) {}",
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: [Any]) {}",
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: CLLocation) {}",
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) async {}",
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) throws {}",
      "static func locationManager(_ m: CLLocationManager, didVisit v: CLVisit) {}",
      "func locationManager(_ m: CLLocationManager, didFailWithError e: NSError) {}",
      "func locationManager(_ m: CLLocationManager, didFailWithError e: Error?) {}",
      "func locationManager(_ m: CLLocationManager, didChangeAuthorizationStatus s: CLAuthorizationStatus) {}",
      "func locationManager(_ m: CLLocationManager, didDetermineState s: CLRegionState, forRegion r: CLRegion) {}",
      "func locationManager(_ m: CLLocationManager, monitoringDidFailForRegion r: CLRegion?, withError e: Error) {}",
      "func locationManagerDidChangeAuthorization(manager: CLLocationManager) {}",
      "func locationManagerShouldDisplayHeadingCalibration(_ m: CLLocationManager) {}",
      "func locationManager(_ m: CLLocationManager, didRangeBeacons b: [CLBeacon], inRegion r: CLBeaconRegion) {}",
    ])
  func misses(method: String) {
    #expect(found(inDelegate(method)) == ["2 error near-miss"])
    #expect(
      messages(inDelegate(method)).allSatisfy { $0.contains("the delegate's method is 'loc") })
  }

  @Test(
    "correct methods are accepted in every spelling, and so are helpers of other names",
    arguments: [
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}",
      "func locationManager(_: CoreLocation.CLLocationManager, didUpdateLocations l: Array<CLLocation>) {}",
      "func locationManager(_ m: CLLocationManager, didFailWithError e: Error) {}",
      "func locationManager(_ m: CLLocationManager, didFailWithError e: any Swift.Error) {}",
      "func locationManager(_ m: CLLocationManager, didFinishDeferredUpdatesWithError e: (any Error)?) {}",
      "func locationManager(_ m: CLLocationManager, didFinishDeferredUpdatesWithError e: Error?) {}",
      "func locationManager(_ m: CLLocationManager, monitoringDidFailFor r: CLRegion?, withError e: Error) {}",
      "func locationManagerShouldDisplayHeadingCalibration(_ m: CLLocationManager) -> Bool { true }",
      "func locationManagerDidChangeAuthorization(_ m: CLLocationManager) -> Void {}",
      "nonisolated public func locationManager(_ m: CLLocationManager, didUpdateTo n: CLLocation, from o: CLLocation) {}",
      "func locationManager(_ m: CLLocationManager, didUpdateLocations l: [Place]) {}",
      "func locationManager(_ m: CLLocationManager, show l: CLLocation) {}",
      "func locationManager(for name: String) -> CLLocationManager { CLLocationManager() }",
      "func locationManager() {}",
    ])
  func hits(method: String) { #expect(found(inDelegate(method)).isEmpty) }

  @Test("a helper beside the correct method, and a method of another class, are accepted")
  func helpers() {
    #expect(
      found(
        inDelegate(
          """
          func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
            func locationManager(_ m: CLLocationManager, didUpdateLocation l: CLLocation) {}
          """)
      ).isEmpty)
    #expect(
      found(
        "class A { func locationManager(_ m: CLLocationManager, didUpdateLocation l: CLLocation) {} }"
      ).isEmpty)
  }

  @Test("every documented method is known in its correct form")
  func table() {
    #expect(PortCheck.delegateMethods.count == 20)
    for method in PortCheck.delegateMethods {
      #expect(found(inDelegate("func \(method) { x }")).isEmpty, "\(method)")
    }
  }

  @Test("a private method is an error; a fileprivate one is accepted in a fileprivate class")
  func privateMethods() {
    let method = "func locationManager(_ m: CLLocationManager, didVisit v: CLVisit) {}"
    #expect(found(inDelegate("private " + method)) == ["2 error private-delegate-method"])
    #expect(found(inDelegate("fileprivate " + method)) == ["2 error private-delegate-method"])
    #expect(found("private " + inDelegate("fileprivate " + method)).isEmpty)
    #expect(found("private " + inDelegate("private " + method)).count == 1)
    #expect(found("fileprivate " + inDelegate(method)).isEmpty)
  }

  @Test("a method in a protocol's extension is a warning: it is called here and not on an iPhone")
  func protocolExtensions() {
    let method = "func locationManager(_ m: CLLocationManager, didVisit v: CLVisit) {}"
    for head in [
      "extension CLLocationManagerDelegate",
      "protocol P: CLLocationManagerDelegate {}; extension P",
      "protocol P {}; extension P where Self: CLLocationManagerDelegate",
    ] {
      #expect(
        found("\(head) {\n  \(method)\n}") == ["2 warning protocol-extension-method"], "\(head)")
    }
    #expect(found("protocol P {}; extension P {\n  \(method)\n}").isEmpty)
  }

  @Test("an override in an extension, and one of a method in an extension, are errors")
  func extensionOverrides() {
    let method = "func locationManager(_ m: CLLocationManager, didVisit v: CLVisit) {}"
    #expect(
      found(
        """
        class Base: NSObject {}
        extension Base: CLLocationManagerDelegate {
          \(method)
        }
        class Sub: Base {
          override \(method)
        }
        """) == ["6 error extension-override"])
    #expect(
      found(
        """
        class Base: NSObject, CLLocationManagerDelegate {
          \(method)
        }
        class Sub: Base {}
        extension Sub {
          override \(method)
        }
        """) == ["6 error extension-override"])
    #expect(
      found(
        """
        class Base: NSObject {
          \(method)
        }
        extension Base: CLLocationManagerDelegate {}
        class Sub: Base { override \(method) }
        class Other: Unknown { override \(method) }
        """
      ).isEmpty)
  }

  @Test("a custom protocol with the same names and another manager is accepted")
  func ownProtocols() {
    let method = "func locationManager(_ m: Manager, didUpdateLocations l: [CLLocation]) {}"
    #expect(found(inDelegate(method)).isEmpty)
    #expect(found(inDelegate("private " + method)).isEmpty)
    #expect(
      found("class B: NSObject, CLLocationManagerDelegate {}; class S: B { \(method) }").isEmpty)
    #expect(
      found("protocol P: CLLocationManagerDelegate {}; extension P { \(method) }").isEmpty)
  }
}
