extension String {
  /// The folder of the file with this path: "." for a name alone, "/" for the root itself. The
  /// parent of "." is ".".
  package var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// What stands before the name of the file with this path, up to the last slash; empty for a name
  /// alone.
  package var folderPrefix: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

  /// The name of the file with this path; the path itself where it has none.
  package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
