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
  /// The reason, where the fault is in the content; nil for a fault of the kernel.
  public var detail: String?

  /// Makes a fault.
  public init(action: String, path: String, code: Int32, detail: String? = nil) {
    (self.action, self.path, self.code, self.detail) = (action, path, code, detail)
  }

  /// What is wrong with the content, or the system's message for the number.
  public var reason: String { detail ?? String(cString: strerror(code)) }

  /// True where the file or folder does not exist.
  public var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

  /// What to do; nil where no advice is possible.
  public var remedy: String? {
    guard detail == nil else { return nil }
    return switch code {
    case ENOSPC: "free some space on that file system"
    case EDQUOT: "free some space: the user's quota is used up"
    case EFBIG: "the file is larger than is allowed: see 'ulimit -f'"
    case EACCES, EPERM: "run as the user who owns the folder, or name another one"
    case EROFS: "the file system is mounted read-only: mount it for writing, or name another folder"
    case EIO: "the card or disk fails: copy its files and replace it"
    case ENOENT, ENOTDIR: "create its folder, or name another one"
    case EMFILE, ENFILE: "too many files are open: close some programs"
    default: nil
    }
  }

  /// One line: the path, the action, the reason and the remedy.
  public var description: String {
    "\(path): cannot \(action): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }
}
