import PortRules

/// What rules find in snippets: "FILE:LINE severity rule", in order.
func found(_ texts: [String: String], manifest: String? = nil) -> [String] {
  report(texts, manifest: manifest).findings.map {
    "\($0.file):\($0.line) \($0.severity.rawValue) \($0.rule)"
  }
}

/// What rules find in one file.
func found(_ text: String, manifest: String? = nil) -> [String] {
  found(["A.swift": text], manifest: manifest).map { String($0.dropFirst("A.swift:".count)) }
}

/// The messages for one file.
func messages(_ text: String) -> [String] { report(["A.swift": text]).findings.map(\.message) }

func report(_ texts: [String: String], manifest: String? = nil) -> Report {
  let files = texts.keys.sorted().map { SourceFile(path: $0, text: texts[$0] ?? "") }
  let manifests = manifest.map { text in
    [Manifest(path: "Package.swift", folder: "/", text: text)]
  }
  return PortCheck.report(on: SourceSet(files: files, manifests: manifests ?? []))
}
