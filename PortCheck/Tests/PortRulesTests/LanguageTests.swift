import Foundation
import Testing

@Suite("Language features that Linux does not have")
struct LanguageTests {
  @Test("the value of an optional call of a delegate method is reported")
  func optionalCalls() {
    for text in [
      "if delegate?.locationManager?(manager, didUpdateLocations: []) == nil {}",
      "let r: Void? = d.locationManagerDidChangeAuthorization?(manager)",
      "guard d.locationManagerShouldDisplayHeadingCalibration?(manager) ?? true else { return }",
      "return (try await d.locationManagerShouldDisplayHeadingCalibration?(manager))",
      "XCTAssertNotNil(d.locationManager?(manager, didVisit: v))",
    ] {
      #expect(found("func f() { \(text) }") == ["1 warning optional-call"], "\(text)")
    }
    for text in [
      "delegate?.locationManager?(manager, didUpdateLocations: [])",
      "_ = delegate?.locationManager?(manager, didUpdateLocations: [])",
      "try await d.locationManagerDidChangeAuthorization?(manager)",
      "queue.async { self.delegate?.locationManager?(manager, didVisit: v) }",
      "delegate?.locationManager(manager, didUpdateLocations: [])",
      "if handler?.completion?(1) == nil, d?.locationManager?(a, did: 1) == nil {}",
    ] {
      #expect(found("func f() { \(text) }").isEmpty, "\(text)")
    }
  }

  @Test("Objective-C is reported once for each kind and file, in files that use Core Location")
  func objectiveC() {
    let text = """
      class A: NSObject {
        let manager: CLLocationManager?
        @objc func a() {}
        @objc dynamic var b = 1
        @IBOutlet weak var label: Label?
        func c() { timer(#selector(a)); observe(#keyPath(A.b)) }
        func d() { addObserver(self, forKeyPath: "location", options: [], context: nil) }
      }
      """
    #expect(
      found(text) == [
        "3 error objective-c", "5 error objective-c", "6 error objective-c", "6 error objective-c",
        "7 error objective-c",
      ])
    #expect(messages(text)[0].contains("(2 places in this file)"))
    #expect(found(text.replacingOccurrences(of: "CLLocationManager", with: "Int")).isEmpty)
    #expect(
      found("#if canImport(ObjectiveC)\n\(text)\n#else\nlet a = CLLocation()\n#endif").isEmpty)
    #expect(found("let l = CLLocation(); class B { dynamic func f() {} }").isEmpty)
    #expect(
      found("let l = CLLocation()\nfunc f() { objc_sync_enter(l) }") == ["2 error objective-c"])
    let relay = """
      class A: NSObject, CLLocationManagerDelegate {
        override func responds(to s: Selector!) -> Bool { true }
        override func forwardingTarget(for s: Selector!) -> Any? { nil }
      }
      """
    #expect(found(relay) == ["2 error objective-c", "3 error objective-c"])
  }

  @Test("key-value observing of a manager, and selectors, are reported")
  func observing() {
    let text = """
      let manager = CLLocationManager()
      let token = manager.observe(\\.location) { _, _ in }
      let store = store.observe(\\.place) { _ in }
      let can = delegate.responds(to: Selector(("locationManager:didVisit:")))
      """
    #expect(found(text) == ["2 error objective-c", "4 error objective-c"])
  }

  @Test("a delegate on the main actor is an error in the Swift 6 mode only")
  func mainActor() {
    let six = "// swift-tools-version: 6.0\nlet p = Package(name: \"CoreLocation\")"
    let five = "// swift-tools-version:5.9\nlet p = Package(name: \"CoreLocation\")"
    let method = "func locationManager(_ m: CLLocationManager, didVisit v: CLVisit) {}"
    let text = "@MainActor class A: NSObject, CLLocationManagerDelegate {\n  \(method)\n}"
    #expect(found(text, manifest: six) == ["1 error main-actor-delegate"])
    #expect(found(text, manifest: five).isEmpty && found(text).isEmpty)
    let inExtension = """
      @MainActor final class A: NSObject {}
      extension A: CLLocationManagerDelegate { \(method) }
      """
    #expect(found(inExtension, manifest: six) == ["2 error main-actor-delegate"])
    for good in [
      text.replacingOccurrences(
        of: "CLL", with: "@preconcurrency CLL", options: [], range: text.range(of: "CLL")),
      text.replacingOccurrences(of: "func", with: "nonisolated func"),
      text.replacingOccurrences(of: "@MainActor ", with: ""),
      inExtension.replacingOccurrences(
        of: ": CLLocationManagerD", with: ": @MainActor CLLocationManagerD"),
    ] {
      #expect(found(good, manifest: six).isEmpty, "\(good)")
    }
  }

  @Test("a conformance of the coordinate without @retroactive is a note")
  func coordinate() {
    #expect(
      found("extension CLLocationCoordinate2D: Equatable {}") == ["1 note coordinate-equality"])
    #expect(found("extension CLLocationCoordinate2D: @retroactive Hashable {}").isEmpty)
    #expect(found("extension CLLocationCoordinate2D: CustomStringConvertible {}").isEmpty)
    #expect(found("extension CLLocationCoordinate2D { var x: Int { 1 } }").isEmpty)
    let own = "#if os(Linux)\nstruct CLLocationCoordinate2D {}\n#else\nimport CoreLocation\n#endif"
    #expect(found(own + "\nextension CLLocationCoordinate2D: Equatable {}").isEmpty)
  }

  @Test("a file that does not parse is a finding, and the other files are checked")
  func syntax() {
    #expect(
      found("import CoreLocation.CLLocation\nfunc f( {\n")
        == ["1 note submodule-import", "2 error syntax"])
    #expect(found("").isEmpty)
  }
}
