#if canImport(Glibc)
  import Glibc
#endif

/// File operations as small steps, so that tests can simulate a crash after each.
package protocol FileOperations: Sendable {
  /// The names in a folder, in no order.
  func names(in folder: String) throws(FileFault) -> [String]
  /// A file's bytes.
  func content(of path: String) throws(FileFault) -> [UInt8]
  /// Creates one folder with permissions, less the umask; an existing one is no fault.
  func makeFolder(_ path: String, mode: UInt32) throws(FileFault)
  /// Checks, without a write, that files in a folder can be read and written.
  /// - Throws: The reason: a missing folder, another file in its place, no permission, a read-only
  ///   or full file system.
  func checkFolder(_ path: String) throws(FileFault)
  /// Creates a file with permissions, less the umask, for writing; an existing one is a fault.
  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32
  /// Writes all bytes.
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault)
  /// Waits until the file's bytes are on the medium.
  func sync(_ file: Int32, path: String) throws(FileFault)
  /// Closes a file.
  func close(_ file: Int32)
  /// Renames a file atomically and replaces an existing one of that name.
  func rename(_ old: String, to new: String) throws(FileFault)
  /// Removes a file.
  func remove(_ path: String) throws(FileFault)
  /// Waits until the names in a folder are on the medium.
  func syncFolder(_ path: String) throws(FileFault)
  /// Takes an exclusive lock without waiting; nil where another process or thread has it.
  func lock(_ path: String) throws(FileFault) -> Int32?
  /// Releases a lock.
  func unlock(_ file: Int32)
}

extension FileOperations {
  /// Replaces a file atomically: after a kill or a power cut it has the old content or the new one.
  /// The new one is on the medium when this returns.
  /// - Parameters:
  ///   - path: The file; its folder exists.
  ///   - bytes: The new content.
  ///   - mode: The permissions of the new file, less the umask.
  ///   - owner: The user and the group of the new file; nil for those of this process.
  ///   - temporaryName: The file's name in its folder until it is complete; a file of that name,
  ///     left by a killed process, is replaced. Writers that do not exclude each other need
  ///     different names.
  ///   - didRename: Called once the file has its name, before that is on the medium.
  /// - Throws: The failed call; the old content is still there, unless `didRename` was called.
  package func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o644,
    owner: (user: UInt32, group: UInt32)? = nil, temporaryName: String? = nil,
    didRename: () -> Void = {}
  ) throws(FileFault) {
    let folder = path.parentFolder
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    let new = folder + "/" + (temporaryName ?? ".\(name).new")
    do throws(FileFault) {
      try fill(new, with: bytes, mode, owner)
      try rename(new, to: path)
    } catch {
      // A file that cannot be removed either is replaced by the next call.
      do { try remove(new) } catch { _ = error }
      // The user does not know the temporary name.
      var fault = error
      if fault.path == new { fault.path = path }
      throw fault
    }
    didRename()
    try syncFolder(folder)
  }

  private func fill(
    _ path: String, with bytes: [UInt8], _ mode: UInt32, _ owner: (user: UInt32, group: UInt32)?
  ) throws(FileFault) {
    let file: Int32
    do throws(FileFault) {
      file = try create(path, mode: mode)
    } catch {
      guard error.code == EEXIST else { throw error }
      try remove(path)
      file = try create(path, mode: mode)
    }
    defer { close(file) }
    if let owner, fchown(file, owner.user, owner.group) != 0 {
      throw FileFault(action: "change the owner of", path: path, code: errno)
    }
    try write(bytes, to: file, path: path)
    try sync(file, path: path)
  }

  /// Creates a folder with its missing parents.
  package func makeFolders(_ path: String, mode: UInt32 = 0o755) throws(FileFault) {
    do {
      try makeFolder(path, mode: mode)
    } catch {
      guard error.code == ENOENT, path.parentFolder != path else { throw error }
      try makeFolders(path.parentFolder, mode: mode)
      try makeFolder(path, mode: mode)
    }
  }
}
