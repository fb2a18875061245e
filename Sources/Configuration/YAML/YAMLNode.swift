/// A value of a YAML file with its full key and its place, for messages.
package struct YAMLNode {
  /// The keys down to the value, separated by dots; empty for the whole file.
  package let key: String
  /// The last of these keys.
  package let name: String
  private let node: YAMLTree
  /// Where the key is; where the value is for the whole file and for an item of a list.
  private let keyMark: YAMLTree.Mark?

  private init(_ node: YAMLTree, key: String, name: String, keyMark: YAMLTree.Mark?) {
    (self.node, self.key, self.name, self.keyMark) = (node, key, name, keyMark)
  }

  /// The most aliases in a file. Aliases within aliases multiply: 32 represent at most some hundred
  /// thousand values, and every one more may triple them.
  private static let mostAliases = 32

  /// The content of a file; nil for an empty one, and for one that contains only comments.
  package static func root(of text: String) throws(YAMLFault) -> YAMLNode? {
    try checkAliases(text)
    var reader = try YAMLReader(text)
    guard let node = try reader.document(), !node.isNull else { return nil }
    return YAMLNode(node, key: "", name: "", keyMark: node.mark)
  }

  /// Refuses a text with too many words that begin with an asterisk, which may be aliases.
  private static func checkAliases(_ text: String) throws(YAMLFault) {
    var (line, column, count) = (1, 0, 0)
    var isStart = true
    for byte in text.utf8 {
      column += 1
      if byte == UInt8(ascii: "*"), isStart { count += 1 }
      if count > mostAliases {
        throw YAMLFault(
          line: line, column: column, key: "",
          .other("more than \(mostAliases) aliases", expected: "the values without aliases"))
      }
      isStart = byte <= UInt8(ascii: " ") || "[]{},:?-".utf8.contains(byte)
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
    }
  }

  // MARK: Faults

  /// The fault of a value that is not as expected.
  package func fault(expected: String) -> YAMLFault {
    let found = text ?? (list == nil ? "keys" : "a list")
    return fault(.value(found: found, expected: expected), at: node.mark)
  }

  /// A fault with its own message.
  package func fault(_ problem: String, expected: String) -> YAMLFault {
    fault(.other(problem, expected: expected), at: node.mark)
  }

  /// The fault of a key of this mapping.
  package func fault(keyOf value: YAMLNode, expected: String) -> YAMLFault {
    fault(.value(found: value.name, expected: expected), at: value.keyMark)
  }

  private func unknownKey(_ allowed: [String]) -> YAMLFault {
    fault(.unknownKey(name: name, allowed: allowed), at: keyMark)
  }

  private func fault(_ kind: YAMLFault.Kind, at mark: YAMLTree.Mark?) -> YAMLFault {
    YAMLFault(
      line: mark?.line ?? 1, column: mark?.column ?? 1, key: key.isEmpty ? "the file" : key, kind)
  }

  // MARK: Mappings and lists

  /// The values of a mapping in which any key is allowed, in their order.
  package func values(expected: String) throws(YAMLFault) -> [YAMLNode] {
    guard case .mapping(let pairs) = node.content else {
      throw fault(expected: "keys: \(expected)")
    }
    var values: [YAMLNode] = []
    for (keyNode, value) in pairs {
      guard let name = keyNode.text, !name.isEmpty else {
        throw YAMLNode(keyNode, key: key, name: self.name, keyMark: nil)
          .fault(expected: "keys: \(expected)")
      }
      let full = key.isEmpty ? name : "\(key).\(name)"
      values.append(YAMLNode(value, key: full, name: name, keyMark: keyNode.mark))
    }
    return values
  }

  /// The values of a mapping in which only some keys are allowed, by their last key.
  package func values(of allowed: [String]) throws(YAMLFault) -> [String: YAMLNode] {
    var values: [String: YAMLNode] = [:]
    for value in try self.values(expected: allowed.joined(separator: ", ")) {
      guard allowed.contains(value.name) else { throw value.unknownKey(allowed) }
      values[value.name] = value
    }
    return values
  }

  /// The values of a mapping whose keys are the words of a type, in their order.
  package func entries<Key: RawRepresentable<String> & CaseIterable>(
    _ keys: Key.Type
  ) throws(YAMLFault) -> [(Key, YAMLNode)] {
    let allowed = Key.allCases.map(\.rawValue)
    var entries: [(Key, YAMLNode)] = []
    for value in try values(expected: allowed.joined(separator: ", ")) {
      guard let key = Key(rawValue: value.name) else { throw value.unknownKey(allowed) }
      entries.append((key, value))
    }
    return entries
  }

  /// The values of a list; nil where this is none.
  package var list: [YAMLNode]? {
    guard case .list(let items) = node.content else { return nil }
    return items.map { YAMLNode($0, key: key, name: name, keyMark: $0.mark) }
  }

  // MARK: Scalars

  /// The line of the key, from 1.
  package var line: Int { keyMark?.line ?? 1 }

  /// The text of a scalar as written; nil for a mapping or list.
  package var text: String? { node.text }
  /// The integer of a scalar, decimal or with the prefix `0x`; nil for any other value, numbers of
  /// base 60 (`1:30`) included.
  package var integer: Int? { node.integer }
  /// The truth value of a scalar; nil for any other value.
  package var truth: Bool? { node.truth }

  /// A text that is not empty.
  package func text(expected: String) throws(YAMLFault) -> String {
    guard let text, !text.isEmpty, !node.isNull else { throw fault(expected: expected) }
    return text
  }

  /// A number in a range.
  package func number(
    in range: ClosedRange<Double>, expected: String
  ) throws(YAMLFault) -> Double {
    guard let value = node.number, range.contains(value) else { throw fault(expected: expected) }
    return value
  }

  /// One of several words, compared as written: YAML reads the word `no` as false.
  package func word<Value>(_ values: [(String, Value)]) throws(YAMLFault) -> Value {
    guard let found = values.first(where: { $0.0 == text }) else {
      throw fault(expected: values.map { $0.0 }.joined(separator: ", "))
    }
    return found.1
  }

  /// One of the words of a type.
  package func word<Word: RawRepresentable<String> & CaseIterable>() throws(YAMLFault) -> Word {
    try word(Word.allCases.map { ($0.rawValue, $0) })
  }
}
