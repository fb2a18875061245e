import Foundation
import JSON
import TestSupport
import Testing

/// Rules that hold in the whole tree and that no compiler checks.
@Suite("Rules for sources and tests", .timeLimit(.minutes(30)))
struct SourceRulesTests {
  private func text(_ path: String) throws -> String {
    try String(
      contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// The Swift files below a folder of the repository.
  private func swiftFiles(in folder: String) -> [String] {
    let root = SharedData.repository.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    return files.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
      .map { "\(folder)/\($0)" }
  }

  private func shell(_ script: String, _ arguments: [String] = []) throws -> BuiltProgram.Outcome {
    try BuiltProgram.shell.run(
      ["-c", "cd \"$0\" && \(script)", SharedData.repository.path] + arguments)
  }

  @Test("every suite has a time limit")
  func timeLimits() throws {
    for file in swiftFiles(in: "Tests") where file.split(separator: "/")[1].hasSuffix("Tests") {
      let text = try text(file)
      guard text.contains("@Test") else { continue }
      let suites = text.split(separator: "\n@Suite", omittingEmptySubsequences: false).dropFirst()
      let types = text.matches(of: /\n(final )?(struct|class|actor|enum) \w+Tests\b/)
      #expect(suites.count >= types.count, "\(file): a suite without @Suite(.timeLimit(…))")
      for suite in suites {
        let head = suite.prefix { $0 != "{" }
        #expect(head.contains(".timeLimit("), "\(file): @Suite\(head)")
      }
    }
  }

  @Test("a test waits for a child with a deadline")
  func deadlines() throws {
    let endless = "waitUntil" + "Exit()"
    // The attacks are a program of their own.
    for file in swiftFiles(in: "Tests") where !file.hasPrefix("Tests/Attack/") {
      let isFound = try text(file).contains(endless)
      #expect(!isFound, "\(file): use ChildProcess.waitOrKill()")
    }
  }

  @Test("the lint step refuses later features and worn-out verbs, and nothing of the tree")
  func laterFeatures() throws {
    let tree = try shell("Scripts/lint --text")
    #expect(tree.status == 0, "\(tree.errors)")
    let samples = [
      "let a = #expect(throws: E.self) { try f() }", "return #expect(throws: E.self) { try f() }",
      "f(\n  1,\n)", "f(1, )",
      "func f<\n  T,\n>(_: T) {}", "nonisolated extension A {}", "nonisolated public struct A {}",
      "await withTaskGroup { _ in }", "await withThrowingTaskGroup(returning: Int.self) { _ in }",
      "struct A: TestScoping {}", "let a = [1, 2]; traits: []", "isolated deinit {}",
      "nonisolated(nonsending) func f() async {}", "@concurrent func f() async {}",
      "let a: InlineArray<4, Int>", "func f(_: Span<UInt8>) {}", "let a: [4 of Int]",
      "func `a name`() {}", "#expect(processExitsWith: .success) {}", "try Test.cancel()",
      "Task(name: \"a\") {}", "weak let a = b", "for await a in Observations { 1 } {}",
      ".treatAllWarnings(as: .error)", "let a = Swift::Int(1)", "func take(_ a: Int) {}",
      "func settle() {}", "func look<A>(_: A) {}", "func note(_: Int) {}", "func tell() {}",
    ]
    for sample in samples {
      let folder = try TemporaryFolder()
      try folder.write(sample + "\n", "/sample.swift")
      let run = try shell("Scripts/lint --text \"$1\"", [folder.path])
      #expect(run.status != 0 && run.errors.contains("sample.swift:"), "\(sample): \(run.errors)")
      // In a text, a comment and for a newer compiler only it is allowed.
      let hidden =
        "// " + sample.replacingOccurrences(of: "\n", with: "\n// ") + "\n#if compiler(>=6.2)\n"
        + sample + "\n#endif\n"
      try folder.write(hidden, "/sample.swift")
      let allowed = try shell("Scripts/lint --text \"$1\"", [folder.path])
      #expect(allowed.status == 0, "\(sample): \(allowed.errors)")
    }
  }

  @Test(
    "what Foundation decodes as JSON is checked before: a name that is not UTF-8 stops Swift 6.0")
  func checkedJSON() throws {
    let decoding = try swiftFiles(in: "Sources").filter { try text($0).contains("JSONDecoder()") }
    #expect(decoding.count >= 8)
    for file in decoding {
      let isChecked = try text(file).contains("JSONText.check(")
      #expect(isChecked, "\(file): decodes what it has not checked")
    }
  }

  @Test("a function that Architecture.md names exists in the sources")
  func namedFunctions() throws {
    let text = try text("Documentation/Architecture.md")
    let sources = try swiftFiles(in: "Sources").map { try self.text($0) }.joined(separator: "\n")
    var count = 0
    for match in text.matches(of: /`([A-Z]\w+)\.(\w+)/) where match.2 != "swift" {
      let (type, member) = (String(match.1), String(match.2))
      // Swift's own concurrency.
      guard type != "Task" else { continue }
      count += 1
      let types = ["struct", "class", "enum", "protocol", "actor"].map { "\($0) \(type)" }
      let members = ["func", "var", "let", "case", "struct", "enum"].map { "\($0) \(member)" }
      #expect(types.contains { sources.contains($0) }, "\(type)")
      #expect(
        member == "init" || members.contains { sources.contains($0) }, "\(type).\(member)")
    }
    #expect(count > 100)
  }

  @Test("dependencies have exact versions, the same in every manifest")
  func pinnedDependencies() throws {
    var versions: [String: String] = [:]
    for manifest in ["Package.swift", "Benchmarks/Package.swift", "PortCheck/Package.swift"] {
      let lines = try text(manifest).split(separator: "\n").filter { $0.contains("\"https://") }
      #expect(!lines.isEmpty, "\(manifest)")
      for line in lines {
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        // The syntax of Swift's sources belongs to the compiler: a version for each.
        if line.contains("swift-syntax") { continue }
        let isExact = quoted.count == 5 && (quoted[2] == ", exact: " || line.contains("tested("))
        try #require(isExact, "\(manifest): \(line)")
        let (url, version) = (String(quoted[1]), String(quoted[3]))
        #expect(versions[url] ?? version == version, "\(manifest): \(url)")
        versions[url] = version
      }
    }
    #expect(versions.count == 2)
  }

  @Test("an unreleased version sorts above the last release and below its own")
  func versionOrder() throws {
    let dpkg = BuiltProgram.installed("dpkg")
    let git = try shell("git rev-parse HEAD")
    guard let dpkg, git.status == 0 else { return }
    let run = try shell(
      ". Packaging/version.sh; program_version HEAD; git tag --points-at HEAD; debian_version HEAD")
    let lines = run.text.split(separator: "\n").map(String.init)
    let (program, debian) = (try #require(lines.first), try #require(lines.last))
    let changes = try text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## [") }
    let released = try #require(changes.first { !$0.contains("Unreleased") })
      .split { "[]".contains($0) }[1]
    func isBelow(_ a: String, _ b: String) throws -> Bool {
      try dpkg.run(["--compare-versions", a, "lt", b]).status == 0
    }
    #expect(
      try isBelow(debian, "\(program.split(separator: "~")[0])-0lodestar1")
        || !program.contains("~"))
    #expect(try isBelow("\(released)-0lodestar1", debian) || released == program)
    #expect(program.contains("~") == changes[0].contains("Unreleased"), "\(program), \(changes[0])")
  }
}
