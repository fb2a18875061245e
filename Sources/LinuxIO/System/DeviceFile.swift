import Chips
import Glibc

/// Device files of buses.
enum DeviceFile {
  /// Opens one for reading and writing.
  /// - Parameters:
  ///   - path: Its path.
  ///   - name: The name for messages.
  ///   - group: The group that may usually open it.
  ///   - refusal: The error for a folder, which is no device.
  /// - Returns: The file's descriptor.
  /// - Throws: `BusError` by the remedy: missing, forbidden, in use by a kernel driver.
  static func open(
    _ path: String, name: String, group: String, orElse refusal: BusError.Kind
  ) throws(BusError) -> Int32 {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file < 0 else { return file }
    let code = errno
    throw BusError(
      code == EISDIR
        ? refusal : SystemError.opening(code, group: SystemFiles.group(of: path, usual: group)),
      device: name, code: code)
  }
}
