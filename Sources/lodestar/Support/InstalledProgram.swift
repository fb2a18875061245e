import FoundationEssentials

/// Programs of the system.
enum InstalledProgram {
  /// The paths at which a program may be, in the order of the PATH.
  static func places(of name: String, environment: [String: String]) -> [String] {
    (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
  }

  /// True for an executable file.
  static func exists(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder && FileManager.default.isExecutableFile(atPath: path)
  }
}
