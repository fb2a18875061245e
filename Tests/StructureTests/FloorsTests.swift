import Foundation
import LinuxIO
import TestSupport
import Testing

/// The table of floors in README.md, from the top down. A target depends only on targets of lower
/// lines.
private struct FloorTable {
  /// A line of the table: its floor's name and the targets on it.
  struct Line { let floor: Substring, targets: [String] }
  let lines: [Line]

  init() throws {
    let readme = SharedData.repository.appendingPathComponent("README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = try #require(lines.firstIndex(of: "## Floors"))
    let start = try #require(lines[heading...].firstIndex(of: "```")) + 1
    let end = try #require(lines[start...].firstIndex(of: "```"))
    self.lines = try lines[start..<end].map { line in
      let words = line.split(separator: " ")
      return Line(floor: try #require(words.first), targets: words.dropFirst().map(String.init))
    }
  }

  func targets(on floors: Set<Substring>) -> [String] {
    lines.filter { floors.contains($0.floor) }.flatMap(\.targets)
  }
}

private struct Manifest: Decodable {
  struct Target: Decodable {
    let name: String
    let type: String
    let path: String?
    let dependencies: [[String: [Dependency?]]]
    /// Whether it is neither a test nor what tests share.
    var isInTable: Bool {
      // Tests and benchmarks may use every target.
      let isOutside = path.map { $0.hasPrefix("Tests/") || $0.hasPrefix("Benchmarks/") } ?? false
      return type != "test" && !isOutside
    }
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

@Suite("The layout of the targets", .timeLimit(.minutes(30)))
struct FloorsTests {
  private func manifest() throws -> Manifest {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", SharedData.repository.path, "--scratch-path",
      scratch.path, "dump-package",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.start()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitOrKill()
    do { try FileManager.default.removeItem(at: scratch) } catch { _ = error }
    return try JSONDecoder().decode(Manifest.self, from: data)
  }

  /// The paths of a target's Swift files; none for a C target.
  private func swiftFiles(of target: String) -> [String] {
    let folder = SharedData.repository.appendingPathComponent("Sources/\(target)").path
    let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  /// The Swift targets that must run without an operating system.
  private func bareTargets() throws -> Set<String> {
    let names = try FloorTable().targets(on: ["ground", "pure"])
    return Set(names.filter { !swiftFiles(of: $0).isEmpty })
  }

  @Test("the table contains every target once, and the lines of a floor are adjacent")
  func tableIsWhole() throws {
    let table = try FloorTable()
    let names = table.lines.flatMap(\.targets)
    let targets = try manifest().targets.filter(\.isInTable).map(\.name)
    #expect(names.sorted() == targets.sorted())
    var floors: [Substring] = []
    for line in table.lines where line.floor != floors.last { floors.append(line.floor) }
    #expect(Set(floors).count == floors.count, "\(floors)")
  }

  @Test("every target depends only on targets of lower lines of the table")
  func edgesPointDown() throws {
    var height: [String: Int] = [:]
    for (depth, line) in try FloorTable().lines.enumerated() {
      for name in line.targets { height[name] = -depth }
    }
    let targets = try manifest().targets.filter(\.isInTable)
    #expect(targets.count >= 10)
    for target in targets {
      let own = try #require(height[target.name], "\(target.name) has no floor")
      for dependency in target.dependencies {
        guard let values = dependency["byName"] ?? dependency["target"],
          case .name(let name)? = values.first ?? nil
        else { continue }
        let below = try #require(height[name], "\(name) has no floor")
        #expect(below < own, "\(target.name) must not depend on \(name)")
      }
    }
  }

  @Test("the targets of the ground and pure floors import only each other and RealModule")
  func pureImports() throws {
    let bare = try bareTargets()
    #expect(bare.contains("Quantities"))
    for target in bare {
      let files = swiftFiles(of: target)
      #expect(files.count > 3)
      for file in files {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        for words in lines.map({ $0.split(separator: " ") }) {
          guard words.count < 4, words.dropLast().last == "import", let module = words.last
          else { continue }
          #expect(module == "RealModule" || bare.contains(String(module)), "\(file)")
        }
      }
    }
  }

  @Test("what the program is linked of imports FoundationEssentials, and not Foundation with ICU")
  func foundation() throws {
    let others: Set = ["Contacts", "CoreLocation", "CoreMotion", "Geocoder"]
    let targets = Set(try FloorTable().lines.flatMap(\.targets)).subtracting(others)
      .subtracting(["CompassExample", "SampleRecordings"])
    #expect(targets.contains("lodestar"))
    for target in targets {
      for file in swiftFiles(of: target) {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        for line in lines {
          #expect(!line.hasSuffix("import Foundation"), "\(file)")
        }
      }
    }
  }

  @Test("the targets of the ground and pure floors are those that Scripts/build-embedded compiles")
  func pureTargetsAreBuiltBare() throws {
    let process = ChildProcess()
    process.executableURL = SharedData.repository.appendingPathComponent("Scripts/build-embedded")
    process.arguments = ["--list"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.start()
    let output = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitOrKill()
    #expect(process.terminationStatus == 0)
    let compiled = output.split(separator: "\n").map(String.init)
    let bare = try bareTargets()
    #expect(Set(compiled) == bare)
  }

  @Test("no file of the repository names a machine's own path")
  func noMachinePaths() throws {
    let here = SharedData.repository.deletingLastPathComponent().path
    for folder in ["Sources", "Tests", "Scripts", "Boards", "Benchmarks", "Examples"] {
      let root = SharedData.repository.appendingPathComponent(folder)
      let files = try #require(FileManager.default.enumerator(atPath: root.path), "\(folder)")
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
