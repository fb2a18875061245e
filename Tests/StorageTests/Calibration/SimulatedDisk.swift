import Glibc
import LinuxIO
import Storage
import TestSupport

/// A disk that loses unsynchronised changes at a power cut, as far as POSIX allows: any subset of
/// the changes of names in a folder, and any tail of a file's unsynchronised bytes.
final class SimulatedDisk: FileOperations, @unchecked Sendable {
  private struct File {
    var bytes: [UInt8] = []
    var durable: [UInt8] = []
  }
  private enum Entry: Equatable { case file(Int), folder }
  /// One atomic change of names.
  private struct Change {
    var removed: String?
    var added: (name: String, entry: Entry)?

    func apply(to names: inout [String: Entry]) {
      if let removed { names[removed] = nil }
      if let added { names[added.name] = added.entry }
    }
  }
  private struct Folder {
    var names: [String: Entry] = [:]
    var durable: [String: Entry] = [:]
    var pending: [Change] = []

    mutating func change(_ change: Change) {
      change.apply(to: &names)
      pending.append(change)
    }
  }

  private var files: [Int: File] = [:]
  private var folders: [String: Folder] = ["/": Folder()]
  private var isLocked = false
  private var generator: SeededGenerator
  /// The operations in order.
  private(set) var log: [String] = []
  /// The number of changes so far.
  private(set) var count = 0
  /// The number of the change before which the power is cut; later operations have no effect.
  var powerLastsFor = Int.max
  /// The number of the change that fails once, and its error.
  var failure: (at: Int, code: Int32)?
  /// True for a disk that ignores `fsync` of files: shows that the tests detect it.
  var ignoresFileSync = false
  /// True for a disk that ignores `fsync` of folders.
  var ignoresFolderSync = false

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Simulates a power cut and a restart.
  func cutPower() {
    for (path, var folder) in folders {
      // A folder whose entry was lost in its parent is lost with its content.
      for change in folder.pending where Bool.random(using: &generator) {
        change.apply(to: &folder.durable)
      }
      folder.names = folder.durable
      folder.pending = []
      folders[path] = folder
    }
    for (number, var file) in files where file.bytes != file.durable {
      let kept = Int.random(in: 0...file.bytes.count, using: &generator)
      file.bytes = Bool.random(using: &generator) ? file.durable : Array(file.bytes[..<kept])
      file.durable = file.bytes
      files[number] = file
    }
    isLocked = false
    (powerLastsFor, count, log) = (.max, 0, [])
  }

  /// - Throws: The requested fault; EIO after the power cut.
  private func step(_ action: String, _ path: String) throws(FileFault) {
    let number = count
    count += 1
    guard number < powerLastsFor else { throw FileFault(action: action, path: path, code: EIO) }
    if let failure, failure.at == number {
      self.failure = nil
      throw FileFault(action: action, path: path, code: failure.code)
    }
    log.append("\(action) \(split(path).name)")
  }

  private func split(_ path: String) -> (folder: String, name: String) {
    guard path != "/", let slash = path.lastIndex(of: "/") else { return ("/", "/") }
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]),
      String(path[path.index(after: slash)...])
    )
  }

  private func entry(_ path: String) -> Entry? {
    let (folder, name) = split(path)
    return path == "/" ? .folder : entry(folder) == .folder ? folders[folder]?.names[name] : nil
  }

  private func absent(_ action: String, _ path: String) -> FileFault {
    FileFault(action: action, path: path, code: ENOENT)
  }

  private func change(_ path: String, _ change: Change) throws(FileFault) {
    let folder = split(path).folder
    guard entry(folder) == .folder else { throw absent("change", folder) }
    folders[folder]?.change(change)
  }

  func names(in folder: String) throws(FileFault) -> [String] {
    guard entry(folder) == .folder, let names = folders[folder]?.names else {
      throw absent("list", folder)
    }
    return Array(names.keys)
  }

  func content(of path: String) throws(FileFault) -> [UInt8] {
    guard case .file(let number)? = entry(path) else { throw absent("read", path) }
    return files[number]?.bytes ?? []
  }

  func checkFolder(_ path: String) throws(FileFault) {}

  func makeFolder(_ path: String, mode: UInt32) throws(FileFault) {
    guard entry(split(path).folder) == .folder else { throw absent("make", path) }
    try step("folder", path)
    guard entry(path) == nil else { return }
    try change(path, Change(added: (split(path).name, .folder)))
    folders[path] = Folder()
  }

  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
    try step("create", path)
    guard entry(path) == nil else { throw FileFault(action: "create", path: path, code: EEXIST) }
    let number = files.count
    files[number] = File()
    try change(path, Change(added: (split(path).name, .file(number))))
    return Int32(number)
  }

  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    do throws(FileFault) {
      try step("write", path)
    } catch {
      // A failed write may have written a part.
      let part = Int.random(in: 0..<bytes.count, using: &generator)
      if count <= powerLastsFor { files[Int(file)]?.bytes += bytes[..<part] }
      throw error
    }
    files[Int(file)]?.bytes += bytes
  }

  func sync(_ file: Int32, path: String) throws(FileFault) {
    try step("sync", path)
    if ignoresFileSync { return }
    let bytes = files[Int(file)]?.bytes ?? []
    files[Int(file)]?.durable = bytes
  }

  func close(_ file: Int32) {}

  func rename(_ old: String, to new: String) throws(FileFault) {
    try step("rename", new)
    guard let moved = entry(old) else { throw absent("rename", old) }
    try change(new, Change(removed: split(old).name, added: (split(new).name, moved)))
  }

  func remove(_ path: String) throws(FileFault) {
    try step("remove", path)
    guard entry(path) != nil else { throw absent("remove", path) }
    try change(path, Change(removed: split(path).name))
  }

  func syncFolder(_ path: String) throws(FileFault) {
    try step("sync folder", path)
    guard entry(path) == .folder else { throw absent("sync", path) }
    if ignoresFolderSync { return }
    let names = folders[path]?.names ?? [:]
    folders[path]?.durable = names
    folders[path]?.pending = []
  }

  func lock(_ path: String) throws(FileFault) -> Int32? {
    try step("lock", path)
    if entry(path) == nil {
      files[files.count] = File()
      try change(path, Change(added: (split(path).name, .file(files.count - 1))))
    }
    defer { isLocked = true }
    return isLocked ? nil : 0
  }

  func unlock(_ file: Int32) { isLocked = false }
}
