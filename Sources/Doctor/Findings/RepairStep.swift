/// One change of a machine that mends a finding.
package enum RepairStep: Equatable, Sendable {
  /// A line of the firmware's `config.txt` for every model.
  case bootLine(String, file: String)
  /// Words of the kernel's command line that are removed.
  case removedWords([String], file: String)
  /// A line that a file of `/etc` has, which is made where it is missing.
  case line(String, file: String)
  /// A file of `/etc` with these lines.
  case file(String, lines: [String])
  /// A program with its arguments.
  case run([String])

  /// The same for a shell.
  package var command: String { command(below: "") }

  /// The same for the files below a folder, such as those of a mounted card.
  func command(below root: String) -> String {
    switch self {
    case .bootLine(let line, let file):
      "printf '\\n[all]\\n\(line)\\n' | sudo tee -a \(root)\(file)"
    case .removedWords(let words, let file):
      "sudo sed -i 's/"
        + words.map { $0.replacing(".", with: "\\.") }.joined(separator: " *//;s/")
        + " *//' \(root)\(file)"
    case .line(let line, let file): "echo '\(line)' | sudo tee -a \(root)\(file)"
    case .file(let file, let lines):
      "printf '%s\\n' " + lines.map { "'\($0)'" }.joined(separator: " ")
        + " | sudo tee \(root)\(file)"
    case .run(let words):
      (root.isEmpty ? "" : "# on the machine itself: ")
        + (["sudo"] + words).joined(separator: " ")
    }
  }

  /// The name of the program that it runs; nil for a change of a file.
  package var program: String? {
    if case .run(let words) = self { words.first } else { nil }
  }

  /// What it does, for the plan and the result of `--fix`.
  package var summary: String {
    switch self {
    case .bootLine(let line, let file): "add '\(line)' to \(file)"
    case .removedWords(let words, let file): "remove '\(words.joined(separator: " "))' from \(file)"
    case .line(let line, let file): "add '\(line)' to \(file)"
    case .file(let file, _): "write \(file)"
    case .run(let words): "run '\(words.joined(separator: " "))'"
    }
  }
}
