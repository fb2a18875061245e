import Foundation

/// An unlinked file in memory that contains one input at a time, for readers of files. It is
/// removed with the process, even after a crash.
final class ScratchFile {
  private let descriptor: Int32

  /// The path for readers.
  var path: String { "/proc/self/fd/\(descriptor)" }

  init() {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    var name = Array("\(folder)/lodestar-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    if descriptor >= 0 { unlink(name) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Replaces the content of the file by the input.
  func hold(_ input: UnsafeRawBufferPointer) throws(Violation) {
    guard descriptor >= 0, ftruncate(descriptor, 0) == 0,
      pwrite(descriptor, input.baseAddress, input.count, 0) == input.count
    else {
      throw Violation("the scratch file cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
