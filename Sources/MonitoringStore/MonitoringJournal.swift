public import CalibrationStore
import Foundation
public import Monitoring

/// Keeps the monitoring of one application in a folder of its own, through kills and power cuts.
///
/// Two files take turns, `state.0` and `state.1`: a new state is written under another name, brought to the
/// medium, and then takes the place of the older one, so that the newer one is never touched. A file is one
/// line, `lodestar-monitoring 1 GENERATION CRC32C LENGTH`, and the state as JSON. The newest that is whole
/// counts; what is damaged, or of another program, is told and kept aside as `state.0.refused`.
public final class MonitoringJournal: @unchecked Sendable {
  static let mark = "lodestar-monitoring"
  static let version = 1
  /// A state that is larger is neither written nor read: hundreds of times that of 20 polygons of a thousand
  /// vertices and a full list of events.
  package static let usualLargestBytes = 64 << 20

  /// Where it is.
  public let folder: String
  /// Files that were not used when it was opened.
  public private(set) var refusals: [JournalRefusal] = []

  private let files: any FileOperations
  private let largestBytes: Int
  private let lock: Int32
  private var generation: UInt64 = 0

  /// Opens the journal in a folder, which is made where it is not there, for this process alone.
  public convenience init(folder: String) throws(JournalError) {
    try self.init(folder: folder, files: LinuxFiles(largestBytes: Self.usualLargestBytes))
  }

  package init(
    folder: String, files: any FileOperations,
    largestBytes: Int = MonitoringJournal.usualLargestBytes
  ) throws(JournalError) {
    (self.folder, self.files, self.largestBytes) = (folder, files, largestBytes)
    do throws(FileFault) {
      try Self.make(folder, files)
      guard let lock = try files.lock(folder + "/.lock") else { throw JournalBusy.fault(folder) }
      self.lock = lock
    } catch {
      throw JournalBusy.isMeant(error) ? .busy(path: folder) : .file(error)
    }
  }

  deinit { files.unlock(lock) }

  /// What was kept last; nil where nothing was.
  /// - Throws: Where the kernel does not let it be read: what is there must not be written over. Damage is
  ///   no error: see `refusals`.
  public func load() throws(JournalError) -> ApplicationMonitor? {
    refusals = []
    var newest: (generation: UInt64, monitor: ApplicationMonitor)?
    for slot in 0...1 {
      let path = slotPath(slot)
      let bytes: [UInt8]
      do {
        bytes = try files.content(of: path)
      } catch {
        if error.isAbsence { continue }
        // Larger than any that is written: no file of ours.
        guard error.code == EFBIG else { throw .file(error) }
        try refuse(path, because: "it is larger than \(largestBytes) bytes")
        continue
      }
      do throws(JournalFile.Damage) {
        let kept = try JournalFile(bytes)
        // Also one that does not decode has used its number.
        generation = max(generation, kept.generation)
        let monitor = try kept.monitor()
        if kept.generation > newest?.generation ?? 0 { newest = (kept.generation, monitor) }
      } catch {
        try refuse(path, because: error.reason)
      }
    }
    // Never the number of what is good: that file would be overwritten.
    if let newest, newest.generation != generation {
      generation += (generation - newest.generation) % 2
    }
    return newest?.monitor
  }

  /// Keeps a file that is not used aside, where no state takes its place.
  private func refuse(_ path: String, because reason: String) throws(JournalError) {
    do throws(FileFault) {
      try files.rename(path, to: path + ".refused")
    } catch {
      throw .file(error)
    }
    refusals.append(JournalRefusal(path: path, reason: reason))
  }

  /// Keeps a state: it is on the medium when this returns.
  /// - Throws: What the kernel refused; what was kept before is there still.
  public func save(_ monitor: ApplicationMonitor) throws(FileFault) {
    let next = generation + 1
    let bytes = try JournalFile.bytes(of: monitor, generation: next, path: folder)
    guard bytes.count <= largestBytes else {
      throw FileFault(
        action: "write a state of \(bytes.count) bytes, more than \(largestBytes), to",
        path: folder, code: EFBIG)
    }
    let new = folder + "/.state.new"
    do throws(FileFault) {
      try fill(new, with: bytes)
      try files.rename(new, to: slotPath(Int(next % 2)))
    } catch {
      do { try files.remove(new) } catch { _ = error }
      throw error
    }
    // From here on the number is used, whether the folder's change is on the medium or not.
    generation = next
    try files.syncFolder(folder)
  }

  private func fill(_ path: String, with bytes: [UInt8]) throws(FileFault) {
    let file: Int32
    do throws(FileFault) {
      file = try files.create(path)
    } catch {
      // Left by one who was killed.
      guard error.code == EEXIST else { throw error }
      try files.remove(path)
      file = try files.create(path)
    }
    defer { files.close(file) }
    try files.write(bytes, to: file, path: path)
    try files.sync(file, path: path)
  }

  private func slotPath(_ slot: Int) -> String { folder + "/state.\(slot)" }

  /// Makes a folder and those above it, and brings their names to the medium.
  private static func make(
    _ folder: String, _ files: any FileOperations
  ) throws(FileFault) {
    let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
    do {
      try files.makeFolder(folder)
    } catch {
      guard error.code == ENOENT, !parent.isEmpty, parent != folder, parent != "." else {
        throw error
      }
      try make(parent, files)
      try files.makeFolder(folder)
    }
    do throws(FileFault) {
      try files.syncFolder(parent.isEmpty ? "/" : parent)
    } catch {
      // A folder that may not be read was not made here.
      guard error.code == EACCES || error.code == EPERM else { throw error }
    }
  }
}

/// The lock of somebody else, on its way through a throw of file faults.
private enum JournalBusy {
  static func fault(_ path: String) -> FileFault {
    FileFault(action: "lock", path: path, code: EWOULDBLOCK)
  }
  static func isMeant(_ fault: FileFault) -> Bool {
    fault.action == "lock" && fault.code == EWOULDBLOCK
  }
}
