#if canImport(FoundationEssentials)
  // The whole of Foundation would make the program larger.
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why sources cannot be checked.
public enum ReadingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path does not exist, or cannot be listed.
  case unreadable(path: String, reason: String)
  /// The path contains no Swift source.
  case empty(path: String)

  /// One line: the path, the reason and the remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .empty(let path): "\(path): no Swift source here; name the folder that has them"
    }
  }
}

extension SourceSet {
  /// Folders of other tools, without sources of the program.
  private static let ignoredFolders: Set<String> = ["DerivedData", "node_modules"]

  /// Reads every Swift source in folders and their subfolders. Hidden folders and links are
  /// ignored.
  /// - Parameter roots: The folders, or files.
  /// - Returns: The sources.
  /// - Throws: `ReadingError`.
  public static func read(_ roots: [String]) throws(ReadingError) -> SourceSet {
    var paths: [String] = []
    for root in roots {
      let found = try swiftFiles(root)
      guard !found.isEmpty else { throw .empty(path: root) }
      paths += found.filter { !paths.contains($0) }
    }
    var files: [SourceFile] = []
    var manifests: [Manifest] = []
    var unreadable: [Finding] = []
    for path in paths where !isOtherManifest(path) {
      switch text(of: path) {
      case .success(let text) where isManifest(path):
        manifests.append(Manifest(path: path, folder: absoluteFolder(of: path), text: text))
      case .success(let text): files.append(SourceFile(path: path, text: text))
      case .failure(let fault):
        unreadable.append(
          Finding(
            file: path, line: 1, column: 1, severity: .error, rule: "unreadable",
            message: fault.message))
      }
    }
    for root in roots {
      for manifest in manifestsAbove(root)
      where !manifests.contains(where: { $0.folder == manifest.folder }) {
        manifests.append(manifest)
      }
    }
    return SourceSet(files: files, manifests: manifests, unreadable: unreadable)
  }

  private struct Fault: Error { var message: String }

  private static func text(of path: String) -> Result<String, Fault> {
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      guard let text = String(bytes: bytes, encoding: .utf8) else {
        return .failure(Fault(message: "not UTF-8; save the file as UTF-8"))
      }
      return .success(text)
    } catch {
      return .failure(Fault(message: "cannot be read: \(reason(of: error))"))
    }
  }

  private static func isManifest(_ path: String) -> Bool {
    path == "Package.swift" || path.hasSuffix("/Package.swift")
  }

  /// A manifest for other tools: of it nothing is compiled into the program.
  private static func isOtherManifest(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasPrefix("Package@swift-")
  }

  static func absoluteFolder(of path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
  }

  private static func swiftFiles(_ path: String) throws(ReadingError) -> [String] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unreadable(path: path, reason: "there is nothing of that name")
    }
    // A folder that is named may be a link.
    guard kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) == .typeDirectory
    else { return path.hasSuffix(".swift") ? [path] : [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw .unreadable(path: path, reason: reason(of: error))
    }
    var found: [String] = []
    for name in names where !name.hasPrefix(".") && !ignoredFolders.contains(name) {
      let place = path.hasSuffix("/") ? path + name : path + "/" + name
      switch kind(of: place) {
      case .typeDirectory: found += try swiftFiles(place)
      case .typeRegular where name.hasSuffix(".swift"): found.append(place)
      default: break
      }
    }
    return found
  }

  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission: "this user may not read it"
    case .fileReadNoSuchFile: "it is gone"
    default: "\(error)"
    }
  }

  private static func kind(of path: String) -> FileAttributeType {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return attributes[.type] as? FileAttributeType ?? .typeUnknown
    } catch {
      return .typeUnknown
    }
  }

  /// The manifest of a package may be above the checked folder.
  private static func manifestsAbove(_ path: String) -> [Manifest] {
    var folder = URL(fileURLWithPath: path).standardizedFileURL
    while folder.path != "/" && !folder.path.isEmpty {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent("Package.swift").path
      if case .success(let text) = text(of: file) {
        return [Manifest(path: file, folder: folder.path, text: text)]
      }
    }
    return []
  }
}
