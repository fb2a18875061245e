/// The store's file operations as small steps, so that tests can simulate a crash after each.
package protocol FileOperations: Sendable {
  /// The names in a folder, in no order.
  func names(in folder: String) throws(FileFault) -> [String]
  /// A file's bytes.
  func content(of path: String) throws(FileFault) -> [UInt8]
  /// Creates one folder; an existing one is no fault.
  func makeFolder(_ path: String) throws(FileFault)
  /// Creates a file for writing; an existing one is a fault.
  func create(_ path: String) throws(FileFault) -> Int32
  /// Writes all bytes.
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault)
  /// Waits until the file's bytes are on the medium.
  func sync(_ file: Int32, path: String) throws(FileFault)
  /// Closes a file.
  func close(_ file: Int32)
  /// Renames a file atomically and replaces an existing one of that name.
  func rename(_ old: String, to new: String) throws(FileFault)
  /// Removes a file.
  func remove(_ path: String) throws(FileFault)
  /// Waits until the names in a folder are on the medium.
  func syncFolder(_ path: String) throws(FileFault)
  /// Takes an exclusive lock without waiting; nil where another process or thread has it.
  func lock(_ path: String) throws(FileFault) -> Int32?
  /// Releases a lock.
  func unlock(_ file: Int32)
}
