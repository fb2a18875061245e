import LinuxIO

/// A change of the machine, which is shown before it is made.
package enum SetupChange: Equatable, Sendable {
  /// A file is written, or replaced with a copy of the earlier one beside it.
  /// - Parameters:
  ///   - path: The file.
  ///   - old: The present content; nil where it does not exist.
  ///   - new: The content to write.
  case file(path: String, old: String?, new: String)
  /// A file with a secret is written; its content is not shown.
  case secret(path: String, content: String)
  /// A command is run as root.
  case command([String])

  /// The suffix of the copy of a replaced file.
  package static let backupSuffix = ".bak"

  /// The lines that show the change.
  var lines: [String] {
    switch self {
    case .file(let path, nil, let new):
      ["\(path) (new file)"] + FileDifference.lines(from: "", to: new)
    case .file(let path, let old?, let new):
      [
        "\(path) (its present content stays as \(path.split(separator: "/").last ?? "")\(Self.backupSuffix))"
      ]
        + FileDifference.lines(from: old, to: new)
    case .secret(let path, _): ["\(path) (mode 0600; the content is not displayed)"]
    case .command(let words): ["# \(Self.text(of: words))"]
    }
  }

  /// A command as it is typed in a shell.
  static func text(of words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty
        && word.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=@%+,".contains($0))
        }
      return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
    .joined(separator: " ")
  }
}
