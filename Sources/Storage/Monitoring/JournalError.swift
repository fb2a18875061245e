import LinuxIO

/// The reason why a journal could not be opened.
public enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A system call failed.
  case file(FileFault)
  /// Another process, or another session of this one, has it open.
  case busy(path: String)

  /// One line: the path, the reason and the remedy.
  public var description: String {
    switch self {
    case .file(let fault): fault.textOfState
    case .busy(let path):
      "\(path): in use by another process of the same application; end it, or give this one another "
        + "application identifier"
    }
  }
}

/// A journal file that was not used.
public struct JournalRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's path before it was renamed.
  public var path: String
  /// What is wrong with the file.
  public var reason: String
  /// What was added to its name.
  package var suffix = "refused"
  /// The file's path after it was renamed.
  package var newPath: String { "\(path).\(suffix)" }

  /// One line: the path, where the file is stored now, and the reason.
  public var description: String { "\(path): not used, renamed to \(newPath): \(reason)" }
}
