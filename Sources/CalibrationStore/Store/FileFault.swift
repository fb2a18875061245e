#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the kernel refused. The description is one line: the path, the reason and the remedy.
public struct FileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done: "cannot " goes before it.
  public var action: String
  /// With what.
  public var path: String
  /// The kernel's error number.
  public var code: Int32

  /// Makes a fault.
  public init(action: String, path: String, code: Int32) {
    (self.action, self.path, self.code) = (action, path, code)
  }

  /// The kernel's words for the number.
  public var reason: String { String(cString: strerror(code)) }

  /// True where there is nothing of that name.
  public var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

  /// What to do; nil where nobody can say.
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
    case ENOENT, ENOTDIR: "make the folder, or name another one in LODESTAR_STATE"
    case EMFILE, ENFILE: "too many files are open: close some programs"
    default: nil
    }
  }

  /// One line for people.
  public var description: String {
    "\(path): cannot \(action): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }
}
