import Foundation
import SwiftSyntax

/// The properties of a `Package.swift` that the rules use.
public struct Manifest: Sendable {
  /// Its file.
  public let file: SourceFile
  /// Its folder, absolute.
  let folder: String
  /// True where every target is built in the Swift 6 language mode.
  let usesSwift6Mode: Bool
  /// True where a dependency provides the module: a product of that name, or the package Lodestar.
  let bringsCoreLocation: Bool

  /// Reads a manifest.
  /// - Parameters:
  ///   - path: The path for messages.
  ///   - folder: Its folder as an absolute path.
  ///   - text: Its content.
  public init(path: String, folder: String, text: String) {
    file = SourceFile(path: path, text: text)
    self.folder = folder
    usesSwift6Mode = Self.toolsVersion(text) >= 6 && !text.contains(".v5") && !text.contains(".v4")
    // A linked framework of that name is Apple's.
    bringsCoreLocation =
      text.contains("name: \"CoreLocation\"")
      || Self.strings(in: file.tree).contains { string in
        let last = string.split(separator: "/").last.map(String.init) ?? string
        return last.lowercased().hasPrefix("lodestar")
      }
  }

  func holds(_ source: SourceFile) -> Bool {
    source.absoluteFolder == folder
      || source.absoluteFolder.hasPrefix(folder == "/" ? "/" : folder + "/")
  }

  /// The major tools version, from the first line, where SwiftPM requires it.
  private static func toolsVersion(_ text: String) -> Int {
    guard let line = text.split(whereSeparator: \.isNewline).first,
      let mark = line.range(of: "swift-tools-version")
    else { return 0 }
    let digits = line[mark.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
    return Int(digits) ?? 0
  }

  private static func strings(in tree: SourceFileSyntax) -> [String] {
    tree.tokens(viewMode: .sourceAccurate).compactMap { token in
      guard case .stringSegment(let text) = token.tokenKind else { return nil }
      return text
    }
  }
}
