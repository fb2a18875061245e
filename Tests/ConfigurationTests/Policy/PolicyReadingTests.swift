import Configuration
import Foundation
import TestSupport
import Testing

private let effect = "; every application is restricted until this is corrected"
private let users = "; expected: a list of users, by name or number, as [pi, 1001]"

/// Files with one invalid value each, and what the message says behind the file's name.
private let invalidValues: [(String, String)] = [
  (
    "default: never",
    "1: default: 'never'; expected: always, whenInUse, ask, denied, restricted"
  ),
  ("\nenabled: maybe", "2: enabled: 'maybe'; expected: true or false"),
  ("answer: restricted", "1: answer: 'restricted'; expected: always, whenInUse, denied, wait"),
  ("accuracy: 5", "1: accuracy: '5'; expected: full, reduced"),
  ("group: ~", "1: group: '~'; expected: the name of a group"),
  ("regions: {dwell: -1}", "1: regions.dwell: '-1'; expected: seconds from 0 to 86400"),
  (
    "regions: {cushionFactor: .nan}",
    "1: regions.cushionFactor: '.nan'; expected: a factor from 0 to 10"
  ),
  ("visits: {radius: 0}", "1: visits.radius: '0'; expected: metres from 1 to 100000"),
  ("significantChange: 5", "1: significantChange: '5'; expected: keys: distance, interval"),
  (
    "wifiLocation: {interval: 60}", "1: wifiLocation: 'keys'; expected: the key 'url', or 'off'"
  ),
  (
    "wifiLocation:\n  url: ftp://example.org",
    "2: wifiLocation.url: 'ftp://example.org'; expected: an address: http://… or https://…"
  ),
  (
    "applications:\n  ../etc: {}",
    "2: applications: '../etc'; expected: an application's identifier, as com.example.app"
  ),
  (
    "applications:\n  a:\n    purposes: {Two: maybe}",
    "3: applications.a.purposes.Two: 'maybe'; expected: grant, deny"
  ),
  (
    "applications: {a: {unit: rm -rf}}",
    "1: applications.a.unit: 'rm -rf'; expected: the name of a systemd unit, as name.service"
  ),
  ("calibration: true", "1: calibration: 'true'; expected: grant, deny"),
  (
    "applications: {a: {calibration: always}}",
    "1: applications.a.calibration: 'always'; expected: grant, deny"
  ),
  ("applications: {a: {users: pi}}", "1: applications.a.users: 'pi'\(users)"),
  ("applications: {a: {users: [b, {}]}}", "1: applications.a.users: 'keys'\(users)"),
  ("applications: {a: {users: ['']}}", "1: applications.a.users: ''\(users)"),
  ("applications: {a: {users: [a b]}}", "1: applications.a.users: 'a b'\(users)"),
  ("applications: {a: {users: [-1]}}", "1: applications.a.users: '-1'\(users)"),
  ("applications: {a: {users: [4294967295]}}", "1: applications.a.users: '4294967295'\(users)"),
  ("- a", "1: the file: 'a list'; expected: keys: \(allKeys)"),
]

private let allKeys =
  "enabled, default, answer, accuracy, calibration, headings, group, applications, regions, "
  + "significantChange, visits, resumesAutomatically, strictBackground, wifiLocation"

@Suite("Reading a policy", .timeLimit(.minutes(30)))
struct PolicyReadingTests {
  @Test("without files every application is allowed and no scan is sent")
  func noFiles() throws {
    let policy = try Policy.load(environment: [:], folder: "/nonexistent/policy.d")
    #expect(policy == Policy())
    #expect(policy.authorization(for: "com.example.app", hasAccess: true) == .always)
    #expect(policy.accuracy(for: "com.example.app") == .full)
    #expect(policy.wifiLocation == nil)
    #expect(policy.regions.cushionFactor == 1 && policy.regions.minimumCushionMetres == 20)
    #expect(policy.regions.dwellSeconds == 20)
    #expect(policy.significantChange.distanceMetres == 500)
    #expect(policy.significantChange.intervalSeconds == 300)
    #expect(!policy.resumesAutomatically && !policy.strictBackground)
  }

