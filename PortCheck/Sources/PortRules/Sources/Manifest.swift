import SwiftSyntax

#if canImport(FoundationEssentials)
  // The whole of Foundation would make the program larger.
  import FoundationEssentials
#else
  import Foundation
#endif

/// The properties of a `Package.swift` that the rules use.
public struct Manifest: Sendable {
  /// Its file.
  public let file: SourceFile
  /// Its folder, absolute.
  let folder: String
  /// True where every target is built in the Swift 6 language mode.
  let usesSwift6Mode: Bool
  /// The names of its targets, products and dependencies.
  let names: Set<String>
  /// True where a dependency is the package Lodestar.
  private let dependsOnLodestar: Bool
  /// The folders of its targets, absolute.
  private let targetFolders: [String]

  /// Reads a manifest.
  /// - Parameters:
  ///   - path: The path for messages.
  ///   - folder: Its folder as an absolute path.
  ///   - text: Its content.
  public init(path: String, folder: String, text: String) {
    file = SourceFile(path: path, text: text)
    self.folder = folder
    usesSwift6Mode = Self.toolsVersion(text) >= 6 && !text.contains(".v5") && !text.contains(".v4")
    // A linked framework has a name of Apple's without this label.
    names = Set(Self.strings(in: file.tree, label: "name"))
    dependsOnLodestar = Self.strings(in: file.tree).contains { string in
      let last = string.split(separator: "/").last.map(String.init) ?? string
      return last.lowercased().hasPrefix("lodestar")
    }
    targetFolders = (Self.defaultFolders + Self.strings(in: file.tree, label: "path")).map {
      URL(fileURLWithPath: $0, relativeTo: URL(fileURLWithPath: folder, isDirectory: true))
        .standardizedFileURL.path
    }
  }

  /// Where SwiftPM looks for targets without a path.
  private static let defaultFolders = ["Sources", "Source", "src", "srcs", "Tests", "Plugins"]

  /// True where a module is its own or a dependency's.
  func brings(_ module: String) -> Bool { dependsOnLodestar || names.contains(module) }

  /// True where a source lies in a folder of targets: only these are built with the package.
  func builds(_ source: SourceFile) -> Bool {
    targetFolders.contains { Self.isWithin(source.absoluteFolder, $0) }
  }

  func holds(_ source: SourceFile) -> Bool {
    Self.isWithin(source.absoluteFolder, folder)
  }

  private static func isWithin(_ folder: String, _ outer: String) -> Bool {
    folder == outer || folder.hasPrefix(outer == "/" ? "/" : outer + "/")
  }

  /// The major tools version, from the first line, where SwiftPM requires it.
  private static func toolsVersion(_ text: String) -> Int {
    guard let line = text.split(whereSeparator: \.isNewline).first,
      let mark = line.firstRange(of: "swift-tools-version")
    else { return 0 }
    let digits = line[mark.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
    return Int(digits) ?? 0
  }

  /// The text literals; with a label, those of the arguments with that label.
  private static func strings(in tree: SourceFileSyntax, label: String? = nil) -> [String] {
    tree.tokens(viewMode: .sourceAccurate).compactMap { token in
      guard case .stringSegment(let text) = token.tokenKind else { return nil }
      guard let label else { return text }
      // The segment, its list, the literal, the argument.
      let argument = token.parent?.parent?.parent?.parent?.as(LabeledExprSyntax.self)
      return argument?.label?.text == label ? text : nil
    }
  }
}
