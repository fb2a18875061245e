import Foundation
import PortRules
import Testing

@Suite("Reading folders and reporting")
struct ReportTests {
  @Test("a folder is read with its subfolders; hidden folders, links and other files are ignored")
  func folder() throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { do { try files.removeItem(at: folder) } catch { Issue.record(error) } }
    for name in ["App/Deep", ".build", "DerivedData"] {
      try files.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    let bad = Data("extension CLLocationCoordinate2D: Hashable {}".utf8)
    for name in [
      "App/Deep/A.swift", ".build/B.swift", "DerivedData/C.swift", "App/D.txt",
      "Package@swift-6.1.swift",
    ] {
      try bad.write(to: folder.appendingPathComponent(name))
    }
    try Data([0x66, 0xFF, 0xFE]).write(to: folder.appendingPathComponent("App/E.swift"))
    try Data("// swift-tools-version: 6.0\nlet p = \"CoreLocation\"".utf8)
      .write(to: folder.appendingPathComponent("Package.swift"))
    try files.createSymbolicLink(
      at: folder.appendingPathComponent("App/Round"), withDestinationURL: folder)
    let report = PortCheck.report(on: try SourceSet.read([folder.path]))
    #expect(
      report.findings.map { "\($0.file.dropFirst(folder.path.count)) \($0.rule)" }
        == ["/App/Deep/A.swift coordinate-equality", "/App/E.swift unreadable"])
    #expect(report.files == 2 && report.filesWithCoreLocation == 1)
    #expect(
      report.text.hasSuffix("1 error, 0 warnings, 1 note in 2 files, 1 with Core Location\n"))
    let json = try report.json(at: Date(timeIntervalSince1970: 1_800_000_000.5))
    #expect(json.contains("\"time\" : \"2027-01-15T08:00:00.500Z\""), "\(json)")
    #expect(try !report.json(at: Date(timeIntervalSince1970: 0)).contains("time"))
    let decoded = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
    #expect(decoded == report)
  }

  @Test("a missing path, and one without Swift sources, are errors of their own")
  func absent() throws {
    #expect(throws: ReadingError.self) { try SourceSet.read(["/nonexistent"]) }
    do {
      _ = try SourceSet.read(["/nonexistent"])
    } catch {
      #expect(error.description == "/nonexistent: cannot be read: there is nothing of that name")
    }
    #expect(throws: ReadingError.empty(path: "/dev/null")) { try SourceSet.read(["/dev/null"]) }
  }

  @Test("a finding is one line in the form of a compiler's, with the column of the name")
  func line() {
    let finding = report(["A.swift": "  import CoreLocation.CLVisit"]).findings.first
    #expect(
      finding?.text
        == "A.swift:1:3: note: 'CoreLocation.CLVisit' is found only with the module map that "
        + "Scripts/install-module installs; 'import CoreLocation' is found always "
        + "[submodule-import]")
  }

  @Test("rules have unique names and a summary")
  func rules() {
    #expect(Set(PortCheck.rules.map(\.name)).count == PortCheck.rules.count)
    #expect(PortCheck.rules.allSatisfy { !$0.summary.isEmpty })
  }
}
