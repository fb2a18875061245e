import Foundation

/// The source of the places.
public enum GazetteerSource: Hashable, Sendable, CustomStringConvertible {
  /// The gazetteer in the program.
  case builtIn
  /// A file from `Scripts/build-gazetteer`.
  case file(String)

  /// The environment variable with a file's path.
  public static let variable = "LODESTAR_GAZETTEER"
  /// The default paths in order of priority, used without the variable.
  public static let usualFiles = [
    "/usr/local/share/lodestar/gazetteer.sqlite", "/usr/share/lodestar/gazetteer.sqlite",
  ]

  /// The file of the environment variable, else the first existing default path, else the program's
  /// own.
  /// - Parameters:
  ///   - environment: The process's variables.
  ///   - isThere: Returns whether a file can be read.
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

  /// The file's path, or "the built-in gazetteer".
  public var description: String {
    switch self {
    case .builtIn: "the built-in gazetteer"
    case .file(let path): path
    }
  }
}
