import Foundation
import PortRules
import Testing

/// What the tables say of Linux, asked of the compiler.
@Suite("Tables of modules and names, by this toolchain", .timeLimit(.minutes(5)))
struct ToolchainTests {
  /// The lines of a source with an error.
  private func faultyLines(_ lines: [String]) throws -> Set<Int> {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("\(UUID())")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try files.removeItem(at: folder) } catch { Issue.record(error) } }
    let source = folder.appendingPathComponent("A.swift")
    let messages = folder.appendingPathComponent("messages")
    try Data(lines.joined(separator: "\n").utf8).write(to: source)
    try Data().write(to: messages)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "5", source.path]
    compiler.standardError = try FileHandle(forWritingTo: messages)
    try compiler.run()
    compiler.waitUntilExit()
    let text = try String(contentsOf: messages, encoding: .utf8)
    #expect(compiler.terminationStatus == 0 || text.contains(": error: "), "\(text)")
    let places = text.matches(of: #/A\.swift:(\d+):\d+: error: /#)
    return Set(places.compactMap { Int($0.output.1) })
  }

  /// The names whose lines do not compile.
  private func refused(_ names: [String], _ line: (String) -> String) throws -> [String] {
    let faulty = try faultyLines(["import Foundation"] + names.map(line))
    return names.indices.filter { faulty.contains($0 + 2) }.map { names[$0] }
  }

  @Test("missing modules are missing, and common ones exist")
  func modules() throws {
    let names = AppleModules.missing.union(AppleModules.common).sorted()
    let faulty = try faultyLines(
      names.flatMap { ["#if !canImport(\($0))", "#error(\"\($0)\")", "#endif"] })
    let missing = names.indices.filter { faulty.contains($0 * 3 + 2) }.map { names[$0] }
    #expect(Set(missing) == AppleModules.missing.union(AppleModules.lodestars))
    #expect(AppleModules.missing.isDisjoint(with: AppleModules.common))
  }

  @Test("absent names are absent, and those of another module are there")
  func names() throws {
    let absent = LinuxFoundation.absent.keys.sorted()
    #expect(try refused(absent) { "let a_\($0) = \($0).self" } == absent)
    for (module, names) in LinuxFoundation.moved {
      let sorted = names.sorted()
      // As the type of a value: Foundation has aliases of these names.
      #expect(try refused(sorted) { "func f(_ a: \($0)?) -> Int? { a.hash }" } == sorted)
      let faulty = try faultyLines(
        ["import \(module)"] + sorted.map { "func f(_ a: \($0)?) {}" })
      #expect(faulty.isEmpty, "\(module)")
    }
  }

  @Test("absent initialisers and members are absent")
  func members() throws {
    let calls = LinuxFoundation.absentInitializers.flatMap { type, labels in
      labels.keys.map { $0.isEmpty ? "\(type)()" : "\(type)(\($0): \"\")" }
    }.sorted()
    #expect(calls.count == 4)
    // With the second argument, where there is one: it is not this that lacks.
    #expect(
      try refused(calls) {
        "let a = " + $0.replacing("(key: \"\"", with: "(key: \"\", ascending: true")
      } == calls)
    let members = LinuxFoundation.absentOfProcess.sorted()
    #expect(try refused(members) { "let a = ProcessInfo.processInfo.\($0)" } == members)
    // The check itself: what is there compiles.
    let there = try refused(["processInfo.arguments", "processInfo.missing"]) {
      "let a_\($0.count) = ProcessInfo.\($0)"
    }
    #expect(there == ["processInfo.missing"])
  }
}
