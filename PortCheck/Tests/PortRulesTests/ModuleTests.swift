import PortRules
import Testing

@Suite("Modules and names that Linux does not have")
struct ModuleTests {
  private let manifest = "// swift-tools-version: 5.9\nlet p = Package(name: \"App\", targets: [])"

  @Test("an import is an error with a replacement, in files that use Core Location")
  func imports() {
    let text = "import CoreLocation\nimport UIKit\nimport struct SwiftUI.Color\nimport os.log\n"
    #expect(
      found(text) == ["2 error missing-module", "3 error missing-module", "4 error missing-module"])
    #expect(
      messages(text)[2]
        == "there is no module os on Linux: use swift-log, whose module is Logging, "
        + "for Logger and os_log, and Mutex of Synchronization for a lock; keep what needs it in "
        + "'#if canImport(os)'")
    #expect(found("import UIKit\nimport MapKit").isEmpty)
  }

  @Test("modules that exist are accepted, Lodestar's among them")
  func existing() {
    for module in ["CoreMotion", "Contacts", "Foundation", "Dispatch", "Observation", "Turf"] {
      #expect(found("import CoreLocation\nimport \(module)\n").isEmpty, "\(module)")
    }
    #expect(found("import CoreLocation\n#if canImport(SwiftUI)\nimport SwiftUI\n#endif").isEmpty)
  }

  @Test("every file of the package is looked at where one uses Core Location or Core Motion")
  func wholePackage() {
    for user in ["import CoreLocation", "import CoreMotion", "let a: CLLocation"] {
      #expect(
        found(["A.swift": user, "B.swift": "import os.log\n@objc class B {}"])
          == ["B.swift:1 error missing-module", "B.swift:2 error objective-c"], "\(user)")
    }
    #expect(found(["A.swift": "import Foundation", "B.swift": "import os.log"]).isEmpty)
  }

  @Test("a package beside it, and examples outside of its targets, are left alone")
  func otherFiles() {
    let texts = [
      "/p/Sources/App/A.swift": "import CoreLocation", "/p/Sources/App/B.swift": "import Combine",
      "/p/Tests/C.swift": "import SwiftUI", "/p/Example/D.swift": "import SwiftUI",
      "/p/other/E.swift": "import UIKit", "/q/Sources/F.swift": "import UIKit",
    ]
    let set = { (manifest: String) in
      PortCheck.report(
        on: SourceSet(
          files: texts.keys.sorted().map { SourceFile(path: $0, text: texts[$0] ?? "") },
          manifests: ["/p", "/q"].map {
            Manifest(path: "\($0)/Package.swift", folder: $0, text: manifest)
          })
      ).findings.filter { $0.rule == "missing-module" }.map(\.file)
    }
    #expect(set(manifest) == ["/p/Sources/App/B.swift", "/p/Tests/C.swift"])
    let withPath = manifest.replacing("[]", with: "[.target(name: \"E\", path: \"other\")]")
    #expect(
      set(withPath) == ["/p/Sources/App/B.swift", "/p/Tests/C.swift", "/p/other/E.swift"])
    // Without a target that uses it, as of an application beside a package for tools.
    let application = [
      "/p/App/A.swift": "import CoreLocation\nimport UIKit", "/p/Sources/B.swift": "import Combine",
    ]
    let report = PortCheck.report(
      on: SourceSet(
        files: application.keys.sorted().map { SourceFile(path: $0, text: application[$0] ?? "") },
        manifests: [Manifest(path: "/p/Package.swift", folder: "/p", text: manifest)]))
    #expect(report.missingModules.map(\.module) == ["Combine", "UIKit"])
  }

  @Test("a module that the package itself has is accepted, under a name of Apple's too")
  func ownModules() {
    let texts = ["A.swift": "import CoreLocation\nimport Network\nimport UIKit"]
    let own = manifest.replacing(
      "[]",
      with: "[.target(name: \"Network\"), .target(name: \"A\", linkerSettings: "
        + "[.linkedFramework(\"UIKit\")])]")
    let rules = found(texts, manifest: own).filter { $0.hasSuffix("missing-module") }
    #expect(rules == ["A.swift:3 error missing-module"])
  }

  @Test("the report lists the modules that would be needed, with the number of files")
  func list() {
    let report = report([
      "A.swift": "import CoreLocation\nimport Combine\nimport Combine", "B.swift": "import Combine",
      "C.swift": "import CoreData\n#if os(iOS)\nimport UIKit\n#endif", "D.swift": "import Speech",
    ])
    #expect(report.missingModules.map(\.module) == ["Combine", "CoreData", "Speech"])
    #expect(report.missingModules.map(\.files) == [2, 1, 1])
    #expect(report.missingModules[0].replacement.hasPrefix("use OpenCombine"))
    #expect(
      report.text.contains(
        "\nneeds CoreData, in 1 file: use a database, as SQLite by GRDB\n"
          + "needs Speech, in 1 file: no replacement\n"))
  }

  @Test(
    "names of Foundation that Linux does not have are errors with what to write",
    arguments: [
      "let a = ProcessInfo().environment", "let a = NSPredicate(format: \"b\")",
      "let a = DateComponentsFormatter()", "func f(_ a: NSUserActivity?) {}",
      "var a = os_unfair_lock()", "let a = CFAbsoluteTimeGetCurrent()",
      "let a = ProcessInfo.processInfo.isLowPowerModeEnabled", "let a = String(localized: \"b\")",
    ])
  func foundation(text: String) {
    #expect(found("import CoreLocation\n" + text) == ["2 error foundation"])
    #expect(found("import Foundation\n" + text).isEmpty)
    #expect(found("import CoreLocation\n#if canImport(UIKit)\n\(text)\n#endif").isEmpty)
  }

  @Test(
    "what Foundation has, own types of the names and members of others are accepted",
    arguments: [
      "let a = ProcessInfo.processInfo", "let a = NSPredicate { _, _ in true }",
      "let a = String(1)", "struct UndoManager {}; let a = UndoManager()",
      "let a = log.NSException", "let a = sensor.thermalState", "let a = ISO8601DateFormatter()",
    ])
  func accepted(text: String) { #expect(found("import CoreLocation\n" + text).isEmpty) }

  @Test("types of FoundationNetworking and FoundationXML are errors where it is not imported")
  func moved() {
    let text = "func f() { URLSession.shared.dataTask(with: URLRequest(url: u)) }\n"
    #expect(
      found("import CoreLocation\n" + text) == ["2 error foundation", "2 error foundation"])
    #expect(
      messages("import CoreLocation\n" + text)[0]
        == "'URLSession' does not compile: it is in the module FoundationNetworking here; write "
        + "'#if canImport(FoundationNetworking)', 'import FoundationNetworking', '#endif'")
    let conditional =
      "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
    #expect(found("import CoreLocation\n" + conditional + text).isEmpty)
    #expect(
      found(["A.swift": "import CoreLocation\n" + text, "B.swift": conditional]).count == 2)
    let exported = conditional.replacing("import F", with: "@_exported import F")
    #expect(found(["A.swift": "import CoreLocation\n" + text, "B.swift": exported]).isEmpty)
    #expect(found("import CoreLocation\nclass P: NSObject, XMLParserDelegate {}").count == 1)
  }
}
