import Foundation
import Yams

/// Puts one file's keys over a policy.
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

  /// The file's content; nil where it holds nothing, or comments only.
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
        problem: "a key stands twice: \(keys.joined(separator: ", "))")
    default:
      .notYAML(path: path, line: 1, column: 1, problem: "\(error)")
    }
  }
}

/// The keys of a policy file.
enum PolicyKey: String, CaseIterable {
  case enabled, `default`, answer, accuracy, group, applications, regions, significantChange
  case visits, resumesAutomatically, strictBackground, wifiLocation
}
