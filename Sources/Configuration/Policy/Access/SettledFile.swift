import Foundation

/// Atomic replacement of a file; its content is on the medium when `write` returns.
enum SettledFile {
  static func write(_ bytes: Data, to path: String, in folder: String) throws {
    let new = "\(folder)/.\(UUID().uuidString).new"
    do {
      let file = try opened(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
      defer { close(file) }
      try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: bytes)
      guard fsync(file) == 0, rename(new, path) == 0 else { throw fault() }
    } catch {
      // Fails without harm where `rename` has succeeded.
      unlink(new)
      throw error
    }
    let names = try opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(names) }
    // EINVAL: the file system does not support it for folders (fsync(2)).
    guard fsync(names) == 0 || errno == EINVAL else { throw fault() }
  }

  private static func opened(_ path: String, _ flags: Int32) throws -> Int32 {
    let file = open(path, flags, 0o644)
    guard file >= 0 else { throw fault() }
    return file
  }

  private static func fault() -> NSError {
    let code = errno
    return NSError(
      domain: NSPOSIXErrorDomain, code: Int(code),
      userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(code))])
  }
}
