import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("A daemon with damaged state", .timeLimit(.minutes(30)))
struct DamagedStateTests {
  @Test(
    "names a damaged identifier of the vessel and keeps it beside the new one",
    arguments: [Data("no uuid".utf8), Data([0xFF, 0xFE]), Data()])
  func vessel(_ content: Data) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, "/state/signalk-uuid")
    // A port that is taken is a warning; the identifier is read before.
    try folder.write("signalk-port: \(Int.random(in: 20_000..<32_000))\n", "/serve.yaml")
    let daemon = try RunningProgram(
      lodestar,
      [
        "serve", "--simulate", "--gpsd-port", "0", "--http-port", "0", "--state",
        folder.path + "/state", "--config", folder.path + "/serve.yaml",
      ], environment: ["LODESTAR_SOCKET": folder.path + "/s", "LODESTAR_POLICY": ""])
    defer { daemon.end(SIGTERM) }
    #expect(
      eventually { daemon.errors.contains("signalk-uuid is damaged") }, "\(daemon.errors)")
    let state = folder.path + "/state/signalk-uuid"
    #expect(FileManager.default.contents(atPath: state + ".damaged") == content)
    #expect(eventually { FileManager.default.contents(atPath: state)?.count == 37 })
  }
}
