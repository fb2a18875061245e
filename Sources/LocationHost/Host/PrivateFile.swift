import LinuxIO

extension LinuxFiles {
  /// Replaces a small file that only the daemon's user may read, in a folder that is created if missing.
  func writePrivate(_ bytes: [UInt8], to path: String) throws(FileFault) {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolders(String(path[..<slash]), mode: 0o700)
    }
    try replace(path, with: bytes, mode: 0o600)
  }
}
