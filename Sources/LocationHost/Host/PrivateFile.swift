import Foundation

/// Small files that only the daemon's user reads.
package enum PrivateFile {
  /// Keeps bytes in one step; the folder is made where it is not there.
  package static func write(_ data: Data, to path: String) throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Nobody else reads it before it is in its place either.
    let new = path + ".new"
    if files.fileExists(atPath: new) { try files.removeItem(atPath: new) }
    guard files.createFile(atPath: new, contents: data, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    guard rename(new, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
