import Configuration
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The binding of an application's name", .timeLimit(.minutes(30)))
struct NameBindingTests {
  private let app = "com.example.app"
  private let stranger: UInt32 = 4002

  private func policy(_ application: ApplicationPolicy) -> Policy {
    var policy = Policy()
    policy.defaultAuthorization = .denied
    policy.applications[app] = application
    return policy
  }

  @Test("a name is bound to root, the process's user, the named users and the unit")
  func bound() throws {
    let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
    let policy = policy(
      ApplicationPolicy(
        users: ["4001", "nobody", "no-such-user"].compactMap(PolicyUser.init), unit: "mine.service")
    )
    for user in [0, getuid(), 4001, nobody] {
      #expect(policy.isBound(user: user, unit: nil, to: app), "\(user)")
    }
    #expect(!policy.isBound(user: stranger, unit: nil, to: app))
    for unit in ["mine.service", "corelocation-app@com.example.app.service"] {
      #expect(policy.isBound(user: stranger, unit: unit, to: app))
    }
    for unit in ["corelocation-app@com.example.other.service", "other.service", "mine"] {
      #expect(!policy.isBound(user: stranger, unit: unit, to: app))
    }
    // The default applies to an application without an entry; there is nothing to bind.
    #expect(policy.isBound(user: stranger, unit: nil, to: "com.example.other"))
    #expect(policy.unknownUsers().count == 1)
    #expect(
      policy.unknownUsers().first?.hasPrefix(
        "the policy's user 'no-such-user' of 'com.example.app' does not exist") == true)
  }

  @Test("the stricter authorization applies to a client that is not bound, for every pair of rules")
  func authorizations() {
    let order: [Authorization] = [.restricted, .denied, .notDetermined, .whenInUse, .always]
    let requests: [[AuthorizationRequest]] = [
      [.whenInUse, .always, .always], [.always, .whenInUse, .always],
    ]
    /// The states before and after each request.
    func states(
      _ policy: Policy, _ id: String, _ requests: [AuthorizationRequest], isBound: Bool
    ) -> [Authorization] {
      var decision: AccessDecision?
      func now() -> Authorization {
        policy.authorization(for: id, hasAccess: true, decision: decision, isBound: isBound)
      }
      return [now()]
        + requests.map { request in
          let new = policy.afterRequest(
            request, for: id, current: now(), decision: decision, isBound: isBound)
          decision = new ?? decision
          return now()
        }
    }
    for rule in AuthorizationRule.allCases {
      for answer in AuthorizationAnswer.allCases {
        for standard in AuthorizationRule.allCases {
          for standardAnswer in AuthorizationAnswer.allCases {
            var policy = policy(ApplicationPolicy(authorization: rule, answer: answer))
            policy.defaultAuthorization = standard
            policy.defaultAnswer = standardAnswer
            var isLess = false
            for requests in requests {
              let own = states(policy, app, requests, isBound: true)
              let others = states(policy, "com.example.other", requests, isBound: true)
              let claimed = states(policy, app, requests, isBound: false)
              for (index, state) in claimed.enumerated() {
                let stricter = order.first { $0 == own[index] || $0 == others[index] }
                #expect(state == stricter, "\(rule) \(answer) \(standard) \(standardAnswer)")
              }
              isLess = isLess || claimed != own
            }
            #expect((policy.bindingFault(of: app) != nil) == isLess)
          }
        }
      }
    }
  }

  @Test("the default limits an earlier decision on a client that is not bound")
  func earlierDecision() {
    var policy = policy(ApplicationPolicy(authorization: .ask))
    policy.defaultAuthorization = .whenInUse
    let decision = AccessDecision(authorization: .always)
    #expect(policy.authorization(for: app, hasAccess: true, decision: decision) == .always)
    #expect(
      policy.authorization(for: app, hasAccess: true, decision: decision, isBound: false)
        == .whenInUse)
  }

  @Test("the stricter accuracy applies, calibration needs both grants, purposes are not granted")
  func otherRules() {
    for own in AccuracyRule.allCases {
      for standard in AccuracyRule.allCases {
        var policy = Policy()
        policy.defaultAccuracy = standard
        policy.applications[app] = ApplicationPolicy(accuracy: own)
        #expect(policy.accuracy(for: app) == own)
        let isFull = own == .full && standard == .full
        #expect(policy.accuracy(for: app, isBound: false) == (isFull ? .full : .reduced))
        #expect((policy.bindingFault(of: app) != nil) == (own == .full && standard == .reduced))
      }
    }
    for own in [nil, true, false] as [Bool?] {
      for standard in [true, false] {
        var policy = Policy()
        policy.defaultCalibration = standard
        policy.applications[app] = ApplicationPolicy(calibration: own)
        #expect((policy.calibrationFault(for: app) == nil) == (own ?? standard))
        let isGranted = (own ?? standard) && standard
        #expect((policy.calibrationFault(for: app, isBound: false) == nil) == isGranted)
        #expect((policy.bindingFault(of: app) != nil) == (own == true && !standard))
      }
    }
    let policy = policy(ApplicationPolicy(purposes: ["Survey": true, "Sales": false]))
    #expect(policy.purposeIsGranted("Survey", for: app))
    #expect(!policy.purposeIsGranted("Survey", for: app, isBound: false))
    #expect(policy.bindingFault(of: app) != nil)
    #expect(Policy.restricted.calibrationFault(for: app) != nil)
  }

  @Test("a fault names the file, the cause and the remedy")
  func faults() {
    let grant = "the policy in /etc/corelocation/policy.d grants more to 'com.example.app', but "
    var policy = policy(ApplicationPolicy(authorization: .always))
    #expect(
      policy.bindingFault(of: app)
        == grant + "binds the name to no user: add 'users: [NAME]' to its entry")
    policy.applications[app]?.users = ["pi", "1001"].compactMap(PolicyUser.init)
    #expect(
      policy.bindingFault(of: app)
        == grant + "only for the users pi, 1001: add the user to 'users' of its entry")
    policy.defaultCalibration = false
    #expect(
      policy.calibrationFault(for: "com.example.other")
        == "the policy in /etc/corelocation/policy.d does not grant it to 'com.example.other': "
        + "add 'calibration: grant' and 'users: [NAME]' to its entry")
    #expect(policy.bindingFault(of: "com.example.other") == nil)
  }
}
