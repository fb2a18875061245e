import Glibc
import LinuxIO
import Storage

/// Files in memory that simulate a kill after any step.
final class MemoryFiles: FileOperations, @unchecked Sendable {
  private var content: [String: [UInt8]] = [:]
  private var open: [Int32: String] = [:]
  private var folders: Set<String> = ["/"]
  private var locked: Set<String> = []
  private var next: Int32 = 10
  /// The number of steps so far.
  private(set) var steps = 0
  /// The number of steps after which every step fails; a failing write may write one half.
  var lastsFor = Int.max
  /// The error of every step.
  var refusal: Int32?
  /// The error of reading.
  var unreadable: Int32?

  init() {}

  /// A copy of the files as a kill leaves them, without locks.
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

  func names(in folder: String) throws(FileFault) -> [String] {
    content.keys.filter { $0.parentFolder == folder }.map(\.fileName)
  }

  func content(of path: String) throws(FileFault) -> [UInt8] {
    if let unreadable { throw FileFault(action: "read", path: path, code: unreadable) }
    guard let bytes = content[path] else {
      throw FileFault(action: "read", path: path, code: ENOENT)
    }
    return bytes
  }

  func checkFolder(_ path: String) throws(FileFault) {}

  func makeFolder(_ path: String, mode: UInt32) throws(FileFault) { folders.insert(path) }

  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
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
      // A killed program may have written a part.
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
