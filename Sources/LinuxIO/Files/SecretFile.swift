#if canImport(Glibc)
  import Glibc
#endif

extension LinuxFiles {
  /// The text of a file with a password or a key.
  /// - Throws: A fault of `code` EPERM where other users can read or change it.
  package func secret(of path: String) throws(FileFault) -> String {
    // The mode is that of the file whose content is read, whatever the path names in between.
    try text(of: path) { file throws(FileFault) in
      var status = stat()
      guard fstat(file, &status) != 0 || status.st_mode & 0o007 == 0 else {
        throw FileFault(
          action: "use", path: path, code: EPERM,
          detail: "other users can read or change it; run 'chmod o= \(path)'")
      }
    }
  }
}
