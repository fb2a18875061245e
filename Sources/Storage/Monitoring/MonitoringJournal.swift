import Glibc
import LinuxIO
public import Monitoring
import Synchronization

/// Stores the monitoring of one application in its own folder; safe against kills and power cuts.
///
/// Two files alternate, `state.0` and `state.1`: a new state is written under another name,
/// synchronised to the medium, and then replaces the older file, so that the newer one is never
/// touched. A file is one line, `lodestar-monitoring 1 GENERATION CRC32C LENGTH`, followed by the
/// state as JSON. The newest intact file is loaded; a damaged or unknown one is reported in
/// `refusals` and renamed to `state.0.refused`, which replaces an earlier damaged one. One of a newer
/// program is renamed to `state.0.version2`, or `state.0.version2.2` and so on where that exists: it
/// replaces none, and no program takes it up by itself.
public final class MonitoringJournal: Sendable {
  static let mark = "lodestar-monitoring"
  static let version = 1
  /// The largest state that is written: several times a full `MonitoringBudget`.
  package static let usualLargestBytes = 8 << 20
  /// The largest state that is read: earlier versions wrote larger ones.
  private static let largestReadBytes = 64 << 20

  /// The folder of the files.
  public let folder: String
  /// Files that were not used by `load`.
  public var refusals: [JournalRefusal] { state.withLock { $0.refusals } }

  private struct State {
    var refusals: [JournalRefusal] = []
    var generation: UInt64 = 0
  }

  private let files: any FileOperations
  private let largestBytes: Int
  private let lock: Int32
  private let state = Mutex(State())

  /// Opens the journal in a folder and locks it for this process; a missing folder is created.
  public convenience init(folder: String) throws(JournalError) {
    try self.init(folder: folder, files: LinuxFiles(largestBytes: Self.largestReadBytes))
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
      throw JournalBusy.matches(error) ? .busy(path: folder) : .file(error)
    }
  }

  deinit { files.unlock(lock) }

  /// The last stored state; nil for none.
  /// - Throws: `file` where a file cannot be read: an unread file must not be overwritten. Damage
  ///   is no error: see `refusals`.
  public func load() throws(JournalError) -> ApplicationMonitor? {
    try state.withLock { (state) throws(JournalError) in try load(&state) }
  }

  private func load(_ state: inout State) throws(JournalError) -> ApplicationMonitor? {
    state.refusals = []
    var newest: (generation: UInt64, monitor: ApplicationMonitor)?
    for slot in 0...1 {
      let path = slotPath(slot)
      let bytes: [UInt8]
      do {
        bytes = try files.content(of: path)
      } catch {
        if error.isAbsence { continue }
        // Larger than any that is written: not a journal file.
        guard error.code == EFBIG else { throw .file(error) }
        state.refusals.append(
          try refuse(path, JournalFile.Damage(reason: "larger than \(largestBytes) bytes")))
        continue
      }
      do throws(JournalFile.Damage) {
        let file = try JournalFile(bytes)
        // A file that does not decode has used its number too.
        state.generation = max(state.generation, file.generation)
        let monitor = try file.monitor()
        if file.generation > newest?.generation ?? 0 { newest = (file.generation, monitor) }
      } catch {
        state.refusals.append(try refuse(path, error))
      }
    }
    // The next number must not select the slot of the good file: it would be overwritten.
    if let newest, newest.generation != state.generation {
      state.generation += (state.generation - newest.generation) % 2
    }
    return newest?.monitor
  }

  /// Renames a file that is not used, so that no state overwrites it.
  private func refuse(
    _ path: String, _ damage: JournalFile.Damage
  ) throws(JournalError) -> JournalRefusal {
    var refusal = JournalRefusal(path: path, reason: damage.reason)
    do throws(FileFault) {
      if let version = damage.newerVersion {
        refusal.suffix = try freeSuffix("version\(version)", of: path)
      }
      try files.rename(path, to: refusal.newPath)
    } catch {
      throw .file(error)
    }
    return refusal
  }

  /// A suffix with which no file of that name exists: the one given, or with a number after it.
  private func freeSuffix(_ suffix: String, of path: String) throws(FileFault) -> String {
    let names = Set(try files.names(in: folder))
    var (free, number) = (suffix, 1)
    while names.contains("\(path.fileName).\(free)") {
      number += 1
      free = "\(suffix).\(number)"
    }
    return free
  }

  /// Stores a state: it is on the medium when this returns.
  /// - Throws: The failed system call; the previous state is still stored.
  public func save(_ monitor: ApplicationMonitor) throws(FileFault) {
    try state.withLock { (state) throws(FileFault) in try save(monitor, &state.generation) }
  }

  private func save(_ monitor: ApplicationMonitor, _ generation: inout UInt64) throws(FileFault) {
    let next = generation + 1
    let bytes = try JournalFile.bytes(of: monitor, generation: next, path: folder)
    guard bytes.count <= largestBytes else {
      throw FileFault(
        action: "write a state of \(bytes.count) bytes, more than \(largestBytes), to",
        path: folder, code: EFBIG)
    }
    // The number is used once the file has its name, also where the synchronisation of the folder
    // fails.
    try files.replace(
      slotPath(Int(next % 2)), with: bytes, temporaryName: ".state.new",
      didRename: { generation = next })
  }

  private func slotPath(_ slot: Int) -> String { folder + "/state.\(slot)" }

  /// Creates a folder with its parents and synchronises their entries to the medium.
  private static func make(
    _ folder: String, _ files: any FileOperations
  ) throws(FileFault) {
    let parent = folder.parentFolder
    do {
      try files.makeFolder(folder, mode: 0o755)
    } catch {
      guard error.code == ENOENT, parent != folder else { throw error }
      try make(parent, files)
      try files.makeFolder(folder, mode: 0o755)
    }
    do throws(FileFault) {
      try files.syncFolder(parent)
    } catch {
      // A folder without read permission was not created here.
      guard error.code == EACCES || error.code == EPERM else { throw error }
    }
  }
}

/// Carries a lock held by another process through a typed throw of file faults.
private enum JournalBusy {
  static func fault(_ path: String) -> FileFault {
    FileFault(action: "lock", path: path, code: EWOULDBLOCK)
  }
  static func matches(_ fault: FileFault) -> Bool {
    fault.action == "lock" && fault.code == EWOULDBLOCK
  }
}
