import Foundation

/// A nameless file in memory that holds one input after another, for readers that read files. It goes
/// with the process, even where that crashes.
final class ScratchFile {
  private let descriptor: Int32

  /// Where readers find it.
  var path: String { "/proc/self/fd/\(descriptor)" }

  init() {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    var name = Array("\(folder)/lodestar-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    if descriptor >= 0 { unlink(name) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Makes the input the file's whole content.
  func hold(_ input: UnsafeRawBufferPointer) throws(Violation) {
    guard descriptor >= 0, ftruncate(descriptor, 0) == 0,
      pwrite(descriptor, input.baseAddress, input.count, 0) == input.count
    else {
      throw Violation("no scratch file: \(String(cString: strerror(errno)))")
    }
  }
}
