import Foundation
import Quantities
import Yams

extension Board {
  /// Reads a board file.
  /// - Throws: `BoardFileError` that names the line, the column and what is allowed there.
  public init(path: String) throws(BoardFileError) {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      let reason =
        !exists
        ? "no such file" : isFolder.boolValue ? "it is a folder" : "it is not a UTF-8 text file"
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

extension BoardFileReader {
  func receiver(_ node: Node) throws(BoardFileError) -> Board.Receiver {
    let keys = try mapping(node, allowed: ["port", "baud", "pps"], called: "a receiver")
    guard let port = keys["port"] else {
      throw refusal(node, "the receiver lacks 'port'", "port: /dev/…")
    }
    var receiver = Board.Receiver(port: try string(port, called: "a device"), baud: nil)
    if receiver.port.hasPrefix(GPSDAddress.scheme), receiver.gpsd == nil {
      throw refusal(port, "'\(receiver.port)' is no address of a gpsd", GPSDAddress.form)
    }
    if let baud = keys["baud"] {
      let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
      guard let value = baud.int, rates.contains(value) else {
        throw refusal(
          baud, "'\(baud.string ?? "?")' is no baud rate",
          rates.map(String.init).joined(separator: ", "))
      }
      receiver.baud = value
    }
    if let node = keys["pps"] { receiver.pulse = try pulse(node) }
    return receiver
  }
}
