import Configuration
import Testing

@Suite("The reason of a denial by a policy", .timeLimit(.minutes(30)))
struct PolicyReasonTests {
  private let app = "com.example.app"

  @Test("names the file of the rule that decides")
  func file() throws {
    let folder = try PolicyFolder([
      "10-default.yaml": "default: denied",
      "20-app.yaml": "applications: {com.example.app: {authorization: restricted}}",
      "30-other.yaml": "accuracy: reduced",
    ])
    let policy = try folder.load()
    let own = try #require(policy.denialReason(for: app))
    #expect(own.contains("20-app.yaml restricts") && !own.contains("10-default"))
    let other = try #require(policy.denialReason(for: "com.example.other"))
    #expect(other.contains("10-default.yaml denies 'com.example.other'"))
    #expect(!own.contains(Policy.standardFolder) && !other.contains(Policy.standardFolder))
  }

  @Test("names the file of the switch, and of the rule that has a person asked")
  func otherRules() throws {
    let off = try PolicyFolder.policy("enabled: false")
    #expect(off.denialReason(for: app)?.contains("switched off by the policy file") == true)
    let ask = try PolicyFolder.policy("default: ask")
    #expect(ask.denialReason(for: app) == nil)
    let denied = AccessDecision(authorization: .denied)
    let reason = try #require(ask.denialReason(for: app, decision: denied))
    #expect(reason.contains("was denied") && reason.contains(".yaml"))
    #expect(Policy().denialReason(for: app) == nil)
  }

  @Test("headings need no authorization unless a rule denies or restricts them")
  func headings() throws {
    #expect(Policy().headingsAreGranted(to: app, hasAccess: true))
    #expect(!Policy().headingsAreGranted(to: app, hasAccess: false))
    #expect(!Policy.restricted.headingsAreGranted(to: app, hasAccess: true))
    for (text, isGranted) in [
      ("default: denied", true), ("default: ask", true), ("enabled: false", true),
      ("default: restricted", false), ("headings: deny", false),
      ("{headings: deny, applications: {com.example.app: {headings: grant}}}", true),
      ("applications: {com.example.app: {headings: deny}}", false),
      ("applications: {com.example.app: {authorization: restricted}}", false),
    ] {
      let policy = try PolicyFolder.policy(text)
      #expect(policy.headingsAreGranted(to: app, hasAccess: true) == isGranted, "\(text)")
    }
    // For a client that is not bound to the name an entry only restricts.
    let bound = try PolicyFolder.policy(
      "{headings: deny, applications: {com.example.app: {headings: grant}}}")
    #expect(!bound.headingsAreGranted(to: app, hasAccess: true, isBound: false))
  }
}
