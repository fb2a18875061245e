/// What the store does with files, as small steps: a test plays a crash after each of them.
package protocol FileOperations: Sendable {
  /// The names in a folder, in no order.
  func names(in folder: String) throws(FileFault) -> [String]
  /// A file's bytes.
  func content(of path: String) throws(FileFault) -> [UInt8]
  /// Makes one folder; one that is there already is no fault.
  func makeFolder(_ path: String) throws(FileFault)
  /// Makes a file that was not there, for writing.
  func create(_ path: String) throws(FileFault) -> Int32
  /// Writes all bytes.
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault)
  /// Waits until the file's bytes are on the medium.
  func sync(_ file: Int32, path: String) throws(FileFault)
  /// Closes a file.
  func close(_ file: Int32)
  /// Gives a file another name in one step; what had that name is gone.
  func rename(_ old: String, to new: String) throws(FileFault)
  /// Removes a file.
  func remove(_ path: String) throws(FileFault)
  /// Waits until the names in a folder are on the medium.
  func syncFolder(_ path: String) throws(FileFault)
  /// Keeps every other process and thread out; nil where somebody is inside.
  func lock(_ path: String) throws(FileFault) -> Int32?
  /// Lets the next one in.
  func unlock(_ file: Int32)
}
