import LinuxIO

extension LinuxFiles {
  /// Replaces a small file that only its user can read. A missing folder is created.
  func writePrivate(_ bytes: [UInt8], to path: String) throws(FileFault) {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolders(String(path[..<slash]), mode: 0o700)
    }
    try replace(path, with: bytes, mode: 0o600)
  }
}
