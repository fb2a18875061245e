#if canImport(Glibc)
  import Glibc
#endif

/// A failed system call on a file.
public struct FileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The failed action, a verb that follows "cannot ".
  public var action: String
  /// The file or folder.
  public var path: String
  /// The kernel's error number.
  public var code: Int32

  /// Makes a fault.
  public init(action: String, path: String, code: Int32) {
    (self.action, self.path, self.code) = (action, path, code)
  }

  /// The system's message for the number.
  public var reason: String { String(cString: strerror(code)) }

  /// True where the file or folder does not exist.
  public var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

  /// What to do; nil where no advice is possible.
  public var remedy: String? {
    switch code {
    case ENOSPC: "free some space on that file system"
    case EDQUOT: "free some space: the user's quota is used up"
    case EFBIG: "the file is larger than is allowed: see 'ulimit -f'"
    case EACCES, EPERM:
      "run as the user who owns the folder, or name another one in LODESTAR_STATE"
    case EROFS:
      "the file system is mounted read-only: mount it for writing, or name another folder in "
        + "LODESTAR_STATE"
    case EIO: "the card or disk fails: copy what is on it and take another"
    case ENOENT, ENOTDIR: "create the folder, or name another one in LODESTAR_STATE"
    case EMFILE, ENFILE: "too many files are open: close some programs"
    default: nil
    }
  }

  /// One line: the path, the action, the reason and the remedy.
  public var description: String {
    "\(path): cannot \(action): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }
}
