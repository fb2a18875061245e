import Foundation
import Yams

/// Applies the keys of one file to a policy.
struct PolicyReader {
  let path: String

  func apply(to policy: inout Policy) throws(PolicyError) {
    guard let root = try document() else { return }
    var read = policy
    for entry in try entries(of: root, at: "", allowed: PolicyKey.self) {
      try apply(entry, to: &read)
    }
    policy = read
  }

  private func apply(_ entry: Entry<PolicyKey>, to policy: inout Policy) throws(PolicyError) {
    let (node, place) = (entry.value, entry.place)
    switch entry.key {
    case .enabled: policy.isEnabled = try truth(node, place)
    case .default: policy.defaultAuthorization = try word(node, place)
    case .answer: policy.defaultAnswer = try word(node, place)
    case .accuracy: policy.defaultAccuracy = try word(node, place)
    case .group: policy.group = try text(node, place, "the name of a group")
    case .applications: try applyApplications(node, place, to: &policy)
    case .regions: try applyRegions(node, place, to: &policy.regions)
    case .significantChange:
      try applySignificantChange(node, place, to: &policy.significantChange)
    case .visits: try applyVisits(node, place, to: &policy.visits)
    case .resumesAutomatically: policy.resumesAutomatically = try truth(node, place)
    case .strictBackground: policy.strictBackground = try truth(node, place)
    case .wifiLocation: try applyWiFi(node, place, to: &policy.wifiLocation)
    }
  }

  /// The root of the file; nil where it is empty or contains only comments.
  private func document() throws(PolicyError) -> Node? {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(path: path, reason: error.plainReason)
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw .notYAML(path: path, line: 1, column: 1, problem: "not UTF-8")
    }
    do {
      guard let node = try compose(yaml: text), node.null == nil else { return nil }
      return node
    } catch let error as YamlError {
      throw refusal(of: error)
    } catch {
      throw .notYAML(path: path, line: 1, column: 1, problem: "\(error)")
    }
  }

  private func refusal(of error: YamlError) -> PolicyError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      .notYAML(path: path, line: mark.line, column: mark.column, problem: problem)
    case .duplicatedKeysInMapping(let keys, let context):
      .notYAML(
        path: path, line: context.mark.line, column: context.mark.column,
        problem: "duplicate key: \(keys.joined(separator: ", "))")
    default:
      .notYAML(path: path, line: 1, column: 1, problem: "\(error)")
    }
  }
}

// MARK: Sections

extension PolicyReader {
  private func applyApplications(
    _ node: Node, _ place: String, to policy: inout Policy
  ) throws(PolicyError) {
    for (name, key, value) in try pairs(of: node, at: place, "identifiers of applications") {
      guard Policy.isApplicationID(name) else {
        throw wrong(key, place, "an application's identifier, as com.example.app")
      }
      var application = policy.applications[name] ?? ApplicationPolicy()
      let keys = try entries(of: value, at: joined(place, name), allowed: ApplicationKey.self)
      for entry in keys {
        let (node, place) = (entry.value, entry.place)
        switch entry.key {
        case .authorization: application.authorization = try word(node, place)
        case .answer: application.answer = try word(node, place)
        case .accuracy: application.accuracy = try word(node, place)
        case .purposes:
          for (key, _, value) in try pairs(of: node, at: place, "keys of purposes") {
            let answer: PurposeWord = try word(value, joined(place, key))
            application.purposes[key] = answer == .grant
          }
        case .unit: application.unit = try unit(node, place)
        }
      }
      policy.applications[name] = application
    }
  }

  private func applyRegions(
    _ node: Node, _ place: String, to rules: inout RegionRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: RegionKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .cushionFactor: rules.cushionFactor = try number(node, place, "a factor", 0...10)
      case .minimumCushion: rules.minimumCushionMetres = try number(node, place, "metres", metres)
      case .dwell: rules.dwellSeconds = try number(node, place, "seconds", seconds)
      case .responseDelay: rules.responseDelaySeconds = try number(node, place, "seconds", seconds)
      }
    }
  }

  private func applySignificantChange(
    _ node: Node, _ place: String, to rules: inout SignificantChangeRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: ChangeKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .distance: rules.distanceMetres = try number(node, place, "metres", metres)
      case .interval: rules.intervalSeconds = try number(node, place, "seconds", seconds)
      }
    }
  }

  private func applyVisits(
    _ node: Node, _ place: String, to rules: inout VisitRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: VisitKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .radius: rules.radiusMetres = try number(node, place, "metres", 1...metres.upperBound)
      case .dwell: rules.dwellSeconds = try number(node, place, "seconds", 1...seconds.upperBound)
      }
    }
  }

  /// `off` removes the service of an earlier file.
  private func applyWiFi(
    _ node: Node, _ place: String, to rules: inout WiFiLocationRules?
  ) throws(PolicyError) {
    if node.bool == false {
      rules = nil
      return
    }
    var read = rules ?? WiFiLocationRules(url: "")
    for entry in try entries(of: node, at: place, allowed: WiFiKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .url: read.url = try address(node, place)
      case .key: read.key = try text(node, place, "the service's key")
      // Public services limit the rate of requests.
      case .interval: read.intervalSeconds = try number(node, place, "seconds", 10...86_400)
      }
    }
    guard !read.url.isEmpty else {
      throw wrong(node, place, "the key 'url', or 'off'")
    }
    rules = read
  }

  private func address(_ node: Node, _ place: String) throws(PolicyError) -> String {
    let address = try text(node, place, "an address: http://… or https://…")
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
    else { throw wrong(node, place, "an address: http://… or https://…") }
    return address
  }

  private func unit(_ node: Node, _ place: String) throws(PolicyError) -> String {
    let name = try text(node, place, "the name of a systemd unit, as name.service")
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789:_.@\\-".unicodeScalars.contains($0))
    }
    guard isPlain, name.hasSuffix(".service"), name != ".service" else {
      throw wrong(node, place, "the name of a systemd unit, as name.service")
    }
    return name
  }
}

