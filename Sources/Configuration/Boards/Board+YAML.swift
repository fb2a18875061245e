import Foundation
import Quantities
import Yams

extension Board {
  /// Reads a board file.
  /// - Throws: `BoardFileError` with the line, the column and the allowed values.
  public init(path: String) throws(BoardFileError) {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      let reason =
        !exists
        ? "no such file" : isFolder.boolValue ? "it is a folder" : "it is not UTF-8 text"
      throw .unreadable(path: path, reason: reason)
    }
    try self.init(yaml: text, path: path)
  }

  /// Reads a board file's text; `path` is for messages.
  public init(yaml text: String, path: String) throws(BoardFileError) {
    let root = try BoardFileReader.document(text, path)
    let reader = BoardFileReader(path: path)
    let keys = try reader.mapping(
      root, allowed: ["board", "mount", "trim", "sensors", "receiver"], called: "a board file")
    guard let name = keys["board"] else {
      throw reader.refusal(root, "the key 'board' is missing", "board: NAME")
    }
    self.init(name: try reader.string(name, called: "a name"))
    if let node = keys["mount"] { mount = try reader.mounting(node) }
    if let node = keys["trim"] { trim = try reader.angles(node, called: "a trim") }
    if let node = keys["sensors"] { sensors = try reader.sensors(node) }
    if let node = keys["receiver"] { receiver = try reader.receiver(node) }
  }
}
