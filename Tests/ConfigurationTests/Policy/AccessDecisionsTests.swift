import Configuration
import Foundation
import Testing

@Suite("Stored decisions", .timeLimit(.minutes(30)))
struct AccessDecisionsTests {
  @Test("a decision is stored, replaced, listed and removed")
  func keeping() throws {
    let folder = try PolicyFolder()
    let decisions = AccessDecisions(folder: folder.path + "/state/access")
    #expect(try decisions.decision(for: "a") == nil)
    #expect(try decisions.applications() == [])
    try decisions.forget("a")
    let first = AccessDecision(authorization: .whenInUse)
    try decisions.record(first, for: "b.c-d_e")
    try decisions.record(AccessDecision(authorization: .denied), for: "a")
    let second = AccessDecision(authorization: .always, hasAskedForAlways: true)
    try decisions.record(second, for: "b.c-d_e")
    let again = AccessDecisions(folder: decisions.folder)
    #expect(try again.decision(for: "b.c-d_e") == second)
    #expect(try again.applications() == ["a", "b.c-d_e"])
    try again.forget("a")
    #expect(try decisions.decision(for: "a") == nil)
    // Nothing but the decisions is left.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: decisions.folder)
        == ["b.c-d_e.decision.json"])
  }

  @Test("an invalid identifier, a damaged file and an impossible folder are typed errors")
  func faults() throws {
    let folder = try PolicyFolder(["a.decision.json": "{"])
    let decisions = AccessDecisions(folder: folder.path)
    #expect(throws: PolicyError.noApplicationID(text: "../a")) {
      try decisions.decision(for: "../a")
    }
    let path = folder.path + "/a.decision.json"
    #expect(
      throws: PolicyError.damagedDecision(path: path, reason: "not the JSON of a decision")
    ) { try decisions.decision(for: "a") }
    try decisions.record(AccessDecision(authorization: .denied), for: "a")
    #expect(try decisions.decision(for: "a")?.authorization == .denied)
    // A file has the name of the folder.
    let blocked = AccessDecisions(folder: path)
    do {
      try blocked.record(AccessDecision(authorization: .denied), for: "b")
      Issue.record("a file was used as a folder")
    } catch {
      guard case .notKept(let named, let reason) = error else {
        Issue.record(error)
        return
      }
      #expect(named == path + "/b.decision.json")
      #expect(!reason.isEmpty)
    }
  }
}
