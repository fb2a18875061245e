import Foundation
import TestSupport
import Testing

/// The floors of the house, from the ground up. An import may only point down.
private let floors: [[String]] = [
  ["Quantities", "CLinuxBus", "CGeoidGrid", "CGazetteer", "CDBus", "CCurl", "CCoreLocation"],
  ["Bus", "Chips", "Fusion", "CalibrationFit", "ReceiverProtocols", "EarthModel"],
  ["Monitoring", "Policy", "LinuxDBus"],
  [
    "Outputs", "Recording", "BoardFile", "Simulation", "LinuxBus", "ServiceProtocol", "Geocoder",
    "Beacons", "GeoidData", "CalibrationStore", "TerminalUI", "WiFiLocation",
  ],
  ["Engine", "MonitoringStore"],
  ["MonitoringFeeds", "ServiceClient"],
  ["CoreLocation", "Service", "CalibrationTool"],
  ["lodestar", "CompassExample", "SampleRecordings", "Contacts"],
]

/// Targets that must run without an operating system, with all that they may import.
private let pureTargets = [
  "Quantities", "EarthModel", "Fusion", "CalibrationFit", "ReceiverProtocols", "Bus", "Chips",
]

private struct Manifest: Decodable {
  struct Target: Decodable {
    let name: String
    let type: String
    let path: String?
    let dependencies: [[String: [Dependency?]]]
  }
  /// The dump gives a name, then conditions that are objects.
  enum Dependency: Decodable {
    case name(String), other
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .name(try container.decode(String.self)) } catch { self = .other }
    }
  }
  let targets: [Target]
}

@Suite("The house")
struct FloorsTests {
  private func manifest() throws -> Manifest {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", SharedData.repository.path, "--scratch-path",
      scratch.path, "dump-package",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    do { try FileManager.default.removeItem(at: scratch) } catch { _ = error }
    return try JSONDecoder().decode(Manifest.self, from: data)
  }

  @Test("no target depends on one of its own floor or above, and every target has a floor")
  func edgesPointDown() throws {
    let floor = Dictionary(
      uniqueKeysWithValues: floors.enumerated().flatMap { n, names in names.map { ($0, n) } })
    let targets = try manifest().targets.filter {
      $0.type != "test" && $0.path?.hasPrefix("Tests/") != true
    }
    #expect(targets.count >= 10)
    for target in targets {
      let own = try #require(floor[target.name], "\(target.name) has no floor")
      for dependency in target.dependencies {
        guard let values = dependency["byName"] ?? dependency["target"],
          case .name(let name)? = values.first ?? nil
        else { continue }
        // Chips talk through Bus, which shares their floor.
        if (target.name, name) == ("Chips", "Bus") { continue }
        let below = try #require(floor[name], "\(name) has no floor")
        #expect(below < own, "\(target.name) must not import \(name)")
      }
    }
  }

  @Test("pure targets import nothing but what lies on the ground")
  func pureImports() throws {
    for target in pureTargets {
      let folder = SharedData.repository.appendingPathComponent("Sources/\(target)")
      let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      var count = 0
      for case let file as String in files where file.hasSuffix(".swift") {
        count += 1
        let text = try String(
          contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
          .map { $0.dropFirst("import ".count) }
        for module in imports {
          #expect(["Quantities", "RealModule", "Bus"].contains(module), "\(target)/\(file)")
        }
      }
      #expect(count > 3)
    }
  }

  @Test("no file of the repository names a machine's own path")
  func noMachinePaths() throws {
    let here = SharedData.repository.deletingLastPathComponent().path
    for folder in ["Sources", "Tests", "Scripts", "Boards", "Benchmarks", "Examples"] {
      let root = SharedData.repository.appendingPathComponent(folder)
      guard let files = FileManager.default.enumerator(atPath: root.path) else { continue }
      for case let file as String in files where !file.contains(".build") {
        let url = root.appendingPathComponent(file)
        guard let data = FileManager.default.contents(atPath: url.path), data.count < 2_000_000
        else { continue }
        #expect(
          !String(decoding: data, as: UTF8.self).contains(here + "/"), "\(folder)/\(file)")
      }
    }
  }
}
