extension FileOperations {
  /// Replaces a small file that only its user can read, as `replace` does: when this returns, the
  /// content and the name are on the medium. A missing folder is created, for its user only.
  package func writePrivate(_ bytes: [UInt8], to path: String) throws(FileFault) {
    try makeFolders(path.parentFolder, mode: 0o700)
    try replace(path, with: bytes, mode: 0o600)
  }
}
