import Testing

@Suite("Conditions and imports")
struct ConditionTests {
  @Test(
    "Core Location under a condition of an iPhone vanishes",
    arguments: [
      "os(iOS)", "canImport(UIKit)", "os(iOS) || os(macOS)", "canImport(CoreLocation) && os(iOS)",
      "!os(Linux)", "canImport(UIKit) && !os(watchOS)", "(os(iOS))", "canImport(MapKit)",
      "canImport(Combine)",
    ])
  func vanishing(condition: String) {
    #expect(
      found("#if \(condition)\nlet a = CLLocation()\n#endif") == ["1 warning vanishing-code"])
    // In a type, and among statements.
    #expect(
      found("class A {\n#if \(condition)\nvar a: CLHeading?\n#endif\n}")
        == ["2 warning vanishing-code"])
  }

  @Test(
    "true and unknown conditions, and code that an iPhone does not compile either, are accepted",
    arguments: [
      "canImport(CoreLocation)", "canImport(CoreMotion)", "os(Linux)", "os(watchOS)",
      "os(macOS) && !os(iOS)", "DEBUG",
      "canImport(Lottie)", "swift(>=5.5)", "os(iOS) || os(Linux)", "!canImport(UIKit)",
      "false", "DEBUG || os(iOS)", "compiler(>=6) && canImport(CoreLocation)",
      "targetEnvironment(simulator) && os(watchOS)",
    ])
  func staying(condition: String) {
    #expect(found("#if \(condition)\nlet a = CLLocation()\n#endif").isEmpty)
  }

  @Test("calls of a manager count as uses of Core Location")
  func calls() {
    #expect(
      found("import CoreLocation\n#if os(iOS)\nfunc a() { m.startUpdatingLocation() }\n#endif")
        == ["2 warning vanishing-code"])
    #expect(found("import CoreLocation\n#if os(iOS)\nfunc a() { m.start() }\n#endif").isEmpty)
  }

  @Test("code with an else that is compiled here is accepted, and an elseif is checked separately")
  func alternatives() {
    #expect(found("#if os(iOS)\nlet a = CLLocation()\n#else\nlet a = 1\n#endif").isEmpty)
    #expect(
      found("#if os(watchOS)\nlet a = 1\n#elseif os(iOS)\nlet a = CLLocation()\n#endif")
        == ["3 warning vanishing-code"])
    #expect(found("#if os(iOS)\nimport UIKit\n#endif\nlet a = CLLocation()").isEmpty)
  }

  @Test("rules ignore code that is not compiled here")
  func inactive() {
    #expect(
      found(
        """
        import CoreLocation
        #if canImport(UIKit)
          import UIKit
          class V: UIView { @objc func a() {} }
        #endif
        """
      ).isEmpty)
  }

  @Test("an import of a submodule is a note, a scoped import is accepted")
  func submodules() {
    #expect(found("import CoreLocation.CLLocationManager") == ["1 note submodule-import"])
    #expect(found("import class CoreLocation.CLLocationManager").isEmpty)
    #expect(found("import CoreLocation").isEmpty)
  }

  @Test("a manifest without CoreLocation is a note where a source imports it")
  func manifests() {
    let plain = "// swift-tools-version: 5.9\nlet p = Package(name: \"App\", dependencies: [])"
    let good = plain.replacing(
      "[]", with: "[.package(url: \"https://example.org/Lodestar.git\", from: \"1.0.0\")]")
    let texts = ["A.swift": "import CoreLocation"]
    #expect(found(texts, manifest: plain) == ["Package.swift:1 note manifest"])
    #expect(found(texts, manifest: good).isEmpty)
    #expect(found(["A.swift": "import Foundation"], manifest: plain).isEmpty)
    let linked = plain.replacing(
      "[]", with: "[], linkerSettings: [.linkedFramework(\"CoreLocation\")]")
    #expect(found(texts, manifest: linked) == ["Package.swift:1 note manifest"])
    #expect(found(["A.swift": "import CoreMotion"], manifest: plain).count == 1)
    #expect(
      report(["A.swift": "import CoreMotion\nimport CoreLocation"], manifest: plain).findings[0]
        .message.hasPrefix("nothing here brings CoreLocation, CoreMotion on Linux: depend on"))
    let conditional = "#if canImport(CoreLocation)\nimport CoreLocation\n#endif"
    #expect(found(["A.swift": conditional], manifest: plain).isEmpty)
  }
}
