/// Wraps a text at its spaces into lines of at most `width` characters; a longer word is cut.
package func wrapped(_ text: String, width: Int) -> [String] {
  guard width > 0 else { return [] }
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    let word = String(word.prefix(width))
    if line.isEmpty {
      line = word
    } else if line.count + 1 + word.count <= width {
      line += " " + word
    } else {
      lines.append(line)
      line = word
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}
