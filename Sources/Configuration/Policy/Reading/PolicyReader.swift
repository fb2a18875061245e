import FoundationEssentials
import LinuxIO
import Quantities

/// Applies the keys of one file to a policy.
struct PolicyReader {
  let path: String

  func apply(to policy: inout Policy) throws(PolicyError) {
    let text: String
    do {
      text = try LinuxFiles.ofDaemon.text(of: path)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    do throws(YAMLFault) {
      guard let root = try YAMLNode.root(of: text) else { return }
      var read = policy
      try root.apply(to: &read, from: path)
      policy = read
    } catch {
      throw PolicyError(error, path: path)
    }
  }
}

extension PolicyError {
  fileprivate init(_ fault: YAMLFault, path: String) {
    let (line, key) = (fault.line, fault.key)
    self =
      switch fault.kind {
      case .syntax(let problem):
        .notYAML(path: path, line: line, column: fault.column, problem: problem)
      case .unknownKey(_, let allowed):
        .unknownKey(path: path, line: line, key: key, allowed: allowed)
      case .value(let found, let expected), .other(let found, let expected):
        .wrongValue(path: path, line: line, key: key, found: found, expected: expected)
      }
  }
}

extension YAMLNode {
  fileprivate func apply(to policy: inout Policy, from path: String) throws(YAMLFault) {
    for (key, node) in try entries(PolicyKey.self) {
      policy.origins.set(path, of: key.rawValue)
      switch key {
      case .enabled: policy.isEnabled = try node.truthValue()
      case .default: policy.defaultAuthorization = try node.word()
      case .answer: policy.defaultAnswer = try node.word()
      case .accuracy: policy.defaultAccuracy = try node.word()
      case .calibration: policy.defaultCalibration = try node.isGrant()
      case .headings: policy.defaultHeadings = try node.isGrant()
      case .group: policy.group = try node.text(expected: "the name of a group")
      case .applications: try node.applyApplications(to: &policy, from: path)
      case .regions: try node.applyRegions(to: &policy.regions)
      case .significantChange: try node.applySignificantChange(to: &policy.significantChange)
      case .visits: try node.applyVisits(to: &policy.visits)
      case .resumesAutomatically: policy.resumesAutomatically = try node.truthValue()
      case .strictBackground: policy.strictBackground = try node.truthValue()
      case .wifiLocation: try node.applyWiFi(to: &policy.wifiLocation)
      }
    }
  }

  private func applyApplications(
    to policy: inout Policy, from path: String
  ) throws(YAMLFault) {
    for node in try values(expected: "identifiers of applications") {
      guard Policy.isApplicationID(node.name) else {
        throw fault(keyOf: node, expected: "an application's identifier, as com.example.app")
      }
      let id = node.name
      var application = policy.applications[id] ?? ApplicationPolicy()
      policy.origins.set(path, of: PolicyOrigins.key(of: id))
      for (key, node) in try node.entries(ApplicationKey.self) {
        policy.origins.set(path, of: PolicyOrigins.key(of: id, key.rawValue))
        switch key {
        case .authorization: application.authorization = try node.word()
        case .answer: application.answer = try node.word()
        case .accuracy: application.accuracy = try node.word()
        case .purposes:
          for purpose in try node.values(expected: "keys of purposes") {
            application.purposes[purpose.name] = try purpose.isGrant()
          }
        case .calibration: application.calibration = try node.isGrant()
        case .headings: application.headings = try node.isGrant()
        case .users: application.users = try node.users()
        case .unit: application.unit = try node.unit()
        }
      }
      policy.applications[id] = application
    }
  }

  private func applyRegions(to rules: inout RegionRules) throws(YAMLFault) {
    for (key, node) in try entries(RegionKey.self) {
      switch key {
      case .cushionFactor: rules.cushionFactor = try node.number("a factor", 0...10)
      case .minimumCushion: rules.minimumCushionMetres = try node.number("metres", metres)
      case .dwell: rules.dwellSeconds = try node.number("seconds", seconds)
      case .responseDelay: rules.responseDelaySeconds = try node.number("seconds", seconds)
      }
    }
  }

