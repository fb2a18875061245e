import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite(
  "The manual", .enabled(if: BuiltProgram.installed("python3") != nil, "no python3"),
  .timeLimit(.minutes(30)))
struct ManualPageTests {
  private static let script =
    SharedData.repository.appendingPathComponent("Scripts/build-man").path

  /// The pages by their names.
  private func pages(in folder: TemporaryFolder) throws -> [String: String] {
    let run = try BuiltProgram(at: "/usr/bin/env").run(
      ["python3", Self.script, folder.path, lodestar.path],
      environment: ["SOURCE_DATE_EPOCH": "1790000000"])
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    var pages: [String: String] = [:]
    for section in ["man1", "man5"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(section)") {
        pages[name] = try String(
          contentsOfFile: "\(folder.path)/\(section)/\(name)", encoding: .utf8)
      }
    }
    return pages
  }

  @Test("every command and file has a page; two runs give equal bytes with the given date")
  func whole() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let pages = try pages(in: first)
    #expect(try self.pages(in: second) == pages)
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      func names(below name: String) -> [String] {
        [name] + (subcommands ?? []).flatMap { $0.names(below: "\(name)-\($0.commandName)") }
      }
    }
    struct Help: Decodable { var command: Command }
    let dump = try lodestar.run(["--experimental-dump-help"])
    let help = try JSONDecoder().decode(Help.self, from: dump.output)
    let names = help.command.names(below: "lodestar").filter { !$0.hasSuffix("-help") }
    #expect(
      Set(names.map { "\($0).1" } + ["lodestar-serve.yaml.5", "lodestar-board.5"])
        == Set(pages.keys))
    for (name, page) in pages {
      #expect(page.contains("\"2026\\-09\\-21\"") || page.contains("\"2026-09-21\""), "\(name)")
      #expect(page.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0A) }, "\(name)")
    }
    let root = try #require(pages["lodestar.1"])
    for section in ["EXIT STATUS", "ENVIRONMENT", "FILES", "JSON RECORDS", "SEE ALSO"] {
      #expect(root.contains(".SH \(section)"))
    }
    #expect(root.contains("\\fB64\\fR\nAn invalid command line."))
    #expect(pages["lodestar-heading.1"]?.contains("\\fB\\-\\-count\\fR \\fIlines\\fR") == true)
    #expect(pages["lodestar-serve.yaml.5"]?.contains("\\fBgpsd\\-port\\fR: \\fI2947\\fR") == true)
  }

  @Test("the page of the daemon's file has every key of the example")
  func keys() throws {
    let page = try #require(try pages(in: try TemporaryFolder())["lodestar-serve.yaml.5"])
    let example = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Packaging/systemd/serve.yaml"),
      encoding: .utf8)
    let keys = example.matches(of: /(?m)^(?:# )?([a-z]+(?:-[a-z]+)*): \S/).map(\.1)
    #expect(keys.count > 40)
    for key in keys {
      #expect(page.contains("\\fB\(key.replacing("-", with: "\\-"))\\fR: "), "\(key)")
    }
  }

  @Test(
    "man renders every page without a warning",
    .enabled(if: BuiltProgram.installed("man") != nil, "no man"))
  func rendered() throws {
    let folder = try TemporaryFolder()
    let man = try #require(BuiltProgram.installed("man"))
    for name in try pages(in: folder).keys {
      let page = "\(folder.path)/man\(name.suffix(1))/\(name)"
      let run = try man.run(
        ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
        environment: ["LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"])
      #expect(
        run.status == 0 && run.errors.isEmpty && !run.output.isEmpty, "\(name): \(run.errors)")
    }
  }

  @Test("a wrong call of the script is explained, and so is a program that does not run")
  func misuse() throws {
    let python = BuiltProgram(at: "/usr/bin/env")
    let run = try python.run(["python3", Self.script])
    #expect(run.status == 64 && run.errors.contains("usage: Scripts/build-man FOLDER PROGRAM..."))
    let none = try python.run(["python3", Self.script, "/nonexistent", "/nonexistent"])
    #expect(none.status == 1 && none.errors.hasPrefix("build-man: /nonexistent: cannot be run"))
  }
}
