#if canImport(Glibc)
  import Glibc
#endif

/// File operations by system calls.
///
/// What root creates in a folder of another user (`create`, `lock`, `makeFolder`) belongs to that
/// user: a command run by `sudo` must not leave files that the daemon's user cannot use. Links
/// there are not followed (`FilePlace`).
package struct LinuxFiles: FileOperations {
  /// The default limit: a larger file is no calibration.
  package static let usualLargestBytes = 1 << 20

  /// A larger file is not read.
  private let largestBytes: Int
  /// The longest wait for the next bytes of a pipe, ms; -1 for no limit.
  private let silenceLimit: Int32

  /// For files of a daemon, which waits for no pipe.
  package static let ofDaemon = LinuxFiles(silenceMilliseconds: 10_000)

  package init(
    largestBytes: Int = LinuxFiles.usualLargestBytes, silenceMilliseconds: Int32 = -1
  ) {
    (self.largestBytes, silenceLimit) = (largestBytes, silenceMilliseconds)
  }

  package func names(in folder: String) throws(FileFault) -> [String] {
    let place = try FilePlace(folder, to: "list", followsLast: true)
    let file = try repeating("list", folder) {
      openat(place.folder, place.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | place.flags)
    }
    guard let directory = fdopendir(file) else {
      defer { close(file) }
      throw fault("list", folder)
    }
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
    try content(of: path) { _ throws(FileFault) in }
  }

  /// The first bytes of a file; no more are read.
  package func content(of path: String, first most: Int) throws(FileFault) -> [UInt8] {
    try content(of: path, first: most) { _ throws(FileFault) in }
  }

  /// A file's bytes, or the first ones, where `check` of the opened file throws nothing.
  private func content(
    of path: String, first most: Int = .max, _ check: (Int32) throws(FileFault) -> Void
  ) throws(FileFault) -> [UInt8] {
    let place = try FilePlace(path, to: "open", followsLast: true)
    // A pipe opens without its writer, which may never come.
    let file = try repeating("open", path) {
      openat(
        place.folder, place.name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | place.flags)
    }
    defer { close(file) }
    try place.check(file, path, "open")
    try check(file)
    return try content(of: file, path, first: most)
  }

  /// A file's bytes, or those of standard input as `-`; a pipe is read to its end.
  package func content(ofInput path: String) throws(FileFault) -> [UInt8] {
    path == "-" ? try content(of: STDIN_FILENO, "standard input") : try content(of: path)
  }

  /// A file's text.
  /// - Throws: A fault of `code` EILSEQ that names the first line that is not UTF-8.
  package func text(of path: String) throws(FileFault) -> String {
    try text(of: path) { _ throws(FileFault) in }
  }

  /// A file's text, where `check` of the opened file throws nothing.
  func text(
    of path: String, _ check: (Int32) throws(FileFault) -> Void
  ) throws(FileFault) -> String {
    let bytes = try content(of: path, check)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.prefix { String(validating: $0, as: UTF8.self) != nil }.count + 1
    throw FileFault(
      action: "read", path: path, code: EILSEQ, detail: "not UTF-8 text, line \(line)")
  }

  private func content(
    of file: Int32, _ path: String, first most: Int = .max
  ) throws(FileFault) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < most {
      let wanted = min(buffer.count, most - bytes.count)
      let count = try repeating("read", path) {
        waitForBytes(file) ? read(file, &buffer, wanted) : -1
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= largestBytes else {
        throw FileFault(
          action: "read", path: path, code: EFBIG,
          detail: "larger than \(largestBytes) bytes, the limit for a file of this kind")
      }
    }
    return bytes
  }

  /// Waits until a file can be read; false, with `errno`, where a pipe or device sends nothing.
  private func waitForBytes(_ file: Int32) -> Bool {
    var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    let count = poll(&waiting, 1, silenceLimit)
    if count == 0 { errno = ETIMEDOUT }
    return count > 0
  }

  package func makeFolder(_ path: String, mode: UInt32) throws(FileFault) {
    let place = try FilePlace(path, to: Self.folderAction)
    guard mkdirat(place.folder, place.name, mode) == 0 else {
      if errno != EEXIST { throw fault(Self.folderAction, path) }
      return
    }
    guard let owner = place.otherOwner else { return }
    // What has the name now may be another file: only a folder of root is given away.
    let folder = try repeating(Self.givingAction, path) {
      openat(place.folder, place.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == 0
    else { throw FileFault(action: Self.givingAction, path: path, code: EEXIST) }
    if fchown(folder, owner.user, owner.group) != 0 { throw fault(Self.givingAction, path) }
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

  /// The space of the file system of a folder, bytes: what a user without privileges may use, and
  /// all; nil where it is not known.
  package static func space(of path: String) -> (free: UInt64, size: UInt64)? {
    var space = statvfs()
    guard statvfs(path, &space) == 0, space.f_blocks > 0 else { return nil }
    let unit = UInt64(space.f_frsize)
    return (UInt64(space.f_bavail) * unit, UInt64(space.f_blocks) * unit)
  }

  private static let folderAction = "create the folder"
  private static let givingAction = "give to the owner of its folder"

  package func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
    let place = try FilePlace(path, to: "create")
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    return try new(path, place) { openat(place.folder, place.name, flags, mode) }
  }

  /// A file that this call creates, with the owner of its folder where root creates it.
  private func new(
    _ path: String, _ place: borrowing FilePlace, _ open: () -> Int32
  ) throws(FileFault) -> Int32 {
    let file = try repeating("create", path, open)
    guard let owner = place.otherOwner, fchown(file, owner.user, owner.group) != 0 else {
      return file
    }
    defer {
      close(file)
      unlinkat(place.folder, place.name, 0)
    }
    throw fault(Self.givingAction, path)
  }

  /// Opens a file for writing at its end; a missing one is created with the usual permissions.
  package func append(_ path: String) throws(FileFault) -> Int32 {
    let place = try FilePlace(path, to: "open", followsLast: true)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC | place.flags
    let file = try repeating("open", path) { openat(place.folder, place.name, flags, 0o666) }
    do throws(FileFault) {
      try place.check(file, path, "open")
    } catch {
      close(file)
      throw error
    }
    return file
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
    let action = "rename a file to this name"
    let from = try FilePlace(old, to: action)
    let to = try FilePlace(new, to: action)
    _ = try repeating(action, new) { renameat(from.folder, from.name, to.folder, to.name) }
  }

  package func remove(_ path: String) throws(FileFault) {
    try remove(path, 0)
  }

  /// Reads a value that this program has stored in a small file. A damaged file is renamed, so that
  /// a new one does not replace it.
  /// - Parameters:
  ///   - path: The file.
  ///   - report: Receives a sentence about a damaged file, for the log.
  ///   - read: The value of the file's text; nil where it is none.
  /// - Returns: The value; nil where there is no file, or a damaged one.
  /// - Throws: Why the file cannot be read: it may be whole.
  package func stored<Value>(
    at path: String, _ report: (String) -> Void, _ read: (String) -> Value?
  ) throws(FileFault) -> Value? {
    var damage = "its content is no such value"
    do throws(FileFault) {
      if let value = read(try text(of: path)) { return value }
    } catch {
      if error.isAbsence { return nil }
      guard error.code == EILSEQ || error.code == EFBIG else { throw error }
      damage = error.reason
    }
    let kept = path + ".damaged"
    try rename(path, to: kept)
    report(
      "\(path) is damaged (\(damage)): it was renamed to \(kept.fileName), and a new one is made")
    return nil
  }

  private func remove(_ path: String, _ flags: Int32) throws(FileFault) {
    let place = try FilePlace(path, to: "remove")
    _ = try repeating("remove", path) { unlinkat(place.folder, place.name, flags) }
  }

  /// Removes a folder and the files in it; a missing one is no fault. It has no folders in it.
  package func removeFolder(_ path: String) throws(FileFault) {
    do throws(FileFault) {
      for name in try names(in: path) { try remove(path + "/" + name) }
      try remove(path, AT_REMOVEDIR)
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  package func syncFolder(_ path: String) throws(FileFault) {
    let place = try FilePlace(path, to: "open", followsLast: true)
    let folder = try repeating("open", path) {
      openat(place.folder, place.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | place.flags)
    }
    defer { close(folder) }
    do {
      try sync(folder, path: path)
    } catch {
      // EINVAL: the file system does not support it for folders (fsync(2)).
      guard error.code == EINVAL else { throw error }
    }
  }

  package func lock(_ path: String) throws(FileFault) -> Int32? {
    let place = try FilePlace(path, to: "lock")
    // Read access is enough for flock(2). A symbolic link would create a file elsewhere.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    let file: Int32
    do throws(FileFault) {
      // Only a file that this call creates is given to the owner of its folder.
      file = try new(path, place) {
        openat(place.folder, place.name, flags | O_CREAT | O_EXCL, 0o644)
      }
    } catch {
      guard error.code == EEXIST else { throw error }
      file = try repeating("open", path) { openat(place.folder, place.name, flags) }
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

  /// A child that was started meanwhile holds the descriptor until its exec: closing it alone would
  /// leave the lock.
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