  private func applySignificantChange(to rules: inout SignificantChangeRules) throws(YAMLFault) {
    for (key, node) in try entries(ChangeKey.self) {
      switch key {
      case .distance: rules.distanceMetres = try node.number("metres", metres)
      case .interval: rules.intervalSeconds = try node.number("seconds", seconds)
      }
    }
  }

  private func applyVisits(to rules: inout VisitRules) throws(YAMLFault) {
    for (key, node) in try entries(VisitKey.self) {
      switch key {
      case .radius: rules.radiusMetres = try node.number("metres", 1...metres.upperBound)
      case .dwell: rules.dwellSeconds = try node.number("seconds", 1...seconds.upperBound)
      }
    }
  }

  /// `off` removes the service of an earlier file.
  private func applyWiFi(to rules: inout WiFiLocationRules?) throws(YAMLFault) {
    if truth == false {
      rules = nil
      return
    }
    var read = rules ?? WiFiLocationRules(url: "")
    for (key, node) in try entries(WiFiKey.self) {
      switch key {
      case .url: read.url = try node.address()
      case .key: read.key = try node.text(expected: "the service's key")
      // Public services limit the rate of requests.
      case .interval: read.intervalSeconds = try node.number("seconds", 10...86_400)
      }
    }
    guard !read.url.isEmpty else { throw fault(expected: "the key 'url', or 'off'") }
    rules = read
  }

  private func address() throws(YAMLFault) -> String {
    let expected = "an address: http://… or https://…"
    let address = try text(expected: expected)
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
    else { throw fault(expected: expected) }
    return address
  }

  private func isGrant() throws(YAMLFault) -> Bool {
    let word: GrantWord = try word()
    return word == .grant
  }

  private func users() throws(YAMLFault) -> [PolicyUser] {
    let expected = "a list of users, by name or number, as [pi, 1001]"
    guard let list else { throw fault(expected: expected) }
    var users: [PolicyUser] = []
    for item in list {
      guard let user = PolicyUser(try item.text(expected: expected)) else {
        throw item.fault(expected: expected)
      }
      users.append(user)
    }
    return users
  }

  private func unit() throws(YAMLFault) -> String {
    let expected = "the name of a systemd unit, as name.service"
    let name = try text(expected: expected)
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789:_.@\\-".unicodeScalars.contains($0))
    }
    guard isPlain, name.hasSuffix(".service"), name != ".service" else {
      throw fault(expected: expected)
    }
    return name
  }

  private func truthValue() throws(YAMLFault) -> Bool {
    guard let truth else { throw fault(expected: "true or false") }
    return truth
  }

  private func number(_ unit: String, _ range: ClosedRange<Double>) throws(YAMLFault) -> Double {
    func plain(_ value: Double) -> String {
      value == value.rounded() ? String(Int(bounded: value)) : String(value)
    }
    return try number(
      in: range, expected: "\(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
  }
}

/// The keys of a policy file.
private enum PolicyKey: String, CaseIterable {
  case enabled, `default`, answer, accuracy, calibration, headings, group, applications, regions
  case significantChange, visits, resumesAutomatically, strictBackground, wifiLocation
}

private enum ApplicationKey: String, CaseIterable {
  case authorization, answer, accuracy, purposes, calibration, headings, users, unit
}

private enum GrantWord: String, CaseIterable { case grant, deny }

private enum RegionKey: String, CaseIterable {
  case cushionFactor, minimumCushion, dwell, responseDelay
}

private enum ChangeKey: String, CaseIterable { case distance, interval }

private enum VisitKey: String, CaseIterable { case radius, dwell }

private enum WiFiKey: String, CaseIterable { case url, key, interval }

/// At most a day: more is an error in the unit.
private let seconds = 0.0...86_400
private let metres = 0.0...100_000
