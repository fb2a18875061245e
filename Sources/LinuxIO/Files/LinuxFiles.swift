#if canImport(Glibc)
  import Glibc
#endif

/// File operations by system calls.
///
/// What root creates in a folder of another user belongs to that user: a command run by `sudo` must not leave
/// files that the daemon's user cannot use.
package struct LinuxFiles: FileOperations {
  /// The default limit: a larger file is no calibration.
  package static let usualLargestBytes = 1 << 20

  /// A larger file is not read.
  private let largestBytes: Int

  package init(largestBytes: Int = LinuxFiles.usualLargestBytes) {
    self.largestBytes = largestBytes
  }

  package func names(in folder: String) throws(FileFault) -> [String] {
    guard let directory = opendir(folder) else { throw fault("list", folder) }
    defer { closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw fault("list", folder) }
    return names
  }

  package func content(of path: String) throws(FileFault) -> [UInt8] {
    let file = try repeating("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    return try content(of: file, path)
  }

  /// A file's bytes, or those of standard input as `-`; a pipe is read to its end.
  package func content(ofInput path: String) throws(FileFault) -> [UInt8] {
    path == "-" ? try content(of: STDIN_FILENO, "standard input") : try content(of: path)
  }

  /// A file's text.
  /// - Throws: A fault of `code` EILSEQ that names the first line that is not UTF-8.
  package func text(of path: String) throws(FileFault) -> String {
    let bytes = try content(of: path)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.prefix { String(validating: $0, as: UTF8.self) != nil }.count + 1
    throw FileFault(
      action: "read", path: path, code: EILSEQ, detail: "not UTF-8 text, line \(line)")
  }

  private func content(of file: Int32, _ path: String) throws(FileFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = try repeating("read", path) { read(file, &buffer, buffer.count) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= largestBytes else {
        throw FileFault(
          action: "read", path: path, code: EFBIG,
          detail: "larger than \(largestBytes) bytes, the limit for a file of this kind")
      }
    }
  }

  package func makeFolder(_ path: String, mode: UInt32) throws(FileFault) {
    guard mkdir(path, mode) == 0 else {
      if errno != EEXIST { throw fault("create the folder", path) }
      return
    }
    guard let owner = Self.otherOwner(ofFolder: path.parentFolder) else { return }
    if lchown(path, owner.user, owner.group) != 0 { throw fault(Self.givingAction, path) }
  }

  package func checkFolder(_ path: String) throws(FileFault) {
    // Root's permissions do not prevent a look at a file in the folder's place.
    _ = try repeating("list", path) { access(path + "/.", R_OK | X_OK) }
    _ = try repeating("write to", path) { access(path, W_OK) }
    var space = statvfs()
    _ = try repeating("write to", path) { statvfs(path, &space) }
    // Some file systems report no size.
    guard space.f_blocks == 0 || space.f_bavail > 0 else {
      throw FileFault(action: "write to", path: path, code: ENOSPC)
    }
  }

  private static let givingAction = "give to the owner of its folder"

  /// The owner of a folder, where this process is root's and the folder another user's; else nil.
  private static func otherOwner(ofFolder folder: String) -> (user: uid_t, group: gid_t)? {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return nil }
    return (status.st_uid, status.st_gid)
  }

  /// Gives a file that root has created to the owner of its folder, where that is another user.
  private func giveToOwner(_ file: Int32, _ path: String) throws(FileFault) {
    guard let owner = Self.otherOwner(ofFolder: path.parentFolder) else { return }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_uid == 0 else { return }
    if fchown(file, owner.user, owner.group) != 0 { throw fault(Self.givingAction, path) }
  }

  package func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
    let file = try repeating("create", path) {
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    do {
      try giveToOwner(file, path)
    } catch {
      close(file)
      unlink(path)
      throw error
    }
    return file
  }

  /// Opens a file for writing at its end; a missing one is created with the usual permissions.
  package func append(_ path: String) throws(FileFault) -> Int32 {
    try repeating("open", path) {
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC, 0o666)
    }
  }

  package func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    var done = 0
    while done < bytes.count {
      done += try repeating("write", path) {
        bytes[done...].withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      }
    }
  }

  package func sync(_ file: Int32, path: String) throws(FileFault) {
    _ = try repeating("write to the medium", path) { fsync(file) }
  }

  package func close(_ file: Int32) { systemClose(file) }

  package func rename(_ old: String, to new: String) throws(FileFault) {
    _ = try repeating("rename a file to this name", new) { systemRename(old, new) }
  }

  package func remove(_ path: String) throws(FileFault) {
    _ = try repeating("remove", path) { unlink(path) }
  }

  /// Removes a folder and the files in it; a missing one is no fault. It has no folders in it.
  package func removeFolder(_ path: String) throws(FileFault) {
    do throws(FileFault) {
      for name in try names(in: path) { try remove(path + "/" + name) }
      _ = try repeating("remove", path) { rmdir(path) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  package func syncFolder(_ path: String) throws(FileFault) {
    let folder = try repeating("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    do {
      try sync(folder, path: path)
    } catch {
      // EINVAL: the file system does not support it for folders (fsync(2)).
      guard error.code == EINVAL else { throw error }
    }
  }

  package func lock(_ path: String) throws(FileFault) -> Int32? {
    // Read access is enough for flock(2). A symbolic link would create a file elsewhere.
    let file = try repeating("open", path) {
      open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    }
    do {
      try giveToOwner(file, path)
    } catch {
      close(file)
      throw error
    }
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      close(file)
      guard code == EWOULDBLOCK else {
        throw FileFault(action: "lock", path: path, code: code)
      }
      return nil
    }
    return file
  }

  /// A child that was started meanwhile holds the descriptor until its exec: closing it alone would leave the lock.
  package func unlock(_ file: Int32) {
    _ = flock(file, LOCK_UN)
    close(file)
  }

  private func fault(_ action: String, _ path: String) -> FileFault {
    FileFault(action: action, path: path, code: errno)
  }

  /// Repeats a call that a signal interrupted (EINTR).
  private func repeating<Count: FixedWidthInteger>(
    _ action: String, _ path: String, _ call: () -> Count
  ) throws(FileFault) -> Count {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw fault(action, path) }
    }
  }
}

// System calls whose names the methods above hide.
private func systemWrite(_ file: Int32, _ from: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, from, count)
}
private func systemClose(_ file: Int32) { _ = close(file) }
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
