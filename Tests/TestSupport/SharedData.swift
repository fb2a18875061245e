import Foundation

/// The location of the reference data: recordings, official tables and scorers that are not part of
/// the repository.
///
/// `LODESTAR_SHARED` names the folder; else it is `../shared` beside the repository.
public enum SharedData {
  /// The repository's folder.
  public static let repository: URL = {
    // This file is three levels below it.
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }()

  /// The folder of the reference data; nil where it is absent: a test that needs it skips.
  public static var directory: String? {
    let named = ProcessInfo.processInfo.environment["LODESTAR_SHARED"]
    let path = named ?? repository.deletingLastPathComponent().appendingPathComponent("shared").path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    return path
  }

  /// The path of a file or folder of the reference data; nil where it is absent.
  public static func path(_ relative: String) -> String? {
    guard let directory else { return nil }
    let path = directory + "/" + relative
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Whether all of these files and folders of the reference data are there.
  public static func has(_ relatives: String...) -> Bool {
    relatives.allSatisfy { path($0) != nil }
  }

  /// The bytes of a file of the reference data; nil where it is absent.
  public static func bytes(_ relative: String) -> [UInt8]? {
    path(relative).flatMap { FileManager.default.contents(atPath: $0) }.map { Array($0) }
  }
}
