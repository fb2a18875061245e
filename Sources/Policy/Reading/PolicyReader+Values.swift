import Yams

/// A key of a mapping with its value, and its name with those of the keys above it.
struct Entry<Key> {
  var key: Key
  var value: Node
  var place: String
}

extension PolicyReader {
  /// The keys of a mapping that may have these only.
  func entries<Key: RawRepresentable<String> & CaseIterable>(
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

  /// The keys of a mapping that may have any.
  func pairs(
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

  func truth(_ node: Node, _ place: String) throws(PolicyError) -> Bool {
    guard let value = node.bool else { throw wrong(node, place, "true or false") }
    return value
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ node: Node, _ place: String
  ) throws(PolicyError) -> Word {
    guard let value = node.scalar.flatMap({ Word(rawValue: $0.string) }) else {
      throw wrong(node, place, Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }

  func text(_ node: Node, _ place: String, _ what: String) throws(PolicyError) -> String {
    guard let value = node.scalar?.string, !value.isEmpty, node.null == nil else {
      throw wrong(node, place, what)
    }
    return value
  }

  func number(
    _ node: Node, _ place: String, _ unit: String, _ range: ClosedRange<Double>
  ) throws(PolicyError) -> Double {
    guard let value = node.float, range.contains(value) else {
      throw wrong(
        node, place, "\(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
    }
    return value
  }

  func wrong(_ node: Node, _ place: String, _ expected: String) -> PolicyError {
    let found = node.scalar?.string ?? (node.mapping == nil ? "a list" : "keys")
    return .wrongValue(
      path: path, line: node.mark?.line ?? 1, key: place, found: found, expected: expected)
  }

  func joined(_ place: String, _ name: String) -> String {
    place.isEmpty ? name : "\(place).\(name)"
  }

  private func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}
