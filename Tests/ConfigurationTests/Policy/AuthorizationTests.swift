import Configuration
import Testing

@Suite("Authorization by a policy", .timeLimit(.minutes(30)))
struct AuthorizationTests {
  private let app = "com.example.app"

  @Test("requests have no effect unless the rule is ask")
  func fixedRules() {
    for (rule, status) in [
      (.always, .always), (.whenInUse, .whenInUse), (.denied, .denied), (.restricted, .restricted),
    ] as [(AuthorizationRule, Authorization)] {
      var policy = Policy()
      policy.defaultAuthorization = rule
      #expect(policy.authorization(for: app, hasAccess: true) == status)
      for request in AuthorizationRequest.allCases {
        #expect(policy.afterRequest(request, for: app, current: status) == nil)
      }
      // An older decision has no effect either.
      let old = AccessDecision(authorization: .always)
      #expect(policy.authorization(for: app, hasAccess: true, decision: old) == status)
    }
  }

  @Test(
    "without access, or with the switch off, an application is denied; restricted stays restricted")
  func noAccess() {
    var policy = Policy()
    #expect(policy.authorization(for: app, hasAccess: false) == .denied)
    policy.isEnabled = false
    #expect(policy.authorization(for: app, hasAccess: true) == .denied)
    policy.applications[app] = ApplicationPolicy(authorization: .restricted)
    #expect(policy.authorization(for: app, hasAccess: false) == .restricted)
    policy.applications[app] = ApplicationPolicy(authorization: .ask)
    #expect(policy.authorization(for: app, hasAccess: true) == .denied)
  }

  @Test(
    "with the rule ask the state is not determined until a request, then the answer holds",
    arguments: [
      (.always, .whenInUse, .whenInUse), (.always, .always, .always),
      (.whenInUse, .whenInUse, .whenInUse), (.whenInUse, .always, .whenInUse),
      (.denied, .whenInUse, .denied), (.denied, .always, .denied),
      (.wait, .always, .notDetermined),
    ] as [(AuthorizationAnswer, AuthorizationRequest, Authorization)])
  func answers(
    answer: AuthorizationAnswer, request: AuthorizationRequest, status: Authorization
  ) throws {
    var policy = Policy()
    policy.applications[app] = ApplicationPolicy(authorization: .ask, answer: answer)
    #expect(policy.authorization(for: app, hasAccess: true) == .notDetermined)
    let decision = try #require(
      policy.afterRequest(request, for: app, current: .notDetermined))
    #expect(decision.authorization == status)
    #expect(policy.authorization(for: app, hasAccess: true, decision: decision) == status)
    #expect(policy.authorization(for: "other", hasAccess: true) == .always)
  }

  @Test("from whenInUse an application may request always once")
  func upgrade() throws {
    var policy = Policy()
    policy.defaultAuthorization = .ask
    let first = try #require(policy.afterRequest(.whenInUse, for: app, current: .notDetermined))
    #expect(policy.afterRequest(.whenInUse, for: app, current: .whenInUse, decision: first) == nil)
    let second = try #require(
      policy.afterRequest(.always, for: app, current: .whenInUse, decision: first))
    #expect(second.authorization == .always)
    policy.defaultAnswer = .whenInUse
    let refused = try #require(
      policy.afterRequest(.always, for: app, current: .whenInUse, decision: first))
    #expect(refused == AccessDecision(authorization: .whenInUse, hasAskedForAlways: true))
    policy.defaultAnswer = .always
    #expect(policy.afterRequest(.always, for: app, current: .whenInUse, decision: refused) == nil)
  }

  @Test("a denied application cannot ask again")
  func denial() {
    var policy = Policy()
    policy.defaultAuthorization = .ask
    let denied = AccessDecision(authorization: .denied)
    #expect(policy.afterRequest(.always, for: app, current: .denied, decision: denied) == nil)
  }

  @Test(
    "accuracy and purposes are an application's own; a purpose that is not named is not granted")
  func purposes() {
    var policy = Policy()
    policy.defaultAccuracy = .reduced
    policy.applications[app] = ApplicationPolicy(
      accuracy: .full, purposes: ["Survey": true, "Sales": false])
    #expect(policy.accuracy(for: app) == .full)
    #expect(policy.accuracy(for: "other") == .reduced)
    #expect(policy.purposeIsGranted("Survey", for: app))
    #expect(!policy.purposeIsGranted("Sales", for: app))
    #expect(!policy.purposeIsGranted("Other", for: app))
    #expect(!policy.purposeIsGranted("Survey", for: "other"))
  }

  @Test("an application's unit is the named one, else the template's instance")
  func units() {
    var policy = Policy()
    policy.applications["a"] = ApplicationPolicy(unit: "mine.service")
    #expect(policy.unit(for: "a") == "mine.service")
    #expect(policy.unit(for: "com.example.b-2") == "corelocation-app@com.example.b-2.service")
    #expect(policy.unit(for: "a b") == nil && policy.unit(for: "..") == nil)
    #expect(policy.unit(for: "") == nil && policy.unit(for: "é") == nil)
  }

  @Test("a group admits its members and root")
  func groups() throws {
    var policy = Policy()
    let stranger = AccessUser(id: 65_534, groups: [65_534])
    #expect(try policy.admits(stranger))
    // The one group that every system has.
    policy.group = "root"
    #expect(try !policy.admits(stranger))
    #expect(try policy.admits(AccessUser(id: 65_534, groups: [65_534, 0])))
    #expect(try policy.admits(AccessUser(id: 0, groups: [])))
    policy.group = "no such group"
    #expect(throws: PolicyError.unknownGroup(name: "no such group")) {
      try policy.admits(stranger)
    }
    #expect(AccessUser(peer: 0, groupID: 0).groups.contains(0))
  }
}
