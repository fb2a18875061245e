import CLinuxIO
import Dispatch

/// The resident memory of this process.
public enum ProcessMemory {
  /// Removes the code and constants that only the start needed: the start touches most of the
  /// program and of Swift's libraries, a running daemon a third of them. Pages that are used again
  /// are mapped again from the page cache.
  ///
  /// The kernel maps 64 KiB around each page of code that is used, so that without this the daemon
  /// has more than twice the resident memory that it uses.
  /// - Returns: The bytes of the segments; 0 while a debugger traces the process.
  @discardableResult
  public static func releaseCode() -> Int { linuxbus_release_code() }

  /// Removes them some seconds later, when what runs all the time has run.
  public static func releaseCode(after seconds: Double) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { releaseCode() }
  }

  /// Lets all threads allocate from one heap instead of one heap each (glibc's arenas). A message
  /// of a megabyte that each of several threads once encoded would otherwise stay resident in each
  /// of their heaps. Must be called before a second thread starts.
  ///
  /// With 31 clients that request long answers and read none, the greatest memory of the daemon was
  /// 20.1 to 20.4 MB with one heap, and 24.7 to 31.6 MB with one for each thread.
  public static func useOneHeap() { linuxbus_use_one_heap() }
}
