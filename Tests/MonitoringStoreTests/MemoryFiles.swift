import CalibrationStore
import Glibc

/// Files in memory, for stopping a program after any of its steps.
final class MemoryFiles: FileOperations, @unchecked Sendable {
  private var content: [String: [UInt8]] = [:]
  private var open: [Int32: String] = [:]
  private var folders: Set<String> = ["/"]
  private var locked: Set<String> = []
  private var next: Int32 = 10
  /// How many steps were asked for.
  private(set) var steps = 0
  /// From this step on nothing happens any more; the write before it may be cut short.
  var lastsFor = Int.max
  /// Every step fails so.
  var refusal: Int32?
  /// Reading fails so.
  var unreadable: Int32?

  init() {}

  /// The same files after the program's end.
  func afterKill() -> MemoryFiles {
    let copy = MemoryFiles()
    (copy.content, copy.folders) = (content, folders)
    return copy
  }

  subscript(path: String) -> [UInt8]? {
    get { content[path] }
    set { content[path] = newValue }
  }

  private func step(_ action: String, _ path: String) throws(FileFault) {
    steps += 1
    if let refusal { throw FileFault(action: action, path: path, code: refusal) }
    if steps > lastsFor { throw FileFault(action: action, path: path, code: EIO) }
  }

  func names(in folder: String) throws(FileFault) -> [String] { [] }

  func content(of path: String) throws(FileFault) -> [UInt8] {
    if let unreadable { throw FileFault(action: "read", path: path, code: unreadable) }
    guard let bytes = content[path] else {
      throw FileFault(action: "read", path: path, code: ENOENT)
    }
    return bytes
  }

  func makeFolder(_ path: String) throws(FileFault) { folders.insert(path) }

  func create(_ path: String) throws(FileFault) -> Int32 {
    try step("create", path)
    guard content[path] == nil else { throw FileFault(action: "create", path: path, code: EEXIST) }
    content[path] = []
    next += 1
    open[next] = path
    return next
  }

  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    do throws(FileFault) {
      try step("write", path)
    } catch {
      // What a kill interrupts may have been begun.
      if steps == lastsFor + 1 { content[path]? += bytes[..<(bytes.count / 2)] }
      throw error
    }
    content[path]? += bytes
  }

  func sync(_ file: Int32, path: String) throws(FileFault) { try step("sync", path) }
  func close(_ file: Int32) { open[file] = nil }

  func rename(_ old: String, to new: String) throws(FileFault) {
    try step("rename", new)
    content[new] = content.removeValue(forKey: old)
  }

  func remove(_ path: String) throws(FileFault) {
    try step("remove", path)
    content[path] = nil
  }

  func syncFolder(_ path: String) throws(FileFault) { try step("sync folder", path) }

  func lock(_ path: String) throws(FileFault) -> Int32? {
    guard locked.insert(path).inserted else { return nil }
    next += 1
    open[next] = path
    return next
  }

  func unlock(_ file: Int32) {
    if let path = open.removeValue(forKey: file) { locked.remove(path) }
  }
}
