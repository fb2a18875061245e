import CLinuxIO

/// The resident memory of this process.
public enum ProcessMemory {
  /// Removes the code and constants that only the start needed: the start touches most of the program and of Swift's
  /// libraries, a running daemon a third of them. Pages that are used again are mapped again from the page cache.
  ///
  /// The kernel maps 64 KiB around each page of code that is used, so that without this the daemon has more than twice
  /// the resident memory that it uses.
  /// - Returns: The bytes of the segments; 0 while a debugger traces the process.
  @discardableResult
  public static func releaseCode() -> Int { linuxbus_release_code() }
}
