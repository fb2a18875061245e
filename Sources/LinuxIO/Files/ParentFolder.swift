extension String {
  /// The folder of the file with this path: "." for a name alone, "/" for the root itself. The parent of "."
  /// is ".".
  package var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
