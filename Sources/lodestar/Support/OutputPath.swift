import FoundationEssentials
import Glibc

/// The names of files on the command line.
enum OutputPath {
  /// True for a name whose file is replaced at once, or made: standard output, a device and a pipe
  /// are written to.
  static func isReplaced(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && (stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG)
  }

  /// True for two names of one file, existing or not; a device such as /dev/null may be named
  /// twice.
  static func areSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else {
      return resolved(a) == resolved(b)
    }
    return first.st_mode & S_IFMT == S_IFREG && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// Checks before long work that a file can be written at its end; `-` always can.
  static func check(_ path: String) throws(Failure) {
    var status = stat()
    let isPresent = stat(path, &status) == 0
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard path != "-", access(isPresent ? path : folder, W_OK) != 0 else { return }
    throw .output(
      "\(path): cannot be written: \(String(cString: strerror(errno))); name a file in a folder of your own"
    )
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
