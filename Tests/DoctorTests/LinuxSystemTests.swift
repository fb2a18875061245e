import Doctor
import TestSupport
import Testing

@Suite("Doctor: the running machine", .timeLimit(.minutes(30)))
struct LinuxSystemTests {
  @Test("a program's status and output are returned, and nil for one that is not installed")
  func programs() {
    let system = LinuxSystem()
    #expect(
      system.run(["sh", "-c", "echo out; echo err >&2; exit 3"])
        == CommandOutcome(status: 3, output: "out\nerr\n"))
    #expect(system.run(["no-such-program"]) == nil)
    #expect(system.run([]) == nil)
    // Its messages are in English.
    #expect(system.run(["sh", "-c", "echo $LC_ALL"])?.output == "C\n")
  }

  @Test("attributes, free space and libraries are those of the machine")
  func machine() throws {
    let system = LinuxSystem()
    let folder = try TemporaryFolder()
    let attributes = try #require(system.attributes(of: folder.path))
    #expect(attributes.uid == system.caller.uid)
    #expect(attributes.mode & 0o700 == 0o700)
    #expect(system.attributes(of: folder.path + "/none") == nil)
    #expect(system.freeBytes(of: folder.path) ?? 0 > 0)
    #expect(system.loads("libc.so.6") && !system.loads("libnone.so.9"))
    #expect(system.clock.utc.decimalYear > 2025)
  }

  @Test("this machine is examined without a crash, and every finding is complete")
  func attached() {
    for finding in CheckCatalogue.findings(on: .attached) where finding.severity != .ok {
      #expect(finding.why != nil && finding.remedy != nil)
    }
  }
}
