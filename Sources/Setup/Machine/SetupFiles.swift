import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// The files of the machine below a root folder.
struct SetupFiles: Sendable {
  /// The prefix of each path; empty for this machine.
  let root: String
  private let files = LinuxFiles()

  /// A file's text; nil where it does not exist.
  func text(of path: String) throws(SetupFault) -> String? {
    do throws(FileFault) {
      return try files.text(of: root + path)
    } catch {
      if error.isAbsence { return nil }
      throw .file(error)
    }
  }

  /// When a file was written, seconds since 1970; nil where it does not exist.
  func timeOfChange(_ path: String) -> Int? {
    var status = stat()
    return stat(root + path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }

  /// Writes or replaces a file atomically. An existing one keeps its permissions, owner and group,
  /// and a copy of it with the suffix `backupSuffix` is written before.
  func write(_ text: String, to path: String, backup old: String?) throws(SetupFault) {
    do throws(FileFault) {
      try files.makeFolders((root + path).parentFolder)
      if let old {
        try replace(root + path + SetupChange.backupSuffix, with: old, like: root + path)
      }
      try replace(root + path, with: text, like: root + path)
    } catch {
      throw .file(error)
    }
  }

  /// Writes a file that only its owner can read.
  func writeSecret(_ text: String, to path: String) throws(SetupFault) {
    do throws(FileFault) {
      try files.makeFolders((root + path).parentFolder)
      try files.replace(root + path, with: Array(text.utf8), mode: 0o600)
    } catch {
      throw .file(error)
    }
  }

  func remove(_ path: String) throws(SetupFault) {
    do throws(FileFault) { try files.remove(root + path) } catch { throw .file(error) }
  }

  private func replace(_ path: String, with text: String, like model: String) throws(FileFault) {
    var status = stat()
    guard stat(model, &status) == 0 else {
      return try files.replace(path, with: Array(text.utf8), mode: 0o644)
    }
    let isOwn = status.st_uid == geteuid() && status.st_gid == getegid()
    try files.replace(
      path, with: Array(text.utf8), mode: status.st_mode & 0o777,
      owner: isOwn ? nil : (status.st_uid, status.st_gid))
  }
}
