/// The lines of a YAML file, of which those of a key at the left margin can be replaced. All other
/// lines stay as they are, comments among them.
///
/// The file is edited as text, so that a result has to be read again before it is used: a file in
/// flow style (`{a: 1}`) cannot be edited so.
package struct YAMLKeyLines: Equatable, Sendable {
  private var lines: [String]

  /// Divides a text into lines.
  package init(_ text: String) {
    // By bytes: a character may be a carriage return with a line feed.
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The file's text; it ends with a line feed.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Replaces the lines of a key, or adds them: below a comment with the key, such as `# gpsd-port:
  /// 2947`, else at the end. A comment behind a value of one line stays.
  /// - Parameters:
  ///   - key: The key.
  ///   - new: Its lines, such as `["gpsd-port: 0"]`.
  package mutating func set(_ key: String, to new: [String]) {
    if let old = range(of: key) {
      var new = new
      if old.count == 1, new.count == 1, let comment = Self.comment(behind: lines[old.lowerBound]) {
        new[0] += "  " + comment
      }
      lines.replaceSubrange(old, with: new)
    } else {
      lines.insert(contentsOf: new, at: placeBelowComment(of: key) ?? lines.endIndex)
    }
  }

  /// Removes the lines of a key; the comments above it stay.
  package mutating func remove(_ key: String) {
    if let old = range(of: key) { lines.removeSubrange(old) }
  }

  /// The line of a key, and the indented lines that belong to it.
  private func range(of key: String) -> Range<Int>? {
    guard let start = lines.firstIndex(where: { Self.isKey($0, key) }) else { return nil }
    var end = start + 1
    for index in lines.indices[(start + 1)...] {
      let line = lines[index]
      if Self.isContinuation(line) {
        end = index + 1
      } else if !Self.isRemark(line) {
        break
      }
    }
    return start..<end
  }

  /// The line after a comment that shows the key, unless the comment is within another key's lines.
  private func placeBelowComment(of key: String) -> Int? {
    let comment = lines.firstIndex { line in
      line.hasPrefix("#") && Self.isKey(String(line.drop { $0 == "#" || $0 == " " }), key)
    }
    guard let comment else { return nil }
    let next = lines[(comment + 1)...].first { !Self.isRemark($0) }
    return next.map(Self.isContinuation) == true ? nil : comment + 1
  }

  private static func isKey(_ line: String, _ key: String) -> Bool {
    guard line.hasPrefix(key + ":") else { return false }
    let rest = line.unicodeScalars.dropFirst(key.unicodeScalars.count + 1)
    return rest.first.map { " \t\r".unicodeScalars.contains($0) } ?? true
  }

  /// True for a line of the value above it: it is indented, or an item of a list at the left
  /// margin.
  private static func isContinuation(_ line: String) -> Bool {
    let isIndented = line.hasPrefix(" ") || line.hasPrefix("\t")
    return isIndented && !isRemark(line) || line.hasPrefix("- ")
  }

  /// True for an empty line and for a comment.
  private static func isRemark(_ line: String) -> Bool {
    line.first { !$0.isWhitespace }.map { $0 == "#" } ?? true
  }

  /// The comment behind a value of one line, with its number sign.
  private static func comment(behind line: String) -> String? {
    var quote: Character?
    var last: Character = " "
    for index in line.indices {
      let character = line[index]
      switch character {
      case "'", "\"":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "#" where quote == nil && last.isWhitespace: return String(line[index...])
      default: break
      }
      last = character
    }
    return nil
  }
}