// MARK: Values

extension PolicyReader {
  /// The keys of a mapping in which only the given ones are allowed.
  private func entries<Key: RawRepresentable<String> & CaseIterable>(
    of node: Node, at place: String, allowed: Key.Type
  ) throws(PolicyError) -> [Entry<Key>] {
    let names = Key.allCases.map(\.rawValue)
    var result: [Entry<Key>] = []
    for (name, key, value) in try pairs(of: node, at: place, names.joined(separator: ", ")) {
      guard let known = Key(rawValue: name) else {
        throw .unknownKey(
          path: path, line: key.mark?.line ?? 1, key: joined(place, name), allowed: names)
      }
      result.append(Entry(key: known, value: value, place: joined(place, name)))
    }
    return result
  }

  /// The keys of a mapping in which any are allowed.
  private func pairs(
    of node: Node, at place: String, _ expected: String
  ) throws(PolicyError) -> [(name: String, key: Node, value: Node)] {
    guard let mapping = node.mapping else {
      throw wrong(node, place.isEmpty ? "the file" : place, "keys: \(expected)")
    }
    var result: [(name: String, key: Node, value: Node)] = []
    for (key, value) in mapping {
      guard let name = key.scalar?.string, !name.isEmpty else {
        throw wrong(key, place.isEmpty ? "the file" : place, "keys: \(expected)")
      }
      result.append((name, key, value))
    }
    return result
  }

  private func truth(_ node: Node, _ place: String) throws(PolicyError) -> Bool {
    guard let value = node.bool else { throw wrong(node, place, "true or false") }
    return value
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ node: Node, _ place: String
  ) throws(PolicyError) -> Word {
    guard let value = node.scalar.flatMap({ Word(rawValue: $0.string) }) else {
      throw wrong(node, place, Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }

  private func text(_ node: Node, _ place: String, _ what: String) throws(PolicyError) -> String {
    guard let value = node.scalar?.string, !value.isEmpty, node.null == nil else {
      throw wrong(node, place, what)
    }
    return value
  }

  private func number(
    _ node: Node, _ place: String, _ unit: String, _ range: ClosedRange<Double>
  ) throws(PolicyError) -> Double {
    guard let value = node.float, range.contains(value) else {
      throw wrong(
        node, place, "\(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
    }
    return value
  }

  private func wrong(_ node: Node, _ place: String, _ expected: String) -> PolicyError {
    let found = node.scalar?.string ?? (node.mapping == nil ? "a list" : "keys")
    return .wrongValue(
      path: path, line: node.mark?.line ?? 1, key: place, found: found, expected: expected)
  }

  private func joined(_ place: String, _ name: String) -> String {
    place.isEmpty ? name : "\(place).\(name)"
  }

  private func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}

/// A key of a mapping with its value and its full name, including the keys above it.
private struct Entry<Key> {
  var key: Key
  var value: Node
  var place: String
}

/// The keys of a policy file.
private enum PolicyKey: String, CaseIterable {
  case enabled, `default`, answer, accuracy, group, applications, regions, significantChange
  case visits, resumesAutomatically, strictBackground, wifiLocation
}

private enum ApplicationKey: String, CaseIterable {
  case authorization, answer, accuracy, purposes, unit
}

private enum PurposeWord: String, CaseIterable { case grant, deny }

private enum RegionKey: String, CaseIterable {
  case cushionFactor, minimumCushion, dwell, responseDelay
}

private enum ChangeKey: String, CaseIterable { case distance, interval }

private enum VisitKey: String, CaseIterable { case radius, dwell }

private enum WiFiKey: String, CaseIterable { case url, key, interval }

/// At most a day: more is an error in the unit.
private let seconds = 0.0...86_400
private let metres = 0.0...100_000
