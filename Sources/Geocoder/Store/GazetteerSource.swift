import Foundation

/// Where the places come from.
public enum GazetteerSource: Hashable, Sendable, CustomStringConvertible {
  /// The gazetteer that is part of the program.
  case builtIn
  /// A file that `Scripts/build-gazetteer` wrote.
  case file(String)

  /// The variable that names a file.
  public static let variable = "LODESTAR_GAZETTEER"
  /// Where a file is looked for, in this order, when the variable names none.
  public static let usualFiles = [
    "/usr/local/share/lodestar/gazetteer.sqlite", "/usr/share/lodestar/gazetteer.sqlite",
  ]

  /// The file that the environment names, else the first of the usual ones that is there, else the
  /// program's own.
  /// - Parameters:
  ///   - environment: The process's variables.
  ///   - isThere: Tells whether a file can be read.
  public init(
    environment: [String: String],
    isThere: (String) -> Bool = { FileManager.default.isReadableFile(atPath: $0) }
  ) {
    if let named = environment[Self.variable], !named.isEmpty {
      self = .file(named)
    } else if let usual = Self.usualFiles.first(where: isThere) {
      self = .file(usual)
    } else {
      self = .builtIn
    }
  }

  /// The file's path, or that it is the program's own.
  public var description: String {
    switch self {
    case .builtIn: "the built-in gazetteer"
    case .file(let path): path
    }
  }
}