  @Test("every key is read")
  func everyKey() throws {
    var expected = Policy()
    expected.isEnabled = false
    expected.defaultAuthorization = .ask
    expected.defaultAnswer = .wait
    expected.defaultAccuracy = .reduced
    expected.defaultCalibration = false
    expected.defaultHeadings = false
    expected.group = "location"
    expected.applications = [
      "com.example.app": ApplicationPolicy(
        authorization: .whenInUse, answer: .denied, accuracy: .full,
        purposes: ["Survey": true, "Sales": false], calibration: true,
        headings: true, users: ["pi", "1001", "ANNA\\b.c-d"].compactMap(PolicyUser.init),
        unit: "logger@1.service")
    ]
    expected.regions.cushionFactor = 2.5
    expected.regions.minimumCushionMetres = 50
    expected.regions.dwellSeconds = 30
    expected.regions.responseDelaySeconds = 120
    expected.significantChange.distanceMetres = 1000
    expected.significantChange.intervalSeconds = 600
    expected.visits.radiusMetres = 150
    expected.visits.dwellSeconds = 420
    expected.resumesAutomatically = true
    expected.strictBackground = true
    expected.wifiLocation = WiFiLocationRules(url: "http://127.0.0.1:8080/v1/geolocate", key: "k")
    expected.wifiLocation?.intervalSeconds = 60
    let policy = try PolicyFolder.policy(
      #"""
      enabled: false
      default: ask
      answer: wait
      accuracy: reduced
      calibration: deny
      headings: deny
      group: location
      applications:
        "com.example.app":
          authorization: whenInUse
          answer: denied
          accuracy: full
          purposes: {Survey: grant, Sales: deny}
          calibration: grant
          headings: grant
          users: [pi, 1001, 'ANNA\b.c-d']
          unit: logger@1.service
      regions: {cushionFactor: 2.5, minimumCushion: 50, dwell: 30, responseDelay: 120}
      significantChange: {distance: 1000, interval: 600}
      visits: {radius: 150, dwell: 420}
      resumesAutomatically: true
      strictBackground: true
      wifiLocation: {url: "http://127.0.0.1:8080/v1/geolocate", key: k, interval: 60}
      """#)
    #expect(policy == expected)
  }

  @Test("the example file contains the defaults, apart from its application")
  func example() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appendingPathComponent("Packaging/policy/example.yaml").path
    var policy = try Policy.load(environment: ["LODESTAR_POLICY": path], folder: "/nonexistent")
    #expect(policy.applications["com.example.logger"]?.unit == "example-logger.service")
    #expect(policy.applications["com.example.logger"]?.users.map(\.description) == ["pi", "1001"])
    policy.applications = [:]
    #expect(policy == Policy())
  }

  @Test("a later file overrides key by key, and LODESTAR_POLICY comes last")
  func layers() throws {
    let folder = try PolicyFolder([
      "10-first.yaml": """
      default: denied
      accuracy: reduced
      regions: {dwell: 5, minimumCushion: 7}
      wifiLocation: {url: "https://example.org/geolocate"}
      applications: {a: {authorization: ask, purposes: {One: grant, Two: grant}, users: [pi, 1001]}}
      """,
      "20-second.yaml": """
      default: whenInUse
      regions: {dwell: 6}
      wifiLocation: off
      applications: {a: {answer: denied, purposes: {Two: deny}, users: [5]}, b: {accuracy: full}}
      """,
      "30-comments.yaml": "# nothing yet\n",
      "40-ignored.yaml.dpkg-old": "default: restricted",
      ".50-hidden.yaml": "default: restricted",
    ])
    let policy = try folder.load()
    #expect(policy.defaultAuthorization == .whenInUse)
    #expect(policy.defaultAccuracy == .reduced)
    #expect(policy.regions.dwellSeconds == 6 && policy.regions.minimumCushionMetres == 7)
    #expect(policy.wifiLocation == nil)
    #expect(
      policy.applications["a"]
        == ApplicationPolicy(
          authorization: .ask, answer: .denied, purposes: ["One": true, "Two": false],
          users: ["5"].compactMap(PolicyUser.init)))
    #expect(policy.applications["b"] == ApplicationPolicy(accuracy: .full))
    let own = try PolicyFolder(["x.yaml": "default: ask"])
    for named in [own.path, own.path + "/x.yaml"] {
      let both = try folder.load(["LODESTAR_POLICY": named])
      #expect(both.defaultAuthorization == .ask && both.defaultAccuracy == .reduced)
    }
  }

  @Test(
    "an invalid value is refused with its line, its key and the expected value",
    arguments: invalidValues)
  func wrongValues(text: String, message: String) throws {
    #expect(try PolicyFolder.refusal(text) == "a.yaml:" + message + effect)
  }

  @Test("an unknown key is refused with the list of known ones")
  func unknownKeys() throws {
    #expect(
      try PolicyFolder.refusal("enabled: true\nvisits:\n  size: 3")
        == "a.yaml:3: unknown key 'visits.size'; allowed: radius, dwell" + effect)
    let folder = try PolicyFolder(["a.yaml": "authorisation: always"])
    #expect {
      try folder.load()
    } throws: { error in
      guard case .unknownKey(_, 1, "authorisation", let allowed)? = error as? PolicyError else {
        return false
      }
      return allowed.contains("default") && allowed.count == 14
    }
  }

  @Test(
    "invalid YAML is refused with line and column",
    arguments: ["default: [always", "default: always\n\tenabled: true", "a: 1\na: 2", "\u{0}"])
  func notYAML(text: String) throws {
    let message = try #require(try PolicyFolder.refusal(text))
    #expect(message.hasPrefix("a.yaml:") && message.contains("not YAML: "), "\(message)")
  }

  @Test("with invalid files every application is restricted, and the message names the effect")
  func failureIsSafe() throws {
    let folder = try PolicyFolder([
      "a.yaml": "default: always\napplications: {a: {authorization: x}}"
    ])
    let (policy, error) = Policy.loadSafely(environment: [:], folder: folder.path)
    #expect(policy == .restricted)
    #expect(policy.authorization(for: "a", hasAccess: true) == .restricted)
    #expect(policy.accuracy(for: "a") == .reduced)
    #expect(error?.description.contains("every application is restricted") == true)
  }

  @Test("a file that is not UTF-8, or has no end, is refused with the reason")
  func notText() throws {
    let file = try TemporaryFile(Data([0x23, 0x0A, 0x0A, 0xFF]), suffix: ".yaml")
    for (path, reason) in [
      (file.path, "not UTF-8 text, line 3"),
      ("/dev/zero", "larger than 1048576 bytes, the limit for a file of this kind"),
    ] {
      #expect(throws: PolicyError.unreadable(path: path, reason: reason)) {
        try Policy.load(environment: ["LODESTAR_POLICY": path], folder: "/nonexistent")
      }
    }
  }

  @Test("a named file that is absent, or a folder in place of a file, is an error with its path")
  func unreadable() throws {
    let folder = try PolicyFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a.yaml", withIntermediateDirectories: true)
    for (path, environment) in [
      (folder.path + "/a.yaml", [:]),
      ("/nonexistent.yaml", ["LODESTAR_POLICY": "/nonexistent.yaml"]),
    ] as [(String, [String: String])] {
      let place = environment.isEmpty ? folder.path : "/nonexistent"
      do {
        _ = try Policy.load(environment: environment, folder: place)
        Issue.record("\(path) was read")
      } catch {
        guard case .unreadable(let named, let reason) = error else {
          Issue.record(error)
          continue
        }
        #expect(named == path)
        #expect(!reason.isEmpty && !reason.contains("couldn"), "\(reason)")
      }
    }
  }
}
