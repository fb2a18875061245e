/// Wraps a text at its spaces into lines of at most `width` characters. A longer word, such as a
/// path or a command, has a line of its own and stays whole, so that it can be copied.
package func wrapped(_ text: String, width: Int) -> [String] {
  guard width > 0 else { return [] }
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if line.isEmpty {
      line = String(word)
    } else if line.count + 1 + word.count <= width {
      line += " " + word
    } else {
      lines.append(line)
      line = String(word)
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}

/// The lines of a command for a shell, each after `$`, or after `#` for its comment.
///
/// A command that is too long continues after its last pipe, where a shell needs no mark; its
/// comment has lines of its own.
package func commandLines(_ command: String, width: Int) -> [String] {
  let room = width - 2
  if command.hasPrefix("# ") {
    return wrapped(String(command.dropFirst(2)), width: room).map { "# " + $0 }
  }
  guard command.count > room else { return ["$ " + command] }
  if let comment = command.firstRange(of: "    # ") {
    return commandLines(String(command[..<comment.lowerBound]), width: width)
      + commandLines("# " + command[comment.upperBound...], width: width)
  }
  guard let pipe = command.lastIndex(of: "|") else { return ["$ " + command] }
  let rest = command[command.index(after: pipe)...].drop { $0 == " " }
  return ["$ " + command[...pipe], "    " + rest]
}
