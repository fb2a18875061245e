import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar port-check", .timeLimit(.minutes(30)))
struct PortCheckCommandTests {
  /// A script in its own folder.
  private func withProgram(
    _ text: String, mode: Int = 0o755, _ body: (_ folder: String, _ program: String) throws -> Void
  ) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { do { try files.removeItem(atPath: folder) } catch { Issue.record(error) } }
    let program = folder + "/lodestar-port-check"
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: program))
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: program)
    try body(folder, program)
  }

  @Test("the program in LODESTAR_PORT_CHECK gets the paths, and its status is returned")
  func named() throws {
    try withProgram("echo \"$@\"; exit 1") { _, program in
      let run = try lodestar.run(
        ["port-check", "a b", "c", "--format", "json"],
        environment: ["LODESTAR_PORT_CHECK": program])
      #expect(run.status == 1 && run.exited)
      #expect(run.text == "--format json -- a b c\n")
    }
  }

  @Test("without LODESTAR_PORT_CHECK the program on the PATH is used")
  func onPath() throws {
    try withProgram("echo found \"$@\"") { folder, _ in
      let run = try lodestar.run(
        ["port-check", "--rules"], environment: ["PATH": folder, "LODESTAR_PORT_CHECK": ""])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.text == "found --format text --rules --\n")
    }
  }

  @Test(
    "a missing program is reported with the remedy, and a command line without a folder is invalid")
  func faults() throws {
    let absent = try lodestar.run(
      ["port-check", "x"], environment: ["LODESTAR_PORT_CHECK": "/nonexistent/check"])
    #expect(absent.status == 69)
    #expect(
      absent.errors
        == "lodestar: LODESTAR_PORT_CHECK=/nonexistent/check: not an executable file; set it to "
        + "lodestar-port-check, or unset it\n")
    #expect(try lodestar.run(["port-check"]).status == 64)
  }
}
