import Foundation

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

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
